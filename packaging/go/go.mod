// build.sh writes the module's path: a placeholder, see packaging/package.sh.
module @ADDRESS@

go 1.21

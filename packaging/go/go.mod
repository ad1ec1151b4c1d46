// build.sh writes the module's path: a placeholder, see packaging/package.sh.
module @ADDRESS@/v@MAJOR@

go 1.21

#!/bin/sh
# test.sh: builds the archive for this machine and sqlpkg.json, checks that they agree, and installs
# and loads the extension as sqlpkg does.
. test/tally.sh

package=sqlpkg
. packaging/package.sh
. packaging/sqlpkg/platform.sh

test_native || skip "packaging/targets.tsv has no target for this machine"
check "make package-sqlpkg" sh packaging/sqlpkg/build.sh

# spec EXPRESSION: prints an expression over `spec`, the parsed sqlpkg.json. Prints lists by line.
spec() {
  ${PYTHON:-python3} - "$out/sqlpkg.json" <<END
import json, sys
spec = json.load(open(sys.argv[1], encoding="utf-8"))
value = $1
print(value if isinstance(value, str) else "\n".join(value))
END
}
check "owner and name" same "utf8ext/utf8ext" "$(spec 'spec["owner"] + "/" + spec["name"]')"
check "version" same "$version" "$(spec 'spec["version"]')"
check "sqlpkg.org shows 100 characters of the description" [ "$(spec 'spec["description"]' | wc -c)" -le 101 ]
check "symbols are the functions and tables" same \
  "$("$SQLITE3" :memory: ".load './$EXTENSION'" "SELECT name FROM pragma_function_list WHERE name LIKE 'utf8%'
    UNION SELECT name FROM pragma_module_list WHERE name LIKE 'utf8%' ORDER BY 1" 2>&1)" "$(spec 'spec["symbols"]')"

files=$(spec 'spec["assets"]["files"].values()' | sed "s/{version}/$version/")
check "the archives are those in sqlpkg.json" same "$(echo "$files" | sort)" "$(cd "$out" && ls utf8ext-*)"
check "checksums.txt" sh -c 'cd "$0" && sha256sum -c --strict checksums.txt' "$out"
check "checksums.txt has every archive" same "$(echo "$files" | sort)" "$(sed 's/.*  //' "$out/checksums.txt" | sort)"

# content ARCHIVE: prints the names of the files in it.
content() {
  case $1 in
  *.zip) ${PYTHON:-python3} -m zipfile -l "$1" | awk 'NR > 1 { print $1 }' ;;
  *) tar -tzf "$1" ;;
  esac
}
for file in $files; do
  case $file in *-windows-*) library=utf8ext.dll ;; *-darwin-*) library=utf8ext.dylib ;; *) library=utf8ext.so ;; esac
  check "the files in $file" same "LICENSE
$library" "$(content "$out/$file")"
done

mkdir "$work/utf8ext"
native=$(platform "$native")
check "this machine's archive" tar -xzf "$out/utf8ext-$version-$native.tar.gz" -C "$work/utf8ext"
check "it loads" sh packaging/loads.sh "$work/utf8ext/utf8ext"
finish

#!/bin/sh
# test.sh: builds the Go module, installs it with `go get` and runs the program in test/, which
# uses it with mattn/go-sqlite3. Also runs go vet, go mod vendor and the program in README.md.
. test/tally.sh

package=go
. packaging/package.sh

command -v go >/dev/null || skip "Go is not installed"
[ "$(go env CGO_ENABLED)" = 1 ] || skip "Go has no C compiler"
check "make package-go" sh packaging/go/build.sh

# The module cache is private, since a build with the same version can differ from the last one.
path=$address/v$major
export GOPROXY="file://$out/proxy,$(go env GOPROXY)" GONOSUMDB="$address" GOWORK=off
export GOMODCACHE="$out/cache" GOFLAGS="-modcacherw -buildvcs=false"
# SQLite compiles three times as fast without optimisation.
export CGO_CFLAGS="-O0"
rm -rf "$GOMODCACHE/$path@v$version" "$GOMODCACHE/cache/download/$path" "$out/test"

cp -r packaging/go/test "$out" && fill packaging/go/test/utf8ext_test.go >"$out/test/utf8ext_test.go"
cd "$out/test" || exit 1
go mod download github.com/mattn/go-sqlite3 >"$work/fetch" 2>&1 ||
  skip "Go cannot fetch mattn/go-sqlite3: $(tail -n 1 "$work/fetch")"
check "go get $path@v$version" go get "$path@v$version"
check "go mod tidy" go mod tidy

# go_tests ARGUMENT...: runs go test and adds its tests to the tally.
go_tests() {
  go test -count=1 -v "$@" . >"$work/log" 2>&1
  status=$?
  passed=$((passed + $(grep -c '^ *--- PASS' "$work/log")))
  failed=$((failed + $(grep -c '^ *--- FAIL' "$work/log")))
  [ $status = 0 ] || sed 's/^/    /' "$work/log"
  check "go test $*" [ $status = 0 ]
}
go_tests
check "go vet of the program" go vet .
check "go vet of the module" go vet "$path"
check "the module is formatted" same "" "$(gofmt -l ../module)"

mkdir readme
awk '/^```/ { inside = $0 == "```go"; next } inside' ../module/README.md >readme/main.go
check "README.md is formatted" same "" "$(gofmt -l readme)"
check "the program in README.md" same "truncated José" "$(go run ./readme 2>&1)"

check "go mod vendor" go mod vendor
go_tests -mod=vendor
finish

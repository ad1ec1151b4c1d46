#!/bin/sh
# wasm.sh: builds the WebAssembly module and tests it in Node: the kernels, the JavaScript API, and
# the examples of the documents.
. test/tally.sh
. test/node.sh

# require COMMAND PACKAGE: skips the suite and exits if the command is not installed.
require() {
  command -v "$1" >/dev/null && return
  echo "SKIPPED: WebAssembly: $1 is not installed (package $2)"
  finish
  exit
}

require emcc emscripten
require node nodejs
if ! message=$(sh test/sqlite.sh 3.53.2); then
  echo "SKIPPED: WebAssembly: $message"
  finish
  exit
fi

check "make wasm" ${MAKE:-make} -s -j2 wasm
check "the page is built" ${MAKE:-make} -s -f web/wasm/Makefile site
check "the kernels compile to WebAssembly" ${MAKE:-make} -s -f web/wasm/Makefile build/wasm/kerneltest.wasm
run="node --no-warnings test/wasm/run-wasi.mjs build/wasm/kerneltest.wasm"
check "there is a SIMD128 kernel" same "kernels: simd128 scalar" "$($run list)"
check "the SIMD128 kernel agrees with the step" $run quick simd128
check "bench/wasm.mjs prints its table" \
  sh -c 'ROUNDS=1 node --no-warnings --no-liftoff bench/wasm.mjs | grep -q "^| utf8_repair"'
for file in test/wasm/*.test.mjs; do node_tests "$file"; done
finish

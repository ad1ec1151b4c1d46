# utf8ext: build, test, install. `make help` lists the targets.
#
# CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and DESTDIR may be set as everywhere. All but the
# extension itself is built under build/.

CFLAGS ?= -O2
PREFIX ?= /usr/local
DESTDIR ?=
SQLITE3 ?= sqlite3
TCLSH ?= tclsh
# The first Python 3 whose sqlite3 module can load extensions.
PYTHON ?= $(shell sh test/python.sh)

VERSION := $(shell cat VERSION)
SOURCES := $(wildcard *.c)
HEADERS := $(wildcard *.h simd/*.h charset/*.h)
DL := $(if $(filter Darwin,$(shell uname -s)),dylib,so)
EXTENSION := utf8ext.$(DL)

all: $(EXTENSION) ## build the extension: ./utf8ext.so, or .dylib on macOS

# A load that fails while a statement runs leaves functions registered: see unregisterAll().
STAY_LOADED := $(if $(filter Darwin,$(shell uname -s)),,-Wl,-z,nodelete)

$(EXTENSION): $(SOURCES) $(HEADERS) Makefile
	$(CC) -std=c11 -fPIC -fvisibility=hidden $(CFLAGS) $(CPPFLAGS) -shared $(STAY_LOADED) -o $@ $(SOURCES) $(LDFLAGS)

build build/lib build/core build/sanitized:
	mkdir -p $@

# The core: all files that know no SQLite.
CORE := utf8core.c utf8repair.c utf8charset.c utf8detect.c utf8mojibake.c utf8mojibakesegment.c utf8kernel.c
LIBRARY := build/libutf8core.a
LIBRARY_OBJECTS := $(CORE:%.c=build/lib/%.o)

lib: $(LIBRARY) ## build the core as a library without SQLite: build/libutf8core.a

$(LIBRARY): $(LIBRARY_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^
build/lib/%.o: %.c $(HEADERS) Makefile | build/lib
	$(CC) -std=c11 -fPIC -fvisibility=hidden $(CFLAGS) $(CPPFLAGS) -c -o $@ $<

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' Makefile

# ---- demo ------------------------------------------------------------------------------

# CSV may hold any character: its raw value goes through the environment.
demo: export DEMO_CSV := $(value CSV)
demo: $(EXTENSION) | build ## find and repair what is wrong in examples/orders.csv; CSV=file takes your own
	@sh examples/demo.sh

# ---- install ---------------------------------------------------------------------------

# The shell joins these names, since they may hold any character.
export PREFIX DESTDIR VERSION
LIB := $$DESTDIR$$PREFIX/lib
INCLUDE := $$DESTDIR$$PREFIX/include

install: $(EXTENSION) ## install extension, header and pkg-config file; PREFIX=/usr/local, DESTDIR
	@case $$(printf %s. "$$PREFIX" | tr "#'\$$\n" '####') in *'#'* | *[\\[:blank:]].) \
	  printf '%s\n' "make install: PREFIX is '$$PREFIX'; a pkg-config file cannot hold # ' \$$ or a line break in it, nor a space or \\ at its end" >&2; \
	  exit 1 ;; esac
	mkdir -p "$(LIB)/pkgconfig" "$(INCLUDE)"
	cp $(EXTENSION) "$(LIB)/$(EXTENSION)"
	cp utf8ext.h "$(INCLUDE)/utf8ext.h"
	printf 'prefix=%s\nversion=%s\n' "$$PREFIX" "$$VERSION" | cat - utf8ext.pc.in > "$(LIB)/pkgconfig/utf8ext.pc"
	chmod 644 "$(INCLUDE)/utf8ext.h" "$(LIB)/pkgconfig/utf8ext.pc"
	chmod 755 "$(LIB)/$(EXTENSION)"

uninstall: ## remove the three files that install put there
	rm -f "$(LIB)/$(EXTENSION)" "$(INCLUDE)/utf8ext.h" "$(LIB)/pkgconfig/utf8ext.pc"

install-lib: $(LIBRARY) ## install the core's library, header and pkg-config file
	mkdir -p "$(LIB)/pkgconfig" "$(INCLUDE)"
	cp $(LIBRARY) "$(LIB)/libutf8core.a"
	cp utf8core.h "$(INCLUDE)/utf8core.h"
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' utf8core.pc.in > "$(LIB)/pkgconfig/utf8core.pc"
	chmod 644 "$(LIB)/libutf8core.a" "$(INCLUDE)/utf8core.h" "$(LIB)/pkgconfig/utf8core.pc"

uninstall-lib: ## remove the three files that install-lib put there
	rm -f "$(LIB)/libutf8core.a" "$(INCLUDE)/utf8core.h" "$(LIB)/pkgconfig/utf8core.pc"

clean: ## remove everything that was built
	rm -rf build utf8ext.so utf8ext.dylib

# ---- tests -----------------------------------------------------------------------------
# A suite is a target check-NAME that ends in a line 'N passed, N failed', and a line
# SUITES += NAME beside it. What cannot run says 'SKIPPED: what: why'.

export CC CPPFLAGS EXTENSION SQLITE3 TCLSH

test: $(EXTENSION) ## run every suite below; the last line is 'N passed, N failed'
	@sh test/run.sh $(SUITES:%='$(MAKE) -s check-%')

SUITES += version
check-version: $(EXTENSION) ## VERSION, utf8ext.h, utf8_version() and pkg-config agree
	@sh test/version.sh

SUITES += symbols
check-symbols: $(EXTENSION) ## the extension exports its two entry points and nothing else
	@sh test/symbols.sh

SUITES += format
check-format: ## clang-format has nothing to change
	@sh test/format.sh

SUITES += warnings
check-warnings: ## gcc and clang have nothing to say
	@sh test/warnings.sh

# The core without SQLite: plain with the scalar kernel, sanitized with the best one.
CORE_TESTS := build/coretest build/repairtest
SANITIZE := -g -fno-sanitize-recover=all -fsanitize=address,undefined
SUITES += core
check-core: $(CORE_TESTS) $(CORE_TESTS:%=%-sanitized) ## the core against a second definition, also under ASan and UBSan
	@sh test/run.sh $(CORE_TESTS:%='UTF8EXT_KERNEL=scalar %') $(CORE_TESTS:%=%-sanitized)
CHARSET_TEST := build/charsettest
SUITES += charset
check-charset: $(CHARSET_TEST) $(CHARSET_TEST)-sanitized ## the charsets against a second definition, also under ASan and UBSan
	@sh test/run.sh 'UTF8EXT_KERNEL=scalar $(CHARSET_TEST)' $(CHARSET_TEST)-sanitized
MOJIBAKE_TEST := build/mojibaketest
SUITES += mojibake
check-mojibake: $(MOJIBAKE_TEST) $(MOJIBAKE_TEST)-sanitized ## misread text is found and repaired, also under ASan and UBSan
	@sh test/run.sh '$(MOJIBAKE_TEST)' $(MOJIBAKE_TEST)-sanitized
SUITES += mojibake-tables
check-mojibake-tables: ## the generated tables of charset/ are what tool/mojibake.py writes
	@$(PYTHON) tool/mojibake.py --check
# Each file of the core is compiled once as it is, and each of the extension once sanitized,
# for all tests.
CORE_OBJECTS := $(CORE:%.c=build/core/%.o)
CORE_SANITIZED := $(CORE:%.c=build/sanitized/%.o)
ALL_SANITIZED := $(SOURCES:%.c=build/sanitized/%.o)
build/core/%.o: %.c $(HEADERS) | build/core
	$(CC) -std=c11 -O2 $(CPPFLAGS) -c -o $@ $<
build/sanitized/%.o: %.c $(HEADERS) | build/sanitized
	$(CC) -std=c11 -O2 -fPIC -fvisibility=hidden $(CPPFLAGS) $(SANITIZE) -c -o $@ $<
build/%test.o: test/%test.c test/ctest.h test/abnf.h test/charsets.h utf8core.h utf8private.h utf8mojibake.h | build
	$(CC) -std=c11 -O2 $(CPPFLAGS) -I. -c -o $@ $<
build/%test: build/%test.o $(CORE_OBJECTS)
	$(CC) -o $@ $^
build/%test-sanitized: build/%test.o $(CORE_SANITIZED)
	$(CC) $(SANITIZE) -o $@ $^
.SECONDARY: $(CORE_OBJECTS) $(ALL_SANITIZED)

SUITES += kernels
check-kernels: build/kerneltest build/kerneltest-sanitized ## every kernel that runs here against the decoder step
	@sh test/run.sh build/kerneltest 'build/kerneltest-sanitized quick'

SUITES += strict
check-strict: | build ## the core is C11 without extensions where GNU C is not to be had
	@sh test/strict.sh

SUITES += rows
check-rows: ## the generated tables of simd/ are what tool/rows.py writes
	@$(PYTHON) tool/rows.py --check

SUITES += noavx
check-noavx: build/kerneltest ## kernels are chosen by what the processor has: qemu plays older ones
	@sh test/noavx.sh

SUITES += avx512
check-avx512: ## the AVX-512 kernel over an emulation of its instructions
	@sh test/avx512.sh

SUITES += neon
check-neon: ## the arm64 kernel, cross-compiled and run by qemu
	@sh test/neon.sh

SUITES += wordsize
check-wordsize: ## the core's tests with 32 bits (i686), and big-endian (s390x, run by qemu)
	@CORE='$(CORE)' SANITIZE='$(SANITIZE)' sh test/wordsize.sh

TCL_TESTS := $(wildcard test/*.test)
SUITES += tcl
check-tcl: $(EXTENSION) ## test/*.test, each under plain tclsh
	@sh test/run.sh $(TCL_TESTS:%='$(TCLSH) -encoding utf-8 %')

SUITES += sanitized
SANITIZED := build/sanitized/$(EXTENSION)
OVER_READ := build/sanitized/overread.$(DL)
check-sanitized: $(SANITIZED) $(OVER_READ) ## test/*.test with the extension under ASan and UBSan
	@sh test/sanitized.sh $^
$(SANITIZED): $(ALL_SANITIZED)
	$(CC) $(SANITIZE) -shared -o $@ $^ $(LDFLAGS)
$(OVER_READ): test/overread.c | build/sanitized
	$(CC) -std=c11 -O1 -fPIC $(CPPFLAGS) $(SANITIZE) -shared -o $@ $< $(LDFLAGS)

SUITES += versions
check-versions: $(EXTENSION) ## test/*.test on SQLite 3.31.1, 3.40.0, 3.53.2 and the newest (needs npm)
	@sh test/versions.sh 3.31.1 3.40.0 3.53.2 newest

test-versions: $(EXTENSION) ## test/*.test on every version of test/sqlite.sh, and the system's (minutes; needs npm)
	@sh test/versions.sh

SUITES += demo
check-demo: $(EXTENSION) ## the demo finds and repairs what is known to be in its file
	@sh test/demo.sh

SUITES += docs
check-docs: $(EXTENSION) ## the examples of README.md and docs/ give the output printed there
	@$(PYTHON) test/docs.py README.md $(wildcard docs/*.md)

SUITES += python
check-python: $(EXTENSION) ## Python's decoders judge utf8ext on many short inputs
	@sh test/judges/run.sh python

SUITES += python-charset
check-python-charset: $(EXTENSION) ## Python's codecs judge utf8_from and utf8_to
	@$(PYTHON) test/judges/charset.py

test-judges: $(EXTENSION) ## the decoders of Python, Go, Java, Node and Perl judge
	@sh test/run.sh 'sh test/judges/run.sh' '$(PYTHON) test/judges/charset.py --all'

SUITES += load
check-load: $(EXTENSION) | build ## an SQLite too old or wrong gets a clear message, not a crash
	@$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o build/loadtest test/loadtest.c $(LDFLAGS) -lsqlite3 -ldl
	@build/loadtest ./$(EXTENSION)

SUITES += encoding
check-encoding: | build ## as built for SQLite 3.31, which does not tell a value's encoding
	@sh test/encoding.sh

SUITES += static
check-static: | build ## linked into a program with -DSQLITE_CORE it works
	@$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -DSQLITE_CORE -I. -o build/static test/static.c $(SOURCES) $(LDFLAGS) -lsqlite3
	@build/static

amalgamation: ## build/amalgamation/utf8ext.c and utf8ext.h: all sources in one file
	@$(PYTHON) tool/amalgamate.py build/amalgamation
.PHONY: amalgamation

SUITES += amalgamation
check-amalgamation: $(EXTENSION) ## the amalgamation compiles alone and passes test/*.test
	@PYTHON='$(PYTHON)' sh test/amalgamation.sh

SUITES += conformance
check-conformance: $(EXTENSION) ## each statement of docs/conformance.md is shown by a test that ran
	@MAKE='$(MAKE)' $(PYTHON) tool/conformance.py

SUITES += detection
check-detection: $(EXTENSION) ## docs/detection.md says how often utf8_detect is right
	@$(PYTHON) tool/detection.py --check docs/detection.md

SUITES += install
check-install: $(EXTENSION) ## install and uninstall, staged under build/
	@sh test/install.sh

SUITES += lib
check-lib: $(LIBRARY) ## the core installs as a library, and docs/core.md's program runs in C and C++
	@sh test/lib.sh

SUITES += setup
check-setup: ## setup.sh chooses the right package manager and command
	@sh test/setup.sh

# Each target compares the core under every kernel with a second definition.
FUZZ_TIME ?= 60
FUZZ_TARGETS := core repair charset detect mojibake
FUZZ_OBJECTS := $(CORE:%.c=build/fuzz/%.o)
SUITES += fuzz
check-fuzz: ## libFuzzer (clang) for 20 seconds on each of its targets
	@MAKE='$(MAKE)' FUZZ_TIME=20 sh test/fuzz.sh $(FUZZ_TARGETS)
fuzz: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) ## libFuzzer for FUZZ_TIME=60 seconds on each of its targets
	@MAKE='$(MAKE)' FUZZ_TIME=$(FUZZ_TIME) sh test/fuzz.sh $(FUZZ_TARGETS)
build/fuzz:
	mkdir -p $@
build/fuzz/%.o: %.c $(HEADERS) | build/fuzz
	clang -std=c11 -O2 $(SANITIZE),fuzzer-no-link $(CPPFLAGS) -c -o $@ $<
build/fuzz/fuzz_%: fuzz/fuzz_%.c fuzz/fuzz.h test/abnf.h test/charsets.h $(FUZZ_OBJECTS)
	clang -std=c11 -O2 $(SANITIZE),fuzzer $(CPPFLAGS) -I. -o $@ $< $(FUZZ_OBJECTS)
.SECONDARY: $(FUZZ_OBJECTS)

FUZZ_SQL := MAKE='$(MAKE)' CORE='$(CORE_SANITIZED)' sh fuzz/sql.sh
fuzz-sql: $(CORE_SANITIZED) ## random queries on three versions of SQLite for FUZZ_TIME=60 seconds per target
	@$(FUZZ_SQL) $(FUZZ_TIME) '3.31.1 system newest'
.PHONY: fuzz-sql
SUITES += fuzz-sql
check-fuzz-sql: $(CORE_SANITIZED) ## the same for 20 seconds in all, from a fixed seed
	@$(FUZZ_SQL) 10 '3.31.1 system 3.53.2' 1

VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
test-valgrind: $(EXTENSION) ## test/*.test under valgrind (slow)
	@UNDER_VALGRIND=1 sh test/run.sh $(TCL_TESTS:%='$(VALGRIND) $(TCLSH) -encoding utf-8 %')

test-faults: $(EXTENSION) ## test/fault/*.test in SQLite's own harness: memory runs out at each allocation (needs apt)
	@sh test/testfixture.sh test/fault/*.test
testfixture-test: $(EXTENSION) ## test/*.test in SQLite's own harness, with memory running out (needs apt)
	@sh test/testfixture.sh
.PHONY: test-faults testfixture-test

test-bochs: ## the AVX-512 kernel's machine code on an emulated processor (builds Bochs; needs apt)
	@sh test/bochs.sh
.PHONY: test-bochs

# ---- measurements: bench/Makefile ------------------------------------------------------

bench: $(EXTENSION) ## measure kernels and SQL (minutes; BENCH_QUICK=1: half a minute)
	@$(MAKE) -s -f bench/Makefile kernels sql

bench-audit: $(EXTENSION) ## measure utf8_audit on databases of 1 GB (minutes, 1.2 GB of disk)
	@$(MAKE) -s -f bench/Makefile audit

bench-peers: ## the same races with other libraries in them (fetched by Cargo)
	@$(MAKE) -s -f bench/Makefile peers

bench-charset: ## measure dialects, policies and charsets, beside iconv, ICU and simdutf
	@$(MAKE) -s -f bench/Makefile charset-peers

bench-model: ## what a model of a processor with AVX-512 says of the kernels (needs llvm-mca)
	@$(MAKE) -s -f bench/Makefile model

bench-plot: ## charts and tables of docs/performance.md, from the last bench and bench-peers
	@$(MAKE) -s -f bench/Makefile plot

.PHONY: bench bench-audit bench-peers bench-charset bench-model bench-plot
.PHONY: all help lib demo install uninstall install-lib uninstall-lib clean test test-judges fuzz test-valgrind test-versions $(SUITES:%=check-%)

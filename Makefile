# utf8ext: build, test, install. `make help` lists the targets.
#
# CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and DESTDIR can be set as usual. Everything except the
# extension itself is built under build/.
#
# OMIT='MOJIBAKE FORM' leaves parts out, for a small library (docs/install.md).

OMIT ?=
export OMIT
CFLAGS ?= $(if $(OMIT),-Os,-O2)
PREFIX ?= /usr/local
DESTDIR ?=
SQLITE3 ?= sqlite3
TCLSH ?= tclsh
# The first Python 3 whose sqlite3 module can load extensions.
PYTHON ?= $(shell sh test/python.sh)

VERSION := $(shell cat VERSION)
# make's own $(shell) does not see what it exports before version 4.4.
SOURCES := $(shell OMIT='$(OMIT)' sh tool/sources.sh all)
ifeq ($(SOURCES),)
$(error no sources)
endif
CORE := $(shell OMIT='$(OMIT)' sh tool/sources.sh core)
OMITTED := $(OMIT:%=-DUTF8EXT_OMIT_%)
HEADERS := $(shell sh tool/sources.sh headers)
# The kind of library that the compiler makes, also if it is a cross compiler: so, dylib or dll.
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
DL := $(or $(if $(findstring darwin,$(MACHINE)),dylib),$(if $(findstring mingw,$(MACHINE)),dll),so)
EXTENSION := utf8ext.$(DL)

all: $(EXTENSION) ## build the extension: ./utf8ext.so, .dylib on macOS, .dll with mingw

# nodelete: if loading fails while a statement runs, functions stay registered and the code must
# stay mapped (see unregisterAll() in utf8ext.c).
LINK_so := -Wl,-z,nodelete
LINK_dylib := -Wl,-install_name,@rpath/$(EXTENSION)
LINK_dll := -static-libgcc
# Code for Windows can always be loaded anywhere.
PIC := $(if $(filter dll,$(DL)),,-fPIC)
# Saves 44 KB that only exceptions need, which C does not have. Debuggers read -g's own tables.
NO_UNWIND := -fno-asynchronous-unwind-tables

$(EXTENSION): $(SOURCES) $(HEADERS) Makefile build/omit
	$(CC) -std=c11 $(PIC) $(NO_UNWIND) -fvisibility=hidden $(CFLAGS) $(CPPFLAGS) $(OMITTED) -I. -shared $(LINK_$(DL)) -o $@ $(SOURCES) $(LDFLAGS)

# The small build, for what the name promises: docs/install.md.
SMALL := $(shell sh tool/sources.sh small)
SMALL_SOURCES := $(shell OMIT='$(SMALL)' sh tool/sources.sh all)
# Leaves out the functions that nothing calls, and the symbols.
SMALL_LINK_so := -Wl,--gc-sections -s
SMALL_LINK_dylib := -Wl,-dead_strip -Wl,-x
SMALL_LINK_dll := -Wl,--gc-sections -s
SMALL_EXTENSION := build/core/$(EXTENSION)

core: $(SMALL_EXTENSION) ## build the small extension: build/core/utf8ext.so (docs/install.md)
.PHONY: core

$(SMALL_EXTENSION): $(SMALL_SOURCES) $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 $(PIC) $(NO_UNWIND) -fvisibility=hidden $(CFLAGS) -Os -ffunction-sections -fdata-sections $(CPPFLAGS) \
	  $(SMALL:%=-DUTF8EXT_OMIT_%) -I. -shared $(LINK_$(DL)) $(SMALL_LINK_$(DL)) -o $@ $(SMALL_SOURCES) $(LDFLAGS)

build build/sanitized:
	mkdir -p $@

# Changes when OMIT does.
build/omit: FORCE | build
	@echo '$(OMIT)' | cmp -s - $@ || echo '$(OMIT)' >$@
FORCE:
.PHONY: FORCE

# The library: what utf8core.h and utf8form.h declare.
LIBRARY := build/libutf8core.a
CORE_OBJECTS := $(CORE:%.c=build/lib/%.o)

lib: $(LIBRARY) ## build the core as a library without SQLite: build/libutf8core.a

$(LIBRARY): $(CORE_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^
build/lib/%.o: %.c $(HEADERS) Makefile build/omit
	@mkdir -p $(@D)
	$(CC) -std=c11 $(PIC) -fvisibility=hidden $(CFLAGS) $(CPPFLAGS) $(OMITTED) -I. -c -o $@ $<

amalgamation: ## write build/amalgamation/utf8ext.c and utf8ext.h: all sources in one file
	@$(PYTHON) tool/amalgamate.py build/amalgamation
.PHONY: amalgamation

help: ## show this list
	@awk -F ':.*## ' -v suites=' $(SUITES) ' ' \
	  /^[a-z0-9-]+:.*## / { \
	    line = sprintf("  make %-24s %s\n", $$1, $$2); \
	    if ($$1 !~ /^check-/) targets = targets line; \
	    else if (index(suites, " " substr($$1, 7) " ")) quick = quick line; \
	    else lab = lab line } \
	  END { printf "%s\nThe suites of make test:\n%s\nThe suites that make test-all adds:\n%s", targets, quick, lab }' $(MAKEFILE_LIST)

# ---- demo ------------------------------------------------------------------------------

# CSV can contain any character: the environment passes its unexpanded value.
demo: export DEMO_CSV := $(value CSV)
demo: $(EXTENSION) | build ## find and repair errors in examples/orders.csv; CSV=file for your own
	@sh examples/demo.sh

# ---- install ---------------------------------------------------------------------------

# The shell expands these variables, since they can contain any character.
export PREFIX DESTDIR VERSION
LIB := $$DESTDIR$$PREFIX/lib
INCLUDE := $$DESTDIR$$PREFIX/include

# Stops if a pkg-config file cannot hold PREFIX.
valid-prefix:
	@case $$(printf %s. "$$PREFIX" | tr "#'\$$\n" '####') in *'#'* | *[\\[:blank:]].) \
	  printf '%s\n' "make install: PREFIX is '$$PREFIX'; a pkg-config file cannot hold # ' \$$ or a line break in it, nor a space or \\ at its end" >&2; \
	  exit 1 ;; esac

# write_pc(NAME) writes NAME.pc: the lines prefix= and version=, then NAME.pc.in.
write_pc = printf 'prefix=%s\nversion=%s\n' "$$PREFIX" "$$VERSION" | cat - $(1).pc.in > "$(LIB)/pkgconfig/$(1).pc"

install: valid-prefix $(EXTENSION) ## install extension, header and pkg-config file; PREFIX=/usr/local, DESTDIR
	mkdir -p "$(LIB)/pkgconfig" "$(INCLUDE)"
	cp $(EXTENSION) "$(LIB)/$(EXTENSION)"
	cp utf8ext.h "$(INCLUDE)/utf8ext.h"
	$(call write_pc,utf8ext)
	chmod 644 "$(INCLUDE)/utf8ext.h" "$(LIB)/pkgconfig/utf8ext.pc"
	chmod 755 "$(LIB)/$(EXTENSION)"

uninstall: ## remove the three files of make install
	rm -f "$(LIB)/$(EXTENSION)" "$(INCLUDE)/utf8ext.h" "$(LIB)/pkgconfig/utf8ext.pc"

LIBRARY_HEADERS := core/utf8core.h core/utf8charsets.h core/utf8form.h arrow/utf8arrow.h
install-lib: valid-prefix $(LIBRARY) ## install the core's library, headers and pkg-config file
	mkdir -p "$(LIB)/pkgconfig" "$(INCLUDE)"
	cp $(LIBRARY) "$(LIB)/libutf8core.a"
	for header in $(LIBRARY_HEADERS); do cp $$header "$(INCLUDE)" && chmod 644 "$(INCLUDE)/$${header##*/}" || exit 1; done
	$(call write_pc,utf8core)
	chmod 644 "$(LIB)/libutf8core.a" "$(LIB)/pkgconfig/utf8core.pc"

uninstall-lib: ## remove the files of make install-lib
	rm -f "$(LIB)/libutf8core.a" "$(LIB)/pkgconfig/utf8core.pc"
	for header in $(LIBRARY_HEADERS); do rm -f "$(INCLUDE)/$${header##*/}"; done

clean: ## remove everything that was built
	rm -rf build utf8ext.so utf8ext.dylib utf8ext.dll

# ---- tests -----------------------------------------------------------------------------
# test/suites.mk has the suites.

export CC CPPFLAGS EXTENSION SQLITE3 TCLSH
# How many suites run at a time.
JOBS ?= 2

# Those that take longest start first. What several suites use is built before them, so that no two
# build it at once. check-conformance reads which tests of check-tcl passed.
LONGEST = tcl arrow-engines sanitized faults core versions warnings amalgamation form
LAB_LONGEST = packages bench wordsize sanitized-all fuzz fuzz-sql limits
CHECK = $(1:%='$(MAKE) -s check-%')
test: ## the contract, in five minutes; the last line is 'N passed, N failed'
	@BEGAN=$$(date +%s); export BEGAN; \
	$(MAKE) -s -k -j$(JOBS) test-programs || echo "FAILED: not everything builds"; \
	JOBS=$(JOBS) sh test/run.sh $(call CHECK,$(LONGEST) $(filter-out $(LONGEST) conformance,$(SUITES))) -- $(call CHECK,conformance)
test-lab: ## the laboratory: other processors, packages, judges, fuzzing, benchmarks (sh setup.sh test-all)
	@$(MAKE) -s -k -j$(JOBS) test-programs || echo "FAILED: not everything builds"
	@JOBS=$(JOBS) sh test/run.sh $(call CHECK,$(LAB_LONGEST) $(filter-out $(LAB_LONGEST),$(LAB)))
test-deep: ## every case, order and compiler, of which make test takes samples
	@$(MAKE) -s -k -j$(JOBS) test-programs || echo "FAILED: not everything builds"
	@JOBS=$(JOBS) sh test/run.sh $(call CHECK,$(DEEP))
test-all: ## make test, test-lab and test-deep, as before a release
	@sh test/run.sh '$(MAKE) -s test' '$(MAKE) -s test-lab' '$(MAKE) -s test-deep'
test-tools: ## fetch and build the two versions of SQLite and its test program that make test uses
	@for version in 3.31.1 newest; do sh test/sqlite.sh $$version; done
	@$(PYTHON) tool/form.py --tests
	@sh test/testfixture.sh build
.PHONY: test test-lab test-deep test-all test-tools test-programs

include test/suites.mk

# ---- binaries and packages: packaging/Makefile -----------------------------------------

# With =, since finding PYTHON takes longer than reading this file.
PACKAGING = PYTHON='$(PYTHON)' $(MAKE) -s -f packaging/Makefile

release: ## cross-compile the extension for every target of packaging/targets.tsv (minutes; needs pip)
test-release: $(EXTENSION) ## run the binaries of make release in qemu and wine (long; sh setup.sh release)
	@CORE='$(CORE)' $(PACKAGING) $@
PACKAGE_SUITES += release
check-release: $(EXTENSION) ## this machine's binary, and the arm64 one in qemu, agree with utf8ext.so (needs pip, npm)
packages: ## build every package: build/packages (after make release)
dist: $(EXTENSION) ## packages, small builds, amalgamation, checksums and notes of a release: build/dist (after make release)
PACKAGE_SUITES += dist
check-dist: $(EXTENSION) $(SMALL_EXTENSION) ## what make dist gathers is whole
package-python: $(EXTENSION) ## the wheels: build/packages/python
package-npm: ## the npm packages
package-rust: ## the Rust crate
package-go: ## the Go module
package-deb: ## the Debian package
package-sqlpkg: ## the archives and sqlpkg.json for sqlpkg
package-recipes: ## the recipes of conda-forge, Homebrew, Nix and vcpkg, and the archive of the sources

PACKAGE_SUITES += package-python
check-package-python: $(EXTENSION) ## the wheel installs into an empty environment; its library and command (needs pip)
PACKAGE_SUITES += package-npm
check-package-npm: $(EXTENSION) ## the npm packages install offline and load into Node, Bun and libsql (needs npm)
PACKAGE_SUITES += package-rust
check-package-rust: $(EXTENSION) ## the Rust crate installs and works with rusqlite, diesel and sqlx (needs cargo)
PACKAGE_SUITES += package-go
check-package-go: $(EXTENSION) ## the Go module installs and works with mattn/go-sqlite3 (needs go)
PACKAGE_SUITES += package-deb
check-package-deb: $(EXTENSION) ## the Debian package installs, is lintian-clean and loads by bare name
PACKAGE_SUITES += package-sqlpkg
check-package-sqlpkg: $(EXTENSION) ## the archives and sqlpkg.json for sqlpkg agree and load
DEEP += package-recipes
check-package-recipes: $(EXTENSION) ## what the recipes of conda-forge, Homebrew, Nix and vcpkg run installs from the archive of the sources
release packages dist package-python package-npm package-rust package-go package-deb package-sqlpkg package-recipes check-package-recipes $(PACKAGE_SUITES:%=check-%):
	@$(PACKAGING) $@

LAB += packages
# Runs the suites one after the other, since they compile the same binaries.
check-packages: $(EXTENSION) ## check-release, and every check-package-NAME
	@JOBS=1 sh test/run.sh $(call CHECK,$(PACKAGE_SUITES))

.PHONY: release test-release dist packages package-python package-npm package-rust package-go package-deb package-sqlpkg package-recipes

# ---- WebAssembly and the page: web/wasm/Makefile --------------------------------------------

WASM = PYTHON='$(PYTHON)' $(MAKE) -s -f web/wasm/Makefile
PORT ?= 8000
wasm: ## SQLite with utf8ext for JavaScript: build/wasm (needs emscripten, npm: sh setup.sh site)
	@$(WASM)
site: ## the page that checks files in the browser, on localhost: PORT=8000
	@$(WASM) site
	@echo "http://localhost:$(PORT)/"
	@$(PYTHON) -m http.server --bind 127.0.0.1 --directory build/site $(PORT)
LAB += wasm
check-wasm: ## the module and its kernel work in Node (needs emscripten, npm)
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh test/wasm.sh
test-site: $(EXTENSION) ## the page in headless Chromium (needs emscripten, chromium, npm)
	@MAKE='$(MAKE)' PYTHON='$(PYTHON)' sh test/site.sh
.PHONY: wasm site test-site

# ---- measurements: bench/Makefile ------------------------------------------------------

BENCH = PYTHON='$(PYTHON)' $(MAKE) -s -f bench/Makefile
bench: $(EXTENSION) ## measure kernels and SQL (minutes; BENCH_QUICK=1: half a minute)
	@$(BENCH) kernels sql

bench-audit: $(EXTENSION) ## measure utf8_audit on databases of 1 GB (minutes, 1.2 GB of disk)
	@$(BENCH) audit

bench-peers: ## measure kernels and other libraries together (Cargo fetches them)
	@$(BENCH) peers

bench-charset: ## measure dialects, policies and charsets, with iconv, ICU and simdutf
	@$(BENCH) charset-peers

bench-convert: $(EXTENSION) ## measure utf8ext convert and utf8_from on 1 GB, with iconv, uconv and PostgreSQL (CONVERT_IN=folder)
	@$(BENCH) convert

bench-form: $(EXTENSION) ## measure normalization and folding beside ICU4C, ICU4X, StringZilla, simd-normalizer, utf8proc, and utf8_clean beside ftfy
	@$(BENCH) form-peers

LAB += bench
check-bench: $(EXTENSION) ## every benchmark is built and prints figures (peers: needs cargo)
	@PYTHON='$(PYTHON)' MAKE='$(MAKE)' sh test/bench.sh

bench-arrow: $(EXTENSION) ## measure the functions over columns beside the core, pyarrow, pandas, Polars and ftfy (needs pip)
	@$(BENCH) arrow
bench-arrow-workers: $(EXTENSION) ## measure one worker and two of a Spark cluster (needs pip, java)
	@PYTHON='$(PYTHON)' sh test/arrow.sh workers

bench-plot: ## tables of the last measurements to build/bench/report.md, and the charts of docs/performance.md
	@$(BENCH) plot

measure-detection: $(EXTENSION) ## measure detection and three other detectors (minutes; needs apt, pip, npm)
	@$(PYTHON) tool/detect/measure.py --peers

.PHONY: measure-detection bench bench-audit bench-peers bench-charset bench-convert bench-form bench-arrow bench-arrow-workers bench-plot
.PHONY: all help lib demo valid-prefix install uninstall install-lib uninstall-lib clean test-judges fuzz test-valgrind test-versions $(SUITES:%=check-%) $(LAB:%=check-%) $(DEEP:%=check-%) $(PACKAGE_SUITES:%=check-%)

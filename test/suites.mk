# suites.mk: the suites of make test and make test-all, and what tests on request. Included by the Makefile.
#
# A suite is a target check-NAME whose last line of output is 'N passed, N failed', with a line
# SUITES += NAME next to it if make test runs it, LAB += NAME if the laboratory does, or DEEP += NAME if
# only make test-deep does. A test that cannot run prints 'SKIPPED: what: why'. docs/testing.md says what each
# is worth.

SUITES += version
check-version: $(EXTENSION) ## VERSION, utf8ext.h, utf8_version() and pkg-config agree
	@sh test/version.sh

SUITES += symbols
check-symbols: $(EXTENSION) ## the extension exports its entry points and nothing else
	@sh test/symbols.sh

SUITES += format
check-format: ## clang-format would change nothing
	@sh test/format.sh

SUITES += warnings
check-warnings: ## gcc and clang give no warnings
	@sh test/warnings.sh
DEEP += warnings-all
check-warnings-all: ## every file by every compiler, mingw-w64 included, to machine code
	@sh test/warnings.sh full

# The core without SQLite: plain with the scalar kernel, sanitized with the best kernel. The sanitized
# programs take a sample of the cases (CTEST_QUICK in test/ctest.h); check-core-all takes every case.
CORE_TESTS := build/coretest build/conformancetest build/repairtest
SANITIZE := -g1 -fno-sanitize-recover=all -fsanitize=address,undefined
SUITES += core
check-core: $(CORE_TESTS) $(CORE_TESTS:%=%-sanitized) ## the core agrees with a second definition, also under ASan and UBSan
	@sh test/run.sh $(CORE_TESTS:%='UTF8EXT_KERNEL=scalar %') $(CORE_TESTS:%='CTEST_QUICK=1 %-sanitized')
DEEP += core-all
# All programs test/NAMEtest.c of the core, and those that can take a sample.
C_TESTS := $(shell . test/machine.sh && echo $$core_tests)
SAMPLED := $(patsubst %,build/%test-sanitized,$(filter-out mojibake mojibaketables model kernel,$(C_TESTS)))
check-core-all: $(SAMPLED) ## the core's programs under ASan and UBSan, with every case
	@$(PYTHON) tool/form.py --tests
	@sh test/run.sh $(SAMPLED)
SUITES += charset
check-charset: build/charsettest build/charsettest-sanitized ## the charsets agree with a second definition, also under ASan and UBSan
	@sh test/run.sh 'UTF8EXT_KERNEL=scalar $<' 'CTEST_QUICK=1 UTF8EXT_KERNEL=avx2 $<' \
	  'CTEST_QUICK=1 $<-sanitized'
MOJIBAKE_TESTS := build/mojibaketest build/mojibaketablestest
SUITES += mojibake
check-mojibake: $(MOJIBAKE_TESTS) $(MOJIBAKE_TESTS:%=%-sanitized) ## misread text is found and repaired, also under ASan and UBSan
	@sh test/run.sh $(MOJIBAKE_TESTS) $(MOJIBAKE_TESTS:%=%-sanitized)
SUITES += mojibake-tables
check-mojibake-tables: ## the generated tables of mojibake/, and of its pairs in core/simd/, are what tool/mojibake/ writes
	@sh test/run.sh '$(PYTHON) tool/mojibake/tables.py --check' '$(PYTHON) tool/mojibake/pairs.py --check'
LAB += mojibake-bounds
check-mojibake-bounds: $(EXTENSION) ## real text is left alone or restored as often as before (needs apt, pip)
	@$(PYTHON) tool/mojibake/bounds.py
SUITES += suspect
check-suspect: build/suspecttest build/suspecttest-sanitized ## suspicious code points agree with a second definition, also under ASan and UBSan
	@sh test/run.sh 'UTF8EXT_KERNEL=scalar $<' 'CTEST_QUICK=1 $<-sanitized'
SUITES += suspect-tables
check-suspect-tables: ## suspect/table.h is what tool/suspect.py writes (needs npm)
	@$(PYTHON) tool/suspect.py --check
FORM_TESTS := build/formtest build/cleantest
SUITES += form
check-form: $(FORM_TESTS) $(FORM_TESTS:%=%-sanitized) | build ## normalization and folding agree with Unicode's tests, also under ASan and UBSan (needs npm, pip)
	@$(PYTHON) tool/form.py --tests
	@sh test/run.sh $(FORM_TESTS) $(FORM_TESTS:%='CTEST_QUICK=1 %-sanitized')
SUITES += form-tables
check-form-tables: ## the tables of form/ are what tool/form.py writes (needs npm, pip)
	@$(PYTHON) tool/form.py --check
SUITES += model
check-model: build/modeltest build/modeltest-sanitized ## evidence about legacy charsets adds up, also under ASan and UBSan
	@sh test/run.sh '$<' $<-sanitized
SUITES += detect-tables
check-detect-tables: ## detect/tables/model.h is what tool/detect/tables.py writes, and lexicon.h has its letters
	@sh test/run.sh '$(PYTHON) tool/detect/tables.py --check' '$(PYTHON) tool/detect/lexicon.py --check'
SUITES += arrow
ARROW_TESTS := build/arrowtest build/arrowmemorytest
check-arrow: $(ARROW_TESTS) $(ARROW_TESTS:%=%-sanitized) ## the functions over columns in Arrow, hostile arrays and failing memory, also under ASan and UBSan
	@sh test/run.sh $(ARROW_TESTS:%='UTF8EXT_KERNEL=scalar %') $(ARROW_TESTS:%=%-sanitized)
SUITES += arrow-engines
check-arrow-engines: $(EXTENSION) ## utf8ext.arrow in pyarrow, pandas, Polars and DuckDB gives what SQL gives (needs pip)
	@PYTHON='$(PYTHON)' sh test/arrow.sh
LAB += arrow-spark
check-arrow-spark: $(EXTENSION) ## the same on a cluster of Spark, a master and two workers (needs pip, java)
	@PYTHON='$(PYTHON)' sh test/arrow.sh spark
SUITES += legacy
check-legacy: build/legacytest build/legacytest-sanitized ## the legacy charsets' contract, also under ASan and UBSan
	@sh test/run.sh 'UTF8EXT_KERNEL=scalar $<' 'CTEST_QUICK=1 $<-sanitized'
SUITES += stream
check-stream: build/streamtest build/streamtest-sanitized ## text in pieces is converted as a whole, also under ASan and UBSan
	@sh test/run.sh $< 'CTEST_QUICK=1 $<-sanitized'
LAB += stack
check-stack: build/stacktest ## the headers say how much of the stack functions take
	@sh test/stack.sh build/stacktest
build/stacktest: test/stacktest.c $(LIBRARY)
	$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o $@ $^ $(LDFLAGS) -lpthread
LAB += arrow-limits
check-arrow-limits: $(EXTENSION) ## columns of more than 2 GB in pyarrow (8 GB of memory; needs pip)
	@ARROW_LIMITS=full ARROW_ONLY=pyarrow_large PYTHON='$(PYTHON)' sh test/arrow.sh
LAB += threads
check-threads: | build ## threads load, call, audit and close at once, under ThreadSanitizer
	@echo 'int main(void) { return 0; }' | $(CC) -fsanitize=thread -x c -o build/tsan - 2>/dev/null && build/tsan || \
	  { echo "SKIPPED: threads: $(CC) has no ThreadSanitizer"; echo "0 passed, 0 failed"; exit 0; }; \
	$(MAKE) -s build/threads/$(EXTENSION) && build/threadstest $(abspath build/threads/$(EXTENSION))
build/threads/$(EXTENSION): $(SOURCES:%.c=build/threads/%.o) test/threadstest.c
	$(CC) -fsanitize=thread -shared $(LINK_$(DL)) -o $@ $(filter %.o,$^) $(LDFLAGS)
	$(CC) -std=c11 -O1 -g1 -fsanitize=thread $(CPPFLAGS) -I. -o build/threadstest test/threadstest.c $(LDFLAGS) -lsqlite3 -lpthread
build/threads/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -g1 -fPIC -fvisibility=hidden -fsanitize=thread $(CPPFLAGS) -I. -c -o $@ $<
# For all tests together, each file of the core is compiled once plain, and each file of the
# extension once sanitized.
CORE_SANITIZED := $(CORE:%.c=build/sanitized/%.o)
ALL_SANITIZED := $(SOURCES:%.c=build/sanitized/%.o)
build/sanitized/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=c11 -O1 -fPIC -fvisibility=hidden $(CPPFLAGS) -I. $(SANITIZE) -c -o $@ $<
build/%test.o: test/%test.c test/ctest.h test/words.h test/arrows.h test/abnf.h test/charsets.h test/uax15.h test/codeset.h $(HEADERS) | build
	$(CC) -std=c11 -O2 $(CPPFLAGS) -I. -c -o $@ $<
build/%test: build/%test.o $(CORE_OBJECTS)
	$(CC) $(WRAP) -o $@ $^
build/%test-sanitized: build/%test.o $(CORE_SANITIZED)
	$(CC) $(SANITIZE) $(WRAP) -o $@ $^
build/arrowmemorytest build/arrowmemorytest-sanitized: WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
.SECONDARY: $(CORE_OBJECTS) $(ALL_SANITIZED)

SUITES += layers
check-layers: $(ALL_SANITIZED) ## no file includes a header of a layer above its own, or uses what one defines
	@OBJECTS=build/sanitized sh test/layers.sh

SUITES += kernels
check-kernels: build/kerneltest build/kerneltest-sanitized ## every kernel that runs here agrees with the decoder step
	@sh test/run.sh 'build/kerneltest quick' 'build/kerneltest-sanitized quick'
DEEP += kernels-all
check-kernels-all: build/kerneltest ## check-kernels with more texts
	@build/kerneltest

LAB += strict
check-strict: | build ## without GNU C, the core is C11 without extensions
	@$(PYTHON) tool/form.py --tests
	@CORE='$(CORE)' sh test/strict.sh

SUITES += rows
check-rows: ## the generated tables of core/simd/ are those that tool/rows.py writes
	@$(PYTHON) tool/rows.py --check

SUITES += names
check-names: ## docs/functions.md has the names of charset/names.h, and kinds.json its kinds
	@$(PYTHON) tool/names.py --check

SUITES += charset-tables
check-charset-tables: ## utf8charsets.h and charset/ are what tool/charsets.py writes
	@$(PYTHON) tool/charsets.py --check
LAB += marc8-table
check-marc8-table: ## charset/legacy/tables/marc8.h is what tool/marc8.py writes
	@$(PYTHON) tool/marc8.py --check

LAB += noavx
check-noavx: build/kerneltest ## on older processors (qemu), the kernel chosen is one that they run
	@sh test/noavx.sh

LAB += avx512
check-avx512: ## the AVX-512 kernel, with its intrinsics emulated
	@sh test/avx512.sh

LAB += neon
check-neon: ## the arm64 kernel, cross-compiled and run by qemu
	@sh test/neon.sh

test-mingw: $(EXTENSION) ## utf8ext.dll and the core's tests, compiled by mingw-w64 and run by wine
	@$(PYTHON) tool/form.py --tests
	@CORE='$(CORE)' sh test/mingw.sh
.PHONY: test-mingw

LAB += wordsize
check-wordsize: ## the core's tests on 32-bit (i686) and big-endian (s390x, run by qemu)
	@$(PYTHON) tool/form.py --tests
	@CORE='$(CORE)' SANITIZE='$(SANITIZE)' sh test/wordsize.sh

TCL_TESTS := $(wildcard test/*.test)
# The tests whose answers depend on SQLite. No version of SQLite changes those of the others, and the core's
# own tests run under the sanitizers. chunks and limits are slow.
SQL_TESTS := $(filter-out $(patsubst %,test/%.test,cause charset checklist chunks codepoints detect dialects error grammar \
  legacy limits mojibake policies repair valid vectors),$(TCL_TESTS))
SUITES += tcl
check-tcl: $(EXTENSION) ## test/*.test, each under plain tclsh
	@sh test/run.sh $(TCL_TESTS:%='$(TCLSH) -encoding utf-8 %')
LAB += limits
check-limits: $(EXTENSION) build/longtest ## values of 10^9 bytes in SQL (3 GB of memory), text of over 2^32 in the core
	@LIMITS=full TEST_OUTPUT=build/limits sh test/run.sh '$(TCLSH) -encoding utf-8 test/limits.test' build/longtest

# The other tests of utf8_audit run the code that auditundo.test does, which takes 10 s here.
SUITES += sanitized
SANITIZED := build/sanitized/$(EXTENSION)
SANITIZED_TESTS := $(filter-out test/auditundo.test,$(SQL_TESTS))
OVER_READ := build/sanitized/overread.$(DL)
check-sanitized: $(SANITIZED) $(OVER_READ) ## the Tcl tests of SQL's own code with the extension under ASan and UBSan
	@sh test/sanitized.sh $^ $(SANITIZED_TESTS)
LAB += sanitized-all
check-sanitized-all: $(SANITIZED) $(OVER_READ) ## the Tcl tests that check-sanitized leaves out, limits.test apart
	@sh test/sanitized.sh $^ $(filter-out $(SANITIZED_TESTS) test/limits.test,$(TCL_TESTS))
$(SANITIZED): $(ALL_SANITIZED)
	$(CC) $(SANITIZE) -shared -o $@ $^ $(LDFLAGS)
$(OVER_READ): test/overread.c | build/sanitized
	$(CC) -std=c11 -O1 -fPIC $(CPPFLAGS) $(SANITIZE) -shared -o $@ $< $(LDFLAGS)

SUITES += versions
check-versions: $(EXTENSION) ## the Tcl tests that depend on SQLite on 3.31.1 and the newest (needs npm)
	@TESTS='$(SQL_TESTS)' sh test/versions.sh 3.31.1 newest
DEEP += versions-all
check-versions-all: $(EXTENSION) ## the tests of check-versions on 3.53.2, a version in between (needs npm)
	@TESTS='$(SQL_TESTS)' sh test/versions.sh 3.53.2

test-versions: $(EXTENSION) ## test/*.test on every version in test/sqlite.sh and the system's (minutes; needs npm)
	@TESTS='$(TCL_TESTS)' sh test/versions.sh

SUITES += demo
check-demo: $(EXTENSION) ## the demo finds and repairs the known errors of its file
	@sh test/demo.sh
LAB += demo-all
check-demo-all: $(EXTENSION) ## the demo, also with files in all charsets of test/demo.sh
	@DEMO_ALL=1 sh test/demo.sh

SUITES += docs
check-docs: $(EXTENSION) ## the examples of docs/ give the output printed there
	@$(PYTHON) test/docs.py test/conformance.md test/README.md tool/detect/rates.md $(filter-out docs/command.md docs/import.md,$(wildcard docs/*.md)) # those: check-package-python

LAB += python
check-python: $(EXTENSION) ## utf8ext agrees with Python's decoders on many short inputs
	@sh test/judges/run.sh python

LAB += python-charset
check-python-charset: $(EXTENSION) ## utf8_from and utf8_to agree with Python's codecs
	@$(PYTHON) test/judges/charset.py

SUITES += unescape
check-unescape: $(EXTENSION) ## utf8_unescape agrees with Python's html.unescape on all references
	@$(PYTHON) test/judges/unescape.py
LAB += html5lib
check-html5lib: $(EXTENSION) ## utf8_unescape agrees with html5lib's tests of character references (needs pip)
	@$(PYTHON) test/judges/unescape.py --html5lib
SUITES += clean-tables
check-clean-tables: ## clean/tables/clean.h and html.h are what tool/clean.py writes
	@$(PYTHON) tool/clean.py --check

SUITES += closest-table
check-closest-table: ## form/tables/closest.h is what tool/closest.py writes
	@$(PYTHON) tool/closest.py --check

LAB += form-judges
check-form-judges: $(EXTENSION) ## normalization and folding agree with unicodedata2, Python and Node's ICU (needs pip)
	@$(PYTHON) test/judges/form.py

LAB += ftfy
check-ftfy: $(EXTENSION) ## utf8_clean(X, 'ftfy') agrees with ftfy, and clean text stays as it is (needs pip, apt)
	@$(PYTHON) test/judges/clean.py

LAB += legacy-judges
check-legacy-judges: | build ## the legacy charsets agree with encoding_rs, Python, Node and iconv (needs cargo)
	@CORE='$(CORE)' PYTHON='$(PYTHON)' sh test/judges/legacy.sh

LAB += stateful-judges
check-stateful-judges: | build ## the charsets with states agree with Python, iconv and a second definition
	@CORE='$(CORE)' PYTHON='$(PYTHON)' sh test/judges/legacy.sh stateful

test-judges: $(EXTENSION) ## utf8ext agrees with the decoders of Python, Go, Java, Node and Perl
	@sh test/run.sh 'sh test/judges/run.sh' '$(PYTHON) test/judges/charset.py --all'

SUITES += load
check-load: $(EXTENSION) | build ## an SQLite that is too old or broken gets a clear message, not a crash
	@$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o build/loadtest test/loadtest.c $(LDFLAGS) -lsqlite3 -ldl
	@build/loadtest ./$(EXTENSION)

SUITES += calls
check-calls: $(EXTENSION) | build ## each call of SQLite that can fail fails in turn
	@$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o build/callstest test/callstest.c $(LDFLAGS) -lsqlite3 -ldl
	@build/callstest ./$(EXTENSION)

SUITES += answers
check-answers: $(EXTENSION) ## the exact functions answer 100,000 values as version 2.0.0 did
	@$(PYTHON) tool/answers.py --check ./$(EXTENSION)
SUITES += reads
check-reads: $(EXTENSION) build/readstest ## utf8_audit names every row while reads fail: a sample of the orders of failures
	@build/readstest ./$(EXTENSION) quick
DEEP += reads-all
check-reads-all: $(EXTENSION) build/readstest ## check-reads with every order (minutes)
	@build/readstest ./$(EXTENSION)
build/readstest: test/readstest.c test/statements.h test/sqliteapi.h | build
	$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o $@ $< $(LDFLAGS) -lsqlite3 -ldl

# With chunks of 64 bytes, a short value is as long as any.
SUITES += interrupt
CHUNKED := build/chunks/$(EXTENSION)
check-interrupt: $(EXTENSION) $(CHUNKED) ## an interrupt inside a value ends each function, and chunks change no result
	@$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o build/interrupttest test/interrupttest.c $(LDFLAGS) -lsqlite3 -ldl
	@build/interrupttest ./$(EXTENSION) $(CHUNKED)
$(CHUNKED): $(filter-out $(CORE),$(SOURCES)) $(CORE_OBJECTS) $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 $(PIC) -fvisibility=hidden $(CFLAGS) $(CPPFLAGS) -DUTF8_CHUNK=64 -I. -shared $(LINK_$(DL)) -o $@ $(filter %.c %.o,$^) $(LDFLAGS)

LAB += columns
check-columns: $(EXTENSION) ## utf8_audit under auto restores as many cells of unseen tables as its bounds say (needs pip)
	@$(PYTHON) tool/detect/columns.py

LAB += encoding
check-encoding: | build ## the build for SQLite 3.31, which cannot return a value's encoding
	@sh test/encoding.sh

SUITES += static
check-static: | build ## a program can link it with -DSQLITE_CORE
	@$(CC) -std=c11 $(CFLAGS) -O0 $(CPPFLAGS) -DSQLITE_CORE -I. -o build/static test/static.c $(SOURCES) $(LDFLAGS) -lsqlite3
	@build/static

LAB += linear
check-linear: build/linear ## the work for a value is proportional to its length, whatever its errors
	@build/linear
build/linear: test/linear.c $(SOURCES:%.c=build/counted/%.o)
	$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -DSQLITE_CORE -I. -o $@ $^ $(LDFLAGS) -lsqlite3
build/counted/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -DSQLITE_CORE "-DUTF8_CHUNK=((size_t)1<<16)" -fsanitize-coverage=trace-pc -c -o $@ $<

SUITES += amalgamation
check-amalgamation: $(EXTENSION) ## the amalgamation compiles alone, as an extension and into a program
	@PYTHON='$(PYTHON)' sh test/amalgamation.sh
LAB += omit
check-omit: $(EXTENSION) ## builds without each part load, answer, and say what they lack
	@PYTHON='$(PYTHON)' sh test/omit.sh
DEEP += amalgamation-all
check-amalgamation-all: $(EXTENSION) ## check-amalgamation, and its extension passes the Tcl tests that depend on SQLite
	@PYTHON='$(PYTHON)' TESTS='$(SQL_TESTS)' sh test/amalgamation.sh full

SUITES += conformance
check-conformance: $(EXTENSION) ## a test that passed shows each statement of test/conformance.md
	@MAKE='$(MAKE)' $(PYTHON) tool/conformance.py

LAB += detection
check-detection: $(EXTENSION) ## the rates of correct answers in tool/detect/rates.md hold
	@$(PYTHON) tool/detect/rates.py --check

LAB += causes
check-causes: $(EXTENSION) ## causes of damaged and legacy text that no table was made with (needs apt, pip, npm)
	@$(PYTHON) tool/detect/causes.py --check

SUITES += install
check-install: $(EXTENSION) ## install and uninstall, staged under build/
	@sh test/install.sh

SUITES += lib
check-lib: $(LIBRARY) ## the core installs as a library, and the program in docs/core.md runs in C and C++
	@sh test/lib.sh

LAB += cluster
check-cluster: $(EXTENSION) ## three rqlite nodes with different kernels hold equal bytes (needs rqlited or go)
	@PYTHON='$(PYTHON)' sh test/cluster.sh

LAB += clients
check-clients: $(EXTENSION) ## clients in seven languages meet ill-formed text, load utf8ext and repair it
	@sh test/clients/run.sh shell python perl php ruby tcl node
test-clients: $(EXTENSION) ## all clients of test/clients, or CLIENTS='apsw bun' (minutes; needs pip, npm, cargo, go, mvn)
	@sh test/clients/run.sh $(CLIENTS)
.PHONY: test-clients
SUITES += clients-docs
check-clients-docs: ## docs/clients.md has the results and the lines of test/clients
	@$(PYTHON) tool/clients.py --check

SUITES += csv
check-csv: ## the page for browsers reads CSV files as the command does (needs node)
	@sh test/csv.sh
SUITES += setup
check-setup: ## setup.sh chooses the right package manager and command
	@sh test/setup.sh

# Each target compares the core with a second definition, under every kernel.
FUZZ_TIME ?= 60
FUZZ_TARGETS := core repair charset loss detect cause mojibake suspect clean form arrow
FUZZ_OBJECTS := $(CORE:%.c=build/fuzz/%.o)
LAB += fuzz
check-fuzz: ## libFuzzer (clang) for 10 seconds per target, from a fixed seed
	@MAKE='$(MAKE)' FUZZ_TIME=10 FUZZ_SEED=1 sh test/fuzz.sh $(FUZZ_TARGETS)
fuzz: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) ## libFuzzer (clang) for FUZZ_TIME=60 seconds per target
	@MAKE='$(MAKE)' FUZZ_TIME=$(FUZZ_TIME) sh test/fuzz.sh $(FUZZ_TARGETS)
fuzz-corpus: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) ## keep what make fuzz has found, minimized, in fuzz/corpus
	@MAKE='$(MAKE)' sh test/fuzz.sh pack $(FUZZ_TARGETS)
.PHONY: fuzz-corpus
build/fuzz/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	clang -std=c11 -O2 $(SANITIZE),fuzzer-no-link $(CPPFLAGS) -I. -c -o $@ $<
build/fuzz/fuzz_%: fuzz/fuzz_%.c fuzz/fuzz.h test/abnf.h test/words.h test/arrows.h test/charsets.h $(FUZZ_OBJECTS)
	clang -std=c11 -O2 $(SANITIZE),fuzzer $(CPPFLAGS) -I. -o $@ $< $(FUZZ_OBJECTS)
.SECONDARY: $(FUZZ_OBJECTS)

FUZZ_SQL := MAKE='$(MAKE)' CORE='$(CORE_SANITIZED)' sh fuzz/sql.sh
fuzz-sql: $(CORE_SANITIZED) ## random queries on three versions of SQLite for FUZZ_TIME=60 seconds per target
	@$(FUZZ_SQL) $(FUZZ_TIME) '3.31.1 system newest'
.PHONY: fuzz-sql
LAB += fuzz-sql
check-fuzz-sql: $(CORE_SANITIZED) ## random queries for 30 seconds in all, from a fixed seed
	@$(FUZZ_SQL) 10 '3.31.1 3.53.2' 1

fuzz-python: $(EXTENSION) ## random files for import, and random choices about unclear values, for FUZZ_TIME=60 seconds each
	@PYTHON='$(PYTHON)' sh fuzz/python.sh $(FUZZ_TIME)
.PHONY: fuzz-python
LAB += fuzz-python
check-fuzz-python: $(EXTENSION) ## fuzz-python for 10 seconds each, from a fixed seed
	@PYTHON='$(PYTHON)' sh fuzz/python.sh 10 1

EXHAUSTIVE := build/exhaustivetest build/coretest build/charsettest build/legacytest build/formtest
exhaustive: $(EXHAUSTIVE) ## all strings of four bytes, code points and pairs of marks (long)
	@$(PYTHON) tool/form.py --tests
	@JOBS=$(JOBS) sh test/run.sh $(foreach what,0 1 pairs,'build/exhaustivetest $(what)') $(filter-out %exhaustivetest,$(EXHAUSTIVE))
LAB += mcdc
check-mcdc: ## each condition of the decoder step matters (needs clang 18 or later)
	@sh test/mcdc.sh
coverage: ## lines and branches of the C code that make test runs (long; needs gcc, apt, npm, pip)
	@PYTHON='$(PYTHON)' sh test/coverage.sh
MUTATIONS ?= 60
mutation: ## change one place of the sources at a time: do the tests notice? MUTATIONS=60 (long; resumable)
	@$(PYTHON) tool/mutation.py --count $(MUTATIONS)
.PHONY: exhaustive coverage mutation

VALGRIND := valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite
test-valgrind: $(EXTENSION) ## test/*.test under valgrind (slow)
	@UNDER_VALGRIND=1 sh test/run.sh $(TCL_TESTS:%='$(VALGRIND) $(TCLSH) -encoding utf-8 %')

test-msan: ## the core's tests and each function under MemorySanitizer (minutes; needs clang)
	@$(PYTHON) tool/form.py --tests
	@CORE='$(CORE)' sh test/msan.sh
.PHONY: test-msan

SUITES += faults
check-faults: $(EXTENSION) build/faulttest ## each allocation fails in turn, each step is interrupted, on three versions of SQLite (needs apt, npm)
	@sh test/run.sh 'sh test/testfixture.sh test/fault/*.test' \
	  'LD_LIBRARY_PATH=$$(sh test/sqlite.sh 3.31.1) build/faulttest ./$(EXTENSION) quick' \
	  'LD_LIBRARY_PATH=$$(sh test/sqlite.sh newest) build/faulttest ./$(EXTENSION) quick'
DEEP += faults-all
check-faults-all: $(SANITIZED) build/faulttest ## check-faults under ASan and UBSan, with all charsets and UTF-16be
	@sh test/run.sh 'build/faulttest-sanitized $(SANITIZED)'
build/faulttest: test/faulttest.c test/faultrun.h test/statements.h test/sqliteapi.h | build
	$(CC) -std=c11 $(CFLAGS) $(CPPFLAGS) -I. -o $@ $< $(LDFLAGS) -lsqlite3 -ldl
	$(CC) -std=c11 $(SANITIZE) $(CPPFLAGS) -I. -o $@-sanitized $< $(LDFLAGS) -lsqlite3 -ldl
LAB += testfixture
check-testfixture: $(EXTENSION) ## the Tcl tests that depend on SQLite in its own harness, which counts what is allocated (needs apt)
	@sh test/testfixture.sh $(SQL_TESTS)

test-programs: $(EXTENSION) $(LIBRARY) $(SANITIZED) $(OVER_READ) \
  $(foreach name,$(C_TESTS),build/$(name)test build/$(name)test-sanitized)

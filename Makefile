# moccasin: build, demo, tests.  `make help` lists the targets.

CC      ?= cc
BUILD   ?= build/release
PREFIX  ?= /usr/local
DESTDIR ?=
CFLAGS  ?= -O3 -g -DNDEBUG
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
           -Wstrict-prototypes
ALLFLAGS = $(WARN) -I. -pthread $(CFLAGS)
VERSION := 0.1.0
ABI     := 0
DEST     = $(DESTDIR)$(PREFIX)
COMPLETIONS = $(DEST)/share/bash-completion/completions/moccasin \
  $(DEST)/share/zsh/site-functions/_moccasin \
  $(DEST)/share/fish/vendor_completions.d/moccasin.fish
DEMO     = resnet50-training.json

LIB_SRC  := $(wildcard solver/base/*.c graphs/*.c solver/cp/*.c model/*.c \
              heuristics/*.c solver/*.c)
CLI_SRC  := $(wildcard solver/cli/*.c)
EXAMPLE_SRC := $(wildcard solver/cp/examples/*.c)
TEST_SRC := $(wildcard tests/*.c) \
            $(filter-out %/main.c,$(EXAMPLE_SRC))
FUZZ_SRC := $(wildcard tests/fuzz_*.c)
FUZZERS  := $(patsubst tests/%.c,%,$(FUZZ_SRC))
FUZZ_AID := $(wildcard tests/oracle.c \
              tests/round_trip.c tests/cp_*.c)
SECONDS  ?= 60
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
CLI_OBJ  := $(call objects,$(filter-out solver/cli/main.c,$(CLI_SRC)))
LIB_OBJ  := $(call objects,$(LIB_SRC))

.PHONY: all demo examples test asan tsan check-criterion bench bench-quick \
        fuzz clean install uninstall help

all: $(BUILD)/moccasin $(BUILD)/libmoccasin.so.$(ABI) \
     $(BUILD)/moccasin.pc ## build everything

demo: ## solve a shipped training graph and show the result
	@$(MAKE) --no-print-directory -j2 $(BUILD)/moccasin
	@$(BUILD)/moccasin solve graphs/samples/$(DEMO) --budget 80% \
	  --time-limit 10 -o $(BUILD)/demo.json
	@$(BUILD)/moccasin plot graphs/samples/$(DEMO) $(BUILD)/demo.json \
	  -o $(BUILD)/demo.svg --report $(BUILD)/demo.html
	@echo "schedule: $(BUILD)/demo.json   picture: $(BUILD)/demo.svg" \
	  "  report: $(BUILD)/demo.html"

$(BUILD)/libmoccasin.a: $(LIB_OBJ)
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/libmoccasin.so.$(ABI): $(LIB_OBJ) solver/moccasin.map
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) -shared -Wl,-soname,libmoccasin.so.$(ABI) \
	  -Wl,--version-script=solver/moccasin.map -o $@ $(LIB_OBJ) -lm

$(BUILD)/moccasin: $(call objects,$(CLI_SRC)) $(BUILD)/libmoccasin.a
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lm

examples: $(BUILD)/examples ## two textbook problems on the engine

$(BUILD)/examples: $(call objects,$(EXAMPLE_SRC)) $(BUILD)/libmoccasin.a
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/tests/run: $(call objects,$(TEST_SRC) tests/runner/main.c) $(CLI_OBJ) \
                    $(BUILD)/libmoccasin.a
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion -lm

# The program with faults to be caught (tests/faulty).
WRAP := -Wl,--wrap=schedule_baseline,--wrap=board_count,--wrap=moccasin_verify
$(BUILD)/tests/faulty-moccasin: $(call objects,$(CLI_SRC) \
                                  tests/faulty/faulty.c) $(BUILD)/libmoccasin.a
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) $(WRAP) -o $@ $^ -lm

# The same tests in one process, for ThreadSanitizer (tests/plain).
$(BUILD)/tests/run-plain: $(call objects,$(TEST_SRC) tests/plain/main.c) \
                      $(CLI_OBJ) $(BUILD)/libmoccasin.a
	@echo "  LD   $@"
	@$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(ALLFLAGS) -DMOCCASIN_VERSION='"$(VERSION)"' -fPIC -MMD -MP -c \
	  -o $@ $<

-include $(patsubst %.c,$(BUILD)/%.d,$(LIB_SRC) $(CLI_SRC) $(TEST_SRC) \
           $(EXAMPLE_SRC))

# The tests need Criterion: installed when missing and when we may.
check-criterion:
	@tests/need-criterion.sh "$(CC)"

test: check-criterion ## build and run all tests (installs Criterion if need be)
	@$(MAKE) --no-print-directory -j2 $(BUILD)/moccasin $(BUILD)/tests/run \
	  $(BUILD)/tests/faulty-moccasin
	@MOCCASIN=$(BUILD)/moccasin $(BUILD)/tests/run $(TESTFLAGS)

# Criterion passes a test whose process only leaks at its end, so reports are
# looked for as files.
ASAN_REPORT = $(CURDIR)/build/asan/report
asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@rm -f $(ASAN_REPORT).*
	@ASAN_OPTIONS=log_path=$(ASAN_REPORT) \
	  $(MAKE) --no-print-directory test BUILD=build/asan \
	  CFLAGS="-O1 -g -fsanitize=address,undefined \
	  -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	@if ls $(ASAN_REPORT).* >/dev/null 2>&1; then \
	  cat $(ASAN_REPORT).*; exit 1; fi

tsan: ## the tests and portfolio runs of every sample under ThreadSanitizer
	@$(MAKE) --no-print-directory -j2 build/tsan/moccasin build/tsan/tests/run-plain \
	  BUILD=build/tsan \
	  CFLAGS="-O1 -g -fsanitize=thread -isystem tests/plain"
	@tests/run-tsan.sh build/tsan

bench: all ## the measured table, 5 seeds, half an hour: bench/README.md
	@MOCCASIN=$(BUILD)/moccasin bench/run.sh table --seeds 5
	@MOCCASIN=$(BUILD)/moccasin bench/run.sh timings

bench-quick: all ## our figures on the published instances, < 3 minutes
	@MOCCASIN=$(BUILD)/moccasin bench/run.sh quick

# Each tests/fuzz_NAME.c defines `int fuzz_NAME(const uint8_t *, size_t)`, which
# the tests replay over tests/cases/NAME and libFuzzer drives here.
fuzz: ## coverage-guided fuzzing, SECONDS=60 in all (needs clang)
	@$(MAKE) --no-print-directory -j2 BUILD=build/fuzz CC=clang \
	  CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined \
	  -fno-sanitize-recover=undefined" \
	  $(addprefix build/fuzz/,$(FUZZERS))
	@tests/run-fuzz.sh build/fuzz $(SECONDS) $(FUZZERS)

$(BUILD)/fuzz_%: tests/fuzz_%.c $(call objects,$(FUZZ_AID)) $(CLI_OBJ) \
                 $(BUILD)/libmoccasin.a
	$(CC) $(ALLFLAGS) -fsanitize=fuzzer -Dfuzz_$*=LLVMFuzzerTestOneInput \
	  -o $@ $^ -lm

$(BUILD)/moccasin.pc: Makefile
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' \
	  'includedir=$${prefix}/include' '' 'Name: moccasin' \
	  'Description: tensor rematerialization within a memory budget' \
	  'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	  'Libs: -L$${libdir} -lmoccasin' 'Libs.private: -lm -pthread' >$@

install: all ## program, libraries, header, manual, completions into PREFIX
	install -d $(DEST)/bin $(DEST)/lib/pkgconfig $(DEST)/include \
	  $(DEST)/share/man/man1 $(dir $(COMPLETIONS))
	install -m 755 $(BUILD)/moccasin $(DEST)/bin/moccasin
	install -m 644 $(BUILD)/libmoccasin.a $(DEST)/lib/libmoccasin.a
	install -m 755 $(BUILD)/libmoccasin.so.$(ABI) $(DEST)/lib/
	ln -sf libmoccasin.so.$(ABI) $(DEST)/lib/libmoccasin.so
	install -m 644 solver/moccasin.h $(DEST)/include/moccasin.h
	sed 's|^prefix=.*|prefix=$(PREFIX)|' $(BUILD)/moccasin.pc \
	  >$(DEST)/lib/pkgconfig/moccasin.pc
	install -m 644 solver/cli/moccasin.1 $(DEST)/share/man/man1/
	install -m 644 solver/cli/completions/moccasin.bash \
	  $(word 1,$(COMPLETIONS))
	install -m 644 solver/cli/completions/_moccasin $(word 2,$(COMPLETIONS))
	install -m 644 solver/cli/completions/moccasin.fish \
	  $(word 3,$(COMPLETIONS))

uninstall: ## remove what install put into PREFIX
	rm -f $(DEST)/bin/moccasin $(DEST)/lib/libmoccasin.a \
	  $(DEST)/lib/libmoccasin.so $(DEST)/lib/libmoccasin.so.$(ABI) \
	  $(DEST)/include/moccasin.h $(DEST)/lib/pkgconfig/moccasin.pc \
	  $(DEST)/share/man/man1/moccasin.1 $(COMPLETIONS)

clean: ## remove everything built
	rm -rf build

help: ## this list
	@sed -e ':a' -e '/\\$$/N' -e 's/\\\n//' -e 'ta' Makefile | \
	  sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' | \
	  awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

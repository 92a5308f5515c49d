# moccasin: build, demo, tests.  `make help` lists the targets.

CC      ?= cc
BUILD   ?= build/release
PREFIX  ?= /usr/local
DESTDIR ?=
CFLAGS  ?= -O2 -g -DNDEBUG
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
           -Wstrict-prototypes
ALLFLAGS = $(WARN) -I. -pthread $(CFLAGS)
VERSION := 0.1.0
ABI     := 0

LIB_SRC  := $(wildcard solver/base/*.c graphs/*.c solver/cp/*.c model/*.c \
              heuristics/*.c solver/*.c)
CLI_SRC  := $(wildcard solver/cli/*.c)
TEST_SRC := $(wildcard tests/*.c)
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
CLI_OBJ  := $(call objects,$(filter-out solver/cli/main.c,$(CLI_SRC)))
LIB_OBJ  := $(call objects,$(LIB_SRC))

.PHONY: all demo test asan tsan check-criterion bench bench-quick fuzz clean \
        install uninstall help

all: $(BUILD)/moccasin $(BUILD)/libmoccasin.so.$(ABI) ## build everything

$(BUILD)/libmoccasin.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/libmoccasin.so.$(ABI): $(LIB_OBJ)
	$(CC) $(ALLFLAGS) $(LDFLAGS) -shared -Wl,-soname,libmoccasin.so.$(ABI) \
	  -o $@ $^ -lm

$(BUILD)/moccasin: $(call objects,$(CLI_SRC)) $(BUILD)/libmoccasin.a
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/tests/run: $(call objects,$(TEST_SRC)) $(CLI_OBJ) \
                    $(BUILD)/libmoccasin.a
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion -lm

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) -DMOCCASIN_VERSION='"$(VERSION)"' -fPIC -MMD -MP -c \
	  -o $@ $<

-include $(patsubst %.c,$(BUILD)/%.d,$(LIB_SRC) $(CLI_SRC) $(TEST_SRC))

# The tests need Criterion: installed when missing and when we may.
check-criterion:
	@tests/need-criterion.sh "$(CC)"

test: check-criterion ## build and run all tests (installs Criterion if need be)
	@$(MAKE) --no-print-directory -j2 $(BUILD)/moccasin $(BUILD)/tests/run
	@MOCCASIN=$(BUILD)/moccasin $(BUILD)/tests/run $(TESTFLAGS)

asan: ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory test BUILD=build/asan \
	  CFLAGS="-O1 -g -fsanitize=address,undefined \
	  -fno-sanitize-recover=undefined -fno-omit-frame-pointer"

tsan: ## the tests under ThreadSanitizer
	@$(MAKE) --no-print-directory test BUILD=build/tsan \
	  CFLAGS="-O1 -g -fsanitize=thread"

bench: all ## the measured tables (peers too, if installed): bench/README.md
	@MOCCASIN=$(BUILD)/moccasin bench/run.sh table

bench-quick: all ## our figures on the published instances, < 3 minutes
	@MOCCASIN=$(BUILD)/moccasin bench/run.sh quick

clean: ## remove everything built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | \
	  awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

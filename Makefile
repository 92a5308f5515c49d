# moccasin: build, demo, tests.  `make help` lists the targets.

CC      ?= cc
BUILD   ?= build/release
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g -DNDEBUG
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
           -Wstrict-prototypes
ALLFLAGS = $(WARN) -I. -pthread $(CFLAGS)

LIB_SRC  := $(wildcard solver/base/*.c graphs/*.c solver/cp/*.c model/*.c \
              heuristics/*.c solver/*.c)
CLI_SRC  := $(wildcard solver/cli/*.c)
TEST_SRC := $(wildcard tests/*.c)
objects   = $(patsubst %.c,$(BUILD)/%.o,$(1))
CLI_OBJ  := $(call objects,$(filter-out solver/cli/main.c,$(CLI_SRC)))

all: $(BUILD)/moccasin

$(BUILD)/libmoccasin.a: $(call objects,$(LIB_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/moccasin: $(call objects,$(CLI_SRC)) $(BUILD)/libmoccasin.a
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(BUILD)/tests/run: $(call objects,$(TEST_SRC)) $(CLI_OBJ) \
                    $(BUILD)/libmoccasin.a
	$(CC) $(ALLFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion -lm

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) -fPIC -MMD -MP -c -o $@ $<

-include $(patsubst %.c,$(BUILD)/%.d,$(LIB_SRC) $(CLI_SRC) $(TEST_SRC))

clean:
	rm -rf build

.PHONY: all clean

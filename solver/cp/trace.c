/* Readable events: what is pushed, by which rule, why, what is learned. */
#include "solver/cp/internal.h"
#include <stdarg.h>

void cp_literal_text(const struct cp *cp, struct cp_literal l, char *text,
                     size_t size) {
  const char *name = cp->name[l.side >> 1];
  if (l.side & 1)
    snprintf(text, size, "%s <= %d", name, (int)-l.bound);
  else
    snprintf(text, size, "%s >= %d", name, (int)l.bound);
}

static void put_literal(struct cp *cp, struct cp_literal l) {
  char text[200];
  cp_literal_text(cp, l, text, sizeof text);
  fputs(text, cp->trace);
}

static void put_because(struct cp *cp) {
  const char *between = "";
  for (int32_t i = 0; i < cp->because_size; i++) {
    if (cp->head.root[cp->because[i].side] >= cp->because[i].bound)
      continue;
    fputs(between, cp->trace);
    put_literal(cp, cp->because[i]);
    between = ", ";
  }
  fputs(*between ? "\n" : "nothing but the root\n", cp->trace);
}

static void put_rule(struct cp *cp, const struct cp_propagator *p,
                     int64_t data) {
  const char *rule = p->class->rule ? p->class->rule(p, data) : NULL;
  fprintf(cp->trace, "%s%s%s #%d", p->class->name, rule ? " " : "",
          rule ? rule : "", (int)p->id);
}

void trace_entry(struct cp *cp, int32_t at) {
  const struct cp_entry *e = &cp->head.trail[at];
  uint32_t reference = e->reason >> 2;
  bool decision = reason_kind(e->reason) == REASON_NONE && cp->head.level > 0 &&
                  cp->levels[cp->head.level].trail == at;
  fprintf(cp->trace, decision ? "%d decide " : "%d   ", (int)cp->head.level);
  put_literal(cp, (struct cp_literal){e->side, e->bound});
  fputs("   ", cp->trace);
  switch (reason_kind(e->reason)) {
  case REASON_NONE:
    fputs(decision ? "" : "fact", cp->trace);
    break;
  case REASON_CLAUSE:
    fprintf(cp->trace, "%s clause",
            clause_at(cp, reference)->learned ? "learned" : "given");
    break;
  case REASON_PROPAGATOR:
    put_rule(cp, cp->propagators[reference], e->data);
    break;
  case REASON_EAGER:
    put_rule(cp, cp->propagators[cp->eager[reference].side], e->data);
    break;
  }
  fputc('\n', cp->trace);
}

void trace_reason(struct cp *cp, int32_t at, int32_t bound) {
  fputs("    why ", cp->trace);
  put_literal(cp, (struct cp_literal){cp->head.trail[at].side, bound});
  fputs(": ", cp->trace);
  put_because(cp);
}

void trace_conflict(struct cp *cp) {
  fputs("  conflict by ", cp->trace);
  if (cp->conflict_propagator >= 0)
    fprintf(cp->trace, "%s ",
            cp->propagators[cp->conflict_propagator]->class->name);
  fputs(cp->conflict_rule ? cp->conflict_rule : "", cp->trace);
  if (cp->conflict_propagator >= 0)
    fprintf(cp->trace, " #%d", (int)cp->conflict_propagator);
  fputs(": not all of ", cp->trace);
  put_because(cp);
}

void trace_learned(struct cp *cp, int32_t glue, int32_t level) {
  fputs("  learn ", cp->trace);
  for (int32_t i = 0; i < cp->clause_size; i++) {
    fputs(i ? " or " : "", cp->trace);
    put_literal(cp, cp->clause[i]);
  }
  fprintf(cp->trace, "   (glue %d, asserts at level %d)\n", (int)glue,
          (int)level);
}

void trace_note(struct cp *cp, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("  ", cp->trace);
  vfprintf(cp->trace, format, list);
  fputc('\n', cp->trace);
  va_end(list);
}

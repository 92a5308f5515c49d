/* A strict little XML reader for the tests of what we draw. */
#ifndef MOCCASIN_TESTS_XML_H
#define MOCCASIN_TESTS_XML_H

#include "solver/base/memory.h"

#include <stdbool.h>

struct xml_element {
  const char *name;
  int parent; /* index, -1: the root */
  int attributes;
  struct {
    const char *name, *value; /* entities decoded */
  } attribute[16];
  const char *text; /* its own, entities decoded, "" if none */
};

struct xml {
  int count;
  struct xml_element *element; /* in document order */
  char error[200];             /* "": well-formed */
};

/* One element with anything inside, no DTD, comments or CDATA.  Everything is
 * from `m`. */
struct xml xml_parse(struct memory *m, const char *text);

/* The attribute's value, NULL if there is none. */
const char *xml_get(const struct xml_element *e, const char *name);
double xml_number(const struct xml_element *e, const char *name);
bool xml_is(const struct xml_element *e, const char *name,
            const char *class_name);

/* The text of the <title> inside element i, NULL if there is none. */
const char *xml_title(const struct xml *x, int i);

#endif

#include "tests/xml.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
  struct memory *m;
  const char *start, *at;
  struct xml x;
  int capacity, open; /* the innermost open element */
};

static bool fail(struct parser *p, const char *what) {
  if (!p->x.error[0])
    snprintf(p->x.error, sizeof p->x.error, "%s at byte %ld: %.40s", what,
             (long)(p->at - p->start), p->at);
  return false;
}

/* Decodes up to `stop`; '<' and bare '&' are errors. */
static const char *decode(struct parser *p, char stop) {
  static const char *const entity[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
  size_t length = strcspn(p->at, (char[]){stop, 0}), used = 0;
  char *out = memory_get(p->m, length + 1, 1);
  while (*p->at && *p->at != stop) {
    if (*p->at == '&') {
      int i = 0;
      while (i < 4 && strncmp(p->at, entity[i], strlen(entity[i])) != 0)
        i++;
      if (i == 4)
        return fail(p, "unknown entity"), out;
      out[used++] = "<>&\""[i];
      p->at += strlen(entity[i]);
      continue;
    }
    if (*p->at == '<' ||
        ((unsigned char)*p->at < 32 && *p->at != '\n' && *p->at != '\t'))
      return fail(p, "character that must be escaped"), out;
    out[used++] = *p->at++;
  }
  return out;
}

static const char *name(struct parser *p) {
  size_t length = 0;
  while (isalnum((unsigned char)p->at[length]) || p->at[length] == '-' ||
         p->at[length] == ':')
    length++;
  if (!length)
    fail(p, "expected a name");
  const char *copy = memory_text(p->m, p->at, length);
  p->at += length;
  return copy;
}

static void spaces(struct parser *p) {
  p->at += strspn(p->at, " \n\t");
}

static bool attributes(struct parser *p, struct xml_element *e) {
  for (spaces(p); isalpha((unsigned char)*p->at); spaces(p)) {
    if (e->attributes == 16)
      return fail(p, "too many attributes");
    e->attribute[e->attributes].name = name(p);
    if (strncmp(p->at, "=\"", 2) != 0)
      return fail(p, "expected =\"");
    p->at += 2;
    e->attribute[e->attributes].value = decode(p, '"');
    for (int i = 0; i < e->attributes; i++)
      if (!strcmp(e->attribute[i].name, e->attribute[e->attributes].name))
        return fail(p, "an attribute twice");
    e->attributes++;
    if (*p->at != '"')
      return fail(p, "expected \"");
    p->at++;
  }
  return true;
}

static bool tag(struct parser *p) {
  if (p->at[1] == '/') {
    p->at += 2;
    const char *closed = name(p);
    if (p->open < 0 || strcmp(closed, p->x.element[p->open].name) != 0 ||
        *p->at != '>')
      return fail(p, "a tag that closes nothing");
    p->at++;
    p->open = p->x.element[p->open].parent;
    return true;
  }
  p->at++;
  MEMORY_GROW(p->m, p->x.element, p->x.count, p->capacity);
  struct xml_element *e = &p->x.element[p->x.count];
  memset(e, 0, sizeof *e);
  e->name = name(p);
  e->parent = p->open;
  e->text = "";
  if (p->x.count && p->open < 0)
    return fail(p, "a second root");
  if (!attributes(p, e))
    return false;
  bool empty = *p->at == '/';
  p->at += empty;
  if (*p->at != '>')
    return fail(p, "expected >");
  p->at++;
  if (!empty)
    p->open = p->x.count;
  p->x.count++;
  return true;
}

struct xml xml_parse(struct memory *m, const char *text) {
  struct parser p = {.m = m, .start = text, .at = text, .open = -1};
  while (*p.at && !p.x.error[0]) {
    if (*p.at == '<') {
      tag(&p);
    } else {
      const char *found = decode(&p, '<');
      if (p.open >= 0)
        p.x.element[p.open].text = found;
      else if (found[strspn(found, " \n\t")])
        fail(&p, "text outside of the root");
    }
  }
  if (p.open >= 0)
    fail(&p, "an element is not closed");
  if (!p.x.count)
    fail(&p, "nothing");
  return p.x;
}

const char *xml_get(const struct xml_element *e, const char *attribute) {
  for (int i = 0; i < e->attributes; i++)
    if (!strcmp(e->attribute[i].name, attribute))
      return e->attribute[i].value;
  return NULL;
}

double xml_number(const struct xml_element *e, const char *attribute) {
  const char *value = xml_get(e, attribute);
  return value ? strtod(value, NULL) : -1e300;
}

bool xml_is(const struct xml_element *e, const char *element,
            const char *class_name) {
  const char *value = xml_get(e, "class");
  return !strcmp(e->name, element) && value && !strcmp(value, class_name);
}

const char *xml_title(const struct xml *x, int i) {
  return i + 1 < x->count && x->element[i + 1].parent == i &&
                 !strcmp(x->element[i + 1].name, "title")
             ? x->element[i + 1].text
             : NULL;
}

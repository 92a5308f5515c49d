/* What the parts of the JSON graph reader share. */
#ifndef MOCCASIN_READ_JSON_PRIVATE_H
#define MOCCASIN_READ_JSON_PRIVATE_H

#include "graphs/json.h"
#include "graphs/read_private.h"

struct graph_reader {
  struct json *j;
  struct graph *graph;
  struct json_buffer id_text, name;
  const char *array; /* the reader is at array[index] */
  int index;
};

/* Which spelling of a field has been seen in the object being read. */
struct json_field {
  int rank; /* the spelling's place in its list, from 1; 0: none yet */
  int64_t value;
};

struct json_path {
  char text[120];
};

/* "array[index].key", "array[index]" without a key: made only for messages. */
const char *reader_path(const struct graph_reader *r, const char *key,
                        struct json_path *path);

/* Takes the integer that follows a key; a better spelling (lower rank) seen
 * before in the same object wins. */
bool reader_integer(struct graph_reader *r, const char *key, int rank,
                    int64_t least, struct json_field *field);

/* An id from the token just read; a text goes to `buffer`. */
bool reader_id(struct graph_reader *r, const char *key,
               struct json_buffer *buffer, struct graph_id *id);

/* The arrays `nodes` and `links` or `edges`; their `[` comes next. */
bool reader_nodes(struct graph_reader *r);
bool reader_edges(struct graph_reader *r, const char *key);

#endif

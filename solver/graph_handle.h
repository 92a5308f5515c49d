/* Behind moccasin.h's opaque graph: the graph, its memory, its baseline. */
#ifndef MOCCASIN_GRAPH_HANDLE_H
#define MOCCASIN_GRAPH_HANDLE_H

#include "graphs/read.h"
#include "model/problem.h"
#include "solver/moccasin.h"

struct moccasin_graph {
  struct memory *memory;
  struct graph *graph;
  struct problem *problem; /* C = 1, input order: for the baseline figures */
};

/* moccasin_read with choices for ONNX models (graphs/read.h; may be NULL). */
int graph_handle_read(const char *path, const struct onnx_options *onnx,
                      struct moccasin_graph **graph, char *message);

#endif

/* What generate_graph shares with the makers of the single kinds. */
#ifndef MOCCASIN_GENERATE_PRIVATE_H
#define MOCCASIN_GENERATE_PRIVATE_H

#include "graphs/generate.h"

#define GENERATE_MOST 20 /* parameters of a kind */

struct generate_job {
  struct memory *memory;
  const struct generate_kind *kind;
  double value[GENERATE_MOST]; /* in the order of the kind's parameters */
  struct error *error;
};

/* The value of a parameter of the job's kind, which must exist. */
double generate_real(const struct generate_job *job, const char *name);
int generate_int(const struct generate_job *job, const char *name);

/* Each returns a finished graph or NULL after an error. */
struct graph *generate_layered(const struct generate_job *job);
struct graph *generate_chain(const struct generate_job *job);
struct graph *generate_unet(const struct generate_job *job);
struct graph *generate_resnet(const struct generate_job *job);
struct graph *generate_vgg(const struct generate_job *job);
struct graph *generate_mobilenet(const struct generate_job *job);
struct graph *generate_transformer(const struct generate_job *job);

#endif

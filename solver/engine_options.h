/* The engine options of a solve: seed, check level, trace, and what the user
 * sets by name ("restart=0,luby=100"), with the switches of presolve. */
#ifndef MOCCASIN_ENGINE_OPTIONS_H
#define MOCCASIN_ENGINE_OPTIONS_H

#include "model/presolve.h"
#include "solver/base/error.h"
#include "solver/cp/options.h"
#include "solver/moccasin.h"

/* STATUS_USAGE if o->engine names what there is not. `error` may be NULL. */
bool engine_options(const struct moccasin_options *o, struct cp_options *out,
                    struct presolve_rules *rules, struct error *error);

#endif

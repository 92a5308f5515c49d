/* Pseudo-random numbers: xoshiro256** (Blackman and Vigna, 2018), seeded by
 * splitmix64.  The same seed gives the same numbers on every machine. */
#ifndef MOCCASIN_RANDOM_H
#define MOCCASIN_RANDOM_H

#include <stdint.h>

struct random {
  uint64_t state[4];
};

static inline void random_seed(struct random *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    r->state[i] = z ^ (z >> 31);
  }
}

static inline uint64_t random_next(struct random *r) {
  uint64_t *s = r->state, x = s[1] * 5, t = s[1] << 17;
  uint64_t result = ((x << 7) | (x >> 57)) * 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

/* Uniform on 0 .. bound-1, bound >= 1, for bounds far below 2^32 (bias below
 * bound / 2^32). */
static inline int random_below(struct random *r, int bound) {
  return (int)(((random_next(r) >> 32) * (uint64_t)bound) >> 32);
}

/* Uniform on [0, 1). */
static inline double random_real(struct random *r) {
  return (double)(random_next(r) >> 11) * 0x1p-53;
}

#endif

/* Wall-clock time from a clock that never runs backwards. */
#ifndef MOCCASIN_CLOCK_H
#define MOCCASIN_CLOCK_H

/* Seconds since an arbitrary start, the same for all threads. */
double clock_seconds(void);

#endif

/* The GMM objective of examples/gmm.ks in C. */
#ifndef MINOAN_BENCH_GMM_H
#define MINOAN_BENCH_GMM_H

#include <stdint.h>

typedef struct {
  int64_t d, k, n;
  const float *alphas; /* [k] */
  const float *means;  /* [k x d] */
  const float *qs;     /* [k x d] */
  const float *ls;     /* [k x d(d-1)/2], column after column */
  const float *x;      /* [n x d] */
  float gamma;
  int64_t m;
} GmmInputs;

/* The order of operations of examples/gmm.ks: row i of Q v is one sum. */
float gmm_objective(const GmmInputs *in);

/* The order of operations of ADBench's C++: column j of Q is added to all rows below it. */
float gmm_objective_columns(const GmmInputs *in);

#endif

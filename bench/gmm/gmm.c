/* See gmm.h. Nothing is precomputed that examples/gmm.ks does not name by `let`, and nothing is left out. */

#include "gmm.h"

#include <math.h>
#include <stdlib.h>

static const float PI = 3.14159265358979323846f;

static float square(float x) { return x * x; }

static float logsumexp(int64_t n, const float *v) {
  float largest = v[0];
  for (int64_t i = 1; i < n; i++) largest = v[i] > largest ? v[i] : largest;
  float sum = 0.0f;
  for (int64_t i = 0; i < n; i++) sum += expf(v[i] - largest);
  return largest + logf(sum);
}

static int64_t triangular_index(int64_t d, int64_t i, int64_t j) { return j * (2 * d - j - 1) / 2 + (i - j - 1); }

typedef void (*QTimesV)(int64_t d, const float *qdiag, const float *ls, const float *v, float *out);

static inline void q_times_v_rows(int64_t d, const float *qdiag, const float *ls, const float *v, float *out) {
  for (int64_t i = 0; i < d; i++) {
    float sum = 0.0f;
    for (int64_t j = 0; j < i; j++) sum += ls[triangular_index(d, i, j)] * v[j];
    out[i] = qdiag[i] * v[i] + sum;
  }
}

static inline void q_times_v_columns(int64_t d, const float *qdiag, const float *ls, const float *v, float *out) {
  for (int64_t i = 0; i < d; i++) out[i] = qdiag[i] * v[i];
  for (int64_t j = 0; j < d; j++) {
    for (int64_t i = j + 1; i < d; i++) out[i] += *ls++ * v[j];
  }
}

static float log_gamma_distrib(float a, int64_t d) {
  float sum = 0.0f;
  for (int64_t j = 0; j < d; j++) sum += lgammaf(a - 0.5f * (float)j);
  return 0.25f * (float)(d * (d - 1)) * logf(PI) + sum;
}

static float log_wishart_prior(const GmmInputs *in, const float *qdiag, const float *qsum) {
  int64_t d = in->d, l_count = d * (d - 1) / 2, freedom = d + in->m + 1;
  float constant = (float)(freedom * d) * (logf(in->gamma) - 0.5f * logf(2.0f)) -
                   log_gamma_distrib(0.5f * (float)freedom, d);
  float sum = 0.0f;
  for (int64_t k = 0; k < in->k; k++) {
    float diagonal = 0.0f, below = 0.0f;
    for (int64_t i = 0; i < d; i++) diagonal += square(qdiag[k * d + i]);
    for (int64_t i = 0; i < l_count; i++) below += square(in->ls[k * l_count + i]);
    sum += 0.5f * square(in->gamma) * (diagonal + below) - (float)in->m * qsum[k];
  }
  return sum - (float)in->k * constant;
}

static inline __attribute__((always_inline)) float objective(const GmmInputs *in, QTimesV q_times_v) {
  int64_t d = in->d, k_count = in->k, n_count = in->n, l_count = d * (d - 1) / 2;
  float *memory = malloc((size_t)(k_count * d + 2 * k_count + 2 * d) * sizeof(float));
  if (!memory) abort();
  float *qdiag = memory, *qsum = qdiag + k_count * d, *terms = qsum + k_count, *v = terms + k_count, *qv = v + d;

  for (int64_t i = 0; i < k_count * d; i++) qdiag[i] = expf(in->qs[i]);
  for (int64_t k = 0; k < k_count; k++) {
    float sum = 0.0f;
    for (int64_t i = 0; i < d; i++) sum += in->qs[k * d + i];
    qsum[k] = sum;
  }

  float likelihood = 0.0f;
  for (int64_t n = 0; n < n_count; n++) {
    for (int64_t k = 0; k < k_count; k++) {
      for (int64_t i = 0; i < d; i++) v[i] = in->x[n * d + i] - in->means[k * d + i];
      q_times_v(d, qdiag + k * d, in->ls + k * l_count, v, qv);
      float distance = 0.0f;
      for (int64_t i = 0; i < d; i++) distance += square(qv[i]);
      terms[k] = in->alphas[k] + qsum[k] - 0.5f * distance;
    }
    likelihood += logsumexp(k_count, terms);
  }

  float result = likelihood - 0.5f * (float)(n_count * d) * logf(2.0f * PI) -
                 (float)n_count * logsumexp(k_count, in->alphas) + log_wishart_prior(in, qdiag, qsum);
  free(memory);
  return result;
}

float gmm_objective(const GmmInputs *in) { return objective(in, q_times_v_rows); }

float gmm_objective_columns(const GmmInputs *in) { return objective(in, q_times_v_columns); }

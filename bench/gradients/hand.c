/* Objectives and gradients by hand, for bench_gradients.py: point by point, with the values that the gradient needs kept from
 * the objective. `REAL` is the type of floats. Arrays are dense and row-major. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef REAL real;

static real logsumexp(int64_t n, const real *v) {
  real largest = v[0], sum = 0;
  for (int64_t i = 1; i < n; i++) largest = v[i] > largest ? v[i] : largest;
  for (int64_t i = 0; i < n; i++) sum += (real)exp(v[i] - largest);
  return largest + (real)log(sum);
}

static real *room(int64_t count) { return malloc(sizeof(real) * (size_t)(count ? count : 1)); }

/* ---- The Gaussian mixture model of examples/gmm.ks. ---- */

/* v = x - mean and qv = Q v. */
static real distance(int64_t d, const real *x, const real *mean, const real *q, const real *l, real *v, real *qv) {
  for (int64_t i = 0; i < d; i++) v[i] = x[i] - mean[i];
  for (int64_t i = 0; i < d; i++) qv[i] = q[i] * v[i];
  for (int64_t j = 0; j < d; j++)
    for (int64_t i = j + 1; i < d; i++) qv[i] += *l++ * v[j];
  real sum = 0;
  for (int64_t i = 0; i < d; i++) sum += qv[i] * qv[i];
  return sum;
}

static real prior(int64_t d, int64_t k, const real *q, const real *qsum, const real *ls, real gamma, int64_t m) {
  int64_t freedom = d + m + 1, lower = d * (d - 1) / 2;
  real constant = (real)(freedom * d) * ((real)log(gamma) - (real)(0.5 * log(2.0)));
  constant -= (real)(0.25 * (double)(d * (d - 1)) * log(M_PI));
  for (int64_t j = 0; j < d; j++) constant -= (real)lgamma(0.5 * (double)freedom - 0.5 * (double)j);
  real sum = 0;
  for (int64_t c = 0; c < k; c++) {
    real frobenius = 0;
    for (int64_t i = 0; i < d; i++) frobenius += q[c * d + i] * q[c * d + i];
    for (int64_t i = 0; i < lower; i++) frobenius += ls[c * lower + i] * ls[c * lower + i];
    sum += (real)0.5 * gamma * gamma * frobenius - (real)m * qsum[c];
  }
  return sum - (real)k * constant;
}

/* With the gradients with respect to alphas, means, qs and ls, if `ga` is not null. */
real gmm(int64_t d, int64_t k, int64_t n, const real *alphas, const real *means, const real *qs, const real *ls,
         const real *x, real gamma, int64_t m, real *ga, real *gm, real *gq, real *gl) {
  int64_t lower = d * (d - 1) / 2;
  real *q = room(k * d), *qsum = room(k), *term = room(k), *v = room(k * d), *qv = room(k * d), *g = room(d);
  for (int64_t c = 0; c < k; c++) {
    qsum[c] = 0;
    for (int64_t i = 0; i < d; i++) {
      q[c * d + i] = (real)exp(qs[c * d + i]);
      qsum[c] += qs[c * d + i];
    }
  }
  if (ga) {
    memset(ga, 0, sizeof(real) * (size_t)k);
    memset(gm, 0, sizeof(real) * (size_t)(k * d));
    memset(gq, 0, sizeof(real) * (size_t)(k * d));
    memset(gl, 0, sizeof(real) * (size_t)(k * lower));
  }
  real sum = 0;
  for (int64_t p = 0; p < n; p++) {
    for (int64_t c = 0; c < k; c++)
      term[c] = alphas[c] + qsum[c] - (real)0.5 * distance(d, x + p * d, means + c * d, q + c * d, ls + c * lower,
                                                             v + c * d, qv + c * d);
    real all = logsumexp(k, term);
    sum += all;
    for (int64_t c = 0; ga && c < k; c++) {
      real weight = (real)exp(term[c] - all), *l = gl + c * lower;
      const real *own = ls + c * lower, *vc = v + c * d, *qc = q + c * d;
      ga[c] += weight;
      for (int64_t i = 0; i < d; i++) g[i] = -weight * qv[c * d + i];
      for (int64_t j = 0; j < d; j++) {
        real gv = qc[j] * g[j];
        gq[c * d + j] += g[j] * vc[j];
        for (int64_t i = j + 1; i < d; i++) {
          gv += *own++ * g[i];
          *l++ += g[i] * vc[j];
        }
        gm[c * d + j] -= gv;
      }
    }
  }
  real all = logsumexp(k, alphas);
  sum -= (real)(0.5 * (double)(n * d) * log(2 * M_PI)) + (real)n * all;
  sum += prior(d, k, q, qsum, ls, gamma, m);
  for (int64_t c = 0; ga && c < k; c++) {
    for (int64_t i = 0; i < d; i++) {
      real own = q[c * d + i];
      gq[c * d + i] = gq[c * d + i] * own + ga[c] + gamma * gamma * own * own - (real)m;
    }
    for (int64_t i = 0; i < lower; i++) gl[c * lower + i] += gamma * gamma * ls[c * lower + i];
  }
  for (int64_t c = 0; ga && c < k; c++) ga[c] -= (real)n * (real)exp(alphas[c] - all);
  free(q), free(qsum), free(term), free(v), free(qv), free(g);
  return sum;
}

/* ---- The LSTM of examples/lstm.ks. ---- */

static real sigmoid(real x) { return 1 / (1 + (real)exp(-x)); }

/* With the gradients with respect to parameters and extra, if `gp` is not null. */
real lstm(int64_t layers, int64_t b, int64_t steps, const real *parameters, const real *extra, const real *state,
          const real *sequence, real *gp, real *ge) {
  int64_t width = 7 * b, kept = gp ? steps : 1;
  /* By step and layer: input, old hidden, old cell, and the four gates; cells and hidden vectors by layer. */
  real *tape = room(kept * layers * width), *now = room(2 * layers * b), *predicted = room(kept * b), *in = room(b);
  real *shown = room(kept * b), *norms = room(steps);
  memcpy(now, state, sizeof(real) * (size_t)(2 * layers * b));
  real total = 0;
  for (int64_t t = 0; t + 1 < steps; t++) {
    real *own = tape + (gp ? t : 0) * layers * width, *out = predicted + (gp ? t : 0) * b;
    for (int64_t i = 0; i < b; i++) in[i] = sequence[t * b + i] * extra[i];
    for (int64_t l = 0; l < layers; l++, own += width) {
      const real *w = parameters + 2 * l * 4 * b, *bias = w + 4 * b;
      real *hidden = now + 2 * l * b, *cell = hidden + b;
      for (int64_t i = 0; i < b; i++) {
        real forget = sigmoid(in[i] * w[i] + bias[i]), ingate = sigmoid(hidden[i] * w[b + i] + bias[b + i]);
        real outgate = sigmoid(in[i] * w[2 * b + i] + bias[2 * b + i]);
        real change = (real)tanh(hidden[i] * w[3 * b + i] + bias[3 * b + i]);
        own[i] = in[i], own[b + i] = hidden[i], own[2 * b + i] = cell[i];
        own[3 * b + i] = forget, own[4 * b + i] = ingate, own[5 * b + i] = outgate, own[6 * b + i] = change;
        cell[i] = cell[i] * forget + ingate * change;
        hidden[i] = outgate * (real)tanh(cell[i]);
        in[i] = hidden[i];
      }
    }
    real sum = 2;
    memcpy(shown + (gp ? t : 0) * b, in, sizeof(real) * (size_t)b);
    for (int64_t i = 0; i < b; i++) sum += (real)exp(out[i] = in[i] * extra[b + i] + extra[2 * b + i]);
    norms[t] = sum;
    for (int64_t i = 0; i < b; i++) total += sequence[(t + 1) * b + i] * (out[i] - (real)log(sum));
  }
  real scale = -1 / (real)((steps - 1) * b);
  if (gp) {
    memset(gp, 0, sizeof(real) * (size_t)(8 * layers * b));
    memset(ge, 0, sizeof(real) * (size_t)(3 * b));
    real *later = calloc((size_t)(2 * layers * b), sizeof(real));
    for (int64_t t = steps - 2; t >= 0; t--) {
      real all = 0, *out = predicted + t * b;
      for (int64_t i = 0; i < b; i++) all += sequence[(t + 1) * b + i];
      for (int64_t i = 0; i < b; i++) {
        real g = scale * (sequence[(t + 1) * b + i] - all * (real)exp(out[i]) / norms[t]);
        ge[b + i] += g * shown[t * b + i], ge[2 * b + i] += g;
        in[i] = g * extra[b + i];
      }
      for (int64_t l = layers - 1; l >= 0; l--) {
        const real *w = parameters + 2 * l * 4 * b, *own = tape + (t * layers + l) * width;
        real *gw = gp + 2 * l * 4 * b, *gb = gw + 4 * b, *gh = later + 2 * l * b, *gc = gh + b;
        for (int64_t i = 0; i < b; i++) {
          real input = own[i], hidden = own[b + i], cell = own[2 * b + i];
          real forget = own[3 * b + i], ingate = own[4 * b + i], outgate = own[5 * b + i], change = own[6 * b + i];
          real shownc = (real)tanh(cell * forget + ingate * change), g = gh[i] + in[i];
          real gcell = gc[i] + g * outgate * (1 - shownc * shownc);
          real go = g * shownc * outgate * (1 - outgate), gf = gcell * cell * forget * (1 - forget);
          real gi = gcell * change * ingate * (1 - ingate), gg = gcell * ingate * (1 - change * change);
          gw[i] += gf * input, gb[i] += gf, gw[b + i] += gi * hidden, gb[b + i] += gi;
          gw[2 * b + i] += go * input, gb[2 * b + i] += go, gw[3 * b + i] += gg * hidden, gb[3 * b + i] += gg;
          gc[i] = gcell * forget;
          gh[i] = gi * w[b + i] + gg * w[3 * b + i];
          in[i] = gf * w[i] + go * w[2 * b + i];
        }
      }
      for (int64_t i = 0; i < b; i++) ge[i] += in[i] * sequence[t * b + i];
    }
    free(later);
  }
  free(tape), free(now), free(predicted), free(in), free(shown), free(norms);
  return total * scale;
}

/* ---- The sum of x sin x. ---- */

real xsinx(int64_t n, const real *x, real *gx) {
  real sum = 0;
  if (gx)
    for (int64_t i = 0; i < n; i++) gx[i] = (real)sin(x[i]) + x[i] * (real)cos(x[i]);
  else
    for (int64_t i = 0; i < n; i++) sum += x[i] * (real)sin(x[i]);
  return sum;
}

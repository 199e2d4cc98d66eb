/* Times the GMM objective: C against the compiled examples/gmm.ks, in one process, in turns.
 *
 *     driver D K N SECONDS [LIBRARY]
 *
 * One line on standard output:
 *
 *     result_c result_columns result_minoan best_c best_columns best_minoan median_c median_columns median_minoan
 *
 * Times are seconds a call. Without a library what belongs to it is `nan`.
 */

#define _GNU_SOURCE
#include "gmm.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- The call of the compiled program: all that depends on its binary interface. ----
 *
 * A library of `kc build --emit=so` has a packed wrapper for each function: one array of pointers, first to the
 * arguments (a tensor is a memref descriptor), then to the storage for the results. */

static const char *const SYMBOL = "minoan_packed_gmm_objective";

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} MemRef1;

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} MemRef2;

typedef void (*Packed)(void **slots);

static MemRef1 vector(const float *data, int64_t size) {
  return (MemRef1){(float *)data, (float *)data, 0, {size}, {1}};
}

static MemRef2 matrix(const float *data, int64_t rows, int64_t columns) {
  return (MemRef2){(float *)data, (float *)data, 0, {rows, columns}, {columns, 1}};
}

static float call_minoan(void *function, const GmmInputs *in) {
  MemRef1 alphas = vector(in->alphas, in->k);
  MemRef2 means = matrix(in->means, in->k, in->d);
  MemRef2 qs = matrix(in->qs, in->k, in->d);
  MemRef2 ls = matrix(in->ls, in->k, in->d * (in->d - 1) / 2);
  MemRef2 x = matrix(in->x, in->n, in->d);
  float gamma = in->gamma, result;
  int64_t m = in->m;
  void *slots[] = {&alphas, &means, &qs, &ls, &x, &gamma, &m, &result};
  ((Packed)function)(slots);
  return result;
}

/* ---- Everything else. ---- */

enum { C, COLUMNS, MINOAN, VARIANTS, MOST_SAMPLES = 4096 };

static volatile float sink;

static float call(int variant, void *function, const GmmInputs *in) {
  switch (variant) {
    case C: return gmm_objective(in);
    case COLUMNS: return gmm_objective_columns(in);
    default: return call_minoan(function, in);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds a call, over `repeats` calls. */
static double sample(int variant, void *function, const GmmInputs *in, int64_t repeats) {
  double start = now();
  for (int64_t i = 0; i < repeats; i++) sink = call(variant, function, in);
  return (now() - start) / (double)repeats;
}

static uint64_t state = 0x9e3779b97f4a7c15u;

/* Uniform in [-1, 1). */
static float draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (float)(state >> 40) * 0x1p-23f - 1.0f;
}

static float *draw_many(int64_t count) {
  float *data = aligned_alloc(64, (size_t)((count * (int64_t)sizeof(float) + 64) / 64 * 64));
  if (!data) abort();
  for (int64_t i = 0; i < count; i++) data[i] = draw();
  return data;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: driver D K N SECONDS [LIBRARY]\n");
    return 2;
  }
  int64_t d = atoll(argv[1]), k = atoll(argv[2]), n = atoll(argv[3]);
  double seconds = atof(argv[4]);
  void *function = NULL;
  if (argc > 5) {
    void *library = dlopen(argv[5], RTLD_NOW | RTLD_LOCAL);
    function = library ? dlsym(library, SYMBOL) : NULL;
    if (!function) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
  }
  GmmInputs in = {d, k, n, draw_many(k), draw_many(k * d), draw_many(k * d), draw_many(k * (d * (d - 1) / 2)),
                  draw_many(n * d), 1.0f, 0};

  float results[VARIANTS] = {NAN, NAN, NAN};
  int64_t repeats[VARIANTS] = {1, 1, 1};
  int variants = function ? VARIANTS : MINOAN;
  for (int variant = 0; variant < variants; variant++) {
    results[variant] = call(variant, function, &in);
    /* So many calls that one sample takes a millisecond. */
    double once = sample(variant, function, &in, 3);
    repeats[variant] = once < 1e-3 ? (int64_t)(1e-3 / once) + 1 : 1;
  }

  static double times[VARIANTS][MOST_SAMPLES];
  int count = 0;
  for (double end = now() + seconds; count < MOST_SAMPLES && (count < 5 || now() < end); count++) {
    /* In turns, and each variant first as often as the others, so that a change of clock speed meets all. */
    for (int turn = 0; turn < variants; turn++) {
      int variant = (turn + count) % variants;
      times[variant][count] = sample(variant, function, &in, repeats[variant]);
    }
  }
  double best[VARIANTS] = {NAN, NAN, NAN}, median[VARIANTS] = {NAN, NAN, NAN};
  for (int variant = 0; variant < variants; variant++) {
    qsort(times[variant], (size_t)count, sizeof(double), compare);
    best[variant] = times[variant][0];
    median[variant] = times[variant][count / 2];
  }
  for (int variant = 0; variant < VARIANTS; variant++) printf("%.9g ", results[variant]);
  for (int variant = 0; variant < VARIANTS; variant++) printf("%.9g ", best[variant]);
  for (int variant = 0; variant < VARIANTS; variant++) printf("%.9g ", median[variant]);
  printf("\n");
  return 0;
}

#include "allocations.h"
#include "destinations.h"
#include <stdio.h>

static void show(const char *name, int32_t code, const minoan_failure *failure, const float *data, int n) {
  printf("%s: %d", name, code);
  if (code) printf(", %s", failure->message);
  for (int i = 0; i < n && !code; i++) printf(" %g", data[i]);
  printf("\n");
}

int main(void) {
  float a[] = {1, 2, 3}, out[4] = {0}, other[3] = {0}, sum = 0;
  minoan_f32_1 x = minoan_f32_1_of(a, 3), to = minoan_f32_1_of(out, 3);
  minoan_failure failure;
  show("scale", ks_scale_into(2, x, to, &failure), &failure, out, 3);
  show("too small", ks_scale_into(2, x, minoan_f32_1_of(out, 2), &failure), &failure, out, 2);
  show("overlapping", ks_scale_into(2, x, minoan_f32_1_of(a + 1, 3), &failure), &failure, a, 3);
  to.strides[0] = 2;
  show("strided", ks_scale_into(2, x, to, &failure), &failure, out, 3);
  to.strides[0] = 1;

  // A result that is an argument, or twice the same, is copied.
  int32_t code = ks_both_into(x, &sum, to, minoan_f32_1_of(other, 3), &failure);
  show("both", code, &failure, out, 3);
  show("the other", code, &failure, other, 3);
  printf("sum: %g\n", sum);
  code = ks_pair_into(x, to, minoan_f32_1_of(other, 3), &failure);
  show("pair", code, &failure, out, 3);
  show("the other", code, &failure, other, 3);
  code = ks_pair_into(x, to, to, &failure);
  show("one for two", code, &failure, out, 3);
  // A function that calls itself still returns its results to itself.
  show("halves", ks_halves_into(3, x, to, &failure), &failure, out, 3);
  show("failing", ks_checked_into(x, to, &failure), &failure, out, 3);

  // The ordinary form next to it, whose blocks the destinations may be, too.
  minoan_f32_1 scaled;
  code = ks_scale(3, x, &scaled, &failure);
  show("fresh", code, &failure, scaled.data, 3);
  show("fresh", ks_scale_into(4, x, scaled, &failure), &failure, scaled.data, 3);
  minoan_free(scaled.allocated);

  long before = allocations;
  for (int i = 0; i < 1000; i++) ks_scale_into((float)i, x, to, &failure);
  printf("allocations of 1000 calls: %ld\n", allocations - before);
  before = allocations;
  ks_scale(3, x, &scaled, &failure);
  minoan_free(scaled.allocated);
  printf("allocations of the other form: %ld\n", allocations - before);
  // More results at once than the runtime keeps freed blocks of one size.
  minoan_f32_1 kept[100];
  before = allocations;
  for (int i = 0; i < 100; i++) ks_scale((float)i, x, &kept[i], &failure);
  printf("results that are kept are allocated: %s\n", allocations > before && allocations <= before + 100 ? "yes" : "no");
  for (int i = 0; i < 100; i++) minoan_free(kept[i].allocated);
  return 0;
}

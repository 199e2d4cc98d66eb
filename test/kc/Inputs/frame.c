/* Counts the allocations of calls. The elements of all weights are powers of two, so results are exact. */
#include "allocations.h"
#include "net.h"
#include <stdio.h>
#include <stdlib.h>

static float x[32 * 256], a[512 * 256], b[512 * 512], c[512 * 512], out[32 * 512];

static void fill(float *array, int count, float value) {
  for (int i = 0; i < count; i++)
    array[i] = value;
}

static minoan_f32_2 call(int into) {
  minoan_failure failure;
  minoan_f32_2 result = minoan_f32_2_of(out, 32, 512);
  minoan_f32_2 net_x = minoan_f32_2_of(x, 32, 256), net_a = minoan_f32_2_of(a, 512, 256);
  minoan_f32_2 net_b = minoan_f32_2_of(b, 512, 512), net_c = minoan_f32_2_of(c, 512, 512);
  int code = into ? net_main_into(net_x, net_a, net_b, net_c, result, &failure)
                  : net_main(net_x, net_a, net_b, net_c, &result, &failure);
  if (code != MINOAN_OK) {
    fprintf(stderr, "%s\n", failure.message);
    exit(1);
  }
  return result;
}

/* Calls the function, and prints an element of its result and the number of allocations. */
static minoan_f32_2 show(const char *name, int into) {
  long before = allocations;
  minoan_f32_2 result = call(into);
  long count = allocations - before;
  printf("%s: %.0f, allocations: %ld\n", name, result.data[5000], count);
  return result;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  fill(x, 32 * 256, 0.125f);
  fill(a, 512 * 256, 0.25f);
  fill(b, 512 * 512, 1.0f);
  fill(c, 512 * 512, 1.0f);
  minoan_free(show("first call", 0).allocated);
  minoan_f32_2 kept = show("second call", 0);
  minoan_free(show("with the result before kept", 0).allocated);
  show("in memory of the caller", 1);
  minoan_free(kept.allocated);
  return 0;
}

#include "allocations.h"
#include "net.h"
#include <stdio.h>

static float x[16 * 64], w1[256 * 64], w2[512 * 256], w3[32 * 512], out[16 * 32];

static void fill(float *data, int n) {
  for (int i = 0; i < n; i++) data[i] = (float)(i * 37 % 101) / 101 - 0.5f;
}

int main(void) {
  fill(x, 16 * 64), fill(w1, 256 * 64), fill(w2, 512 * 256), fill(w3, 32 * 512);
  minoan_f32_2 a = minoan_f32_2_of(x, 16, 64), b = minoan_f32_2_of(w1, 256, 64), c = minoan_f32_2_of(w2, 512, 256),
               d = minoan_f32_2_of(w3, 32, 512), to = minoan_f32_2_of(out, 16, 32), fresh;
  minoan_failure failure;
  if (net_main(a, b, c, d, &fresh, &failure) || net_main_into(a, b, c, d, to, &failure)) {
    printf("%s\n", failure.message);
    return 1;
  }
  printf("same results: %s\n", memcmp(fresh.data, out, sizeof out) == 0 ? "yes" : "no");
  minoan_free(fresh.allocated);
  long before = allocations;
  net_main_into(a, b, c, d, to, &failure);
  printf("allocations of the second call: %ld\n", allocations - before);
  return 0;
}

#include "functions.h"
#include <math.h>
#include <stdio.h>

int main(void) {
  float a[] = {1, 2, 3}, b[] = {4, 5, 6}, r = 0;
  minoan_f32_1 x = minoan_f32_1_of(a, 3), y = minoan_f32_1_of(b, 3), z;
  minoan_failure failure;
  int64_t n;
  bool large;
  int32_t code = ks_dot(x, y, &r, &failure);
  printf("dot: %d, %g\n", code, r);
  code = ks_scale(2, x, &z, &failure);
  printf("scale: %d, %d elements, %g %g %g\n", code, (int)z.sizes[0], z.data[0], z.data[1], z.data[2]);
  minoan_free(z.allocated);
  code = ks_both(x, &large, &z, &failure);
  printf("both: %d, %s, %g %g %g, %s\n", code, large ? "true" : "false", z.data[0], z.data[1], z.data[2],
         z.data == a ? "the argument" : "a copy");
  minoan_free(z.allocated);

  code = ks_failing(0, &n, &failure);
  printf("failing: %d, %s\n", code, failure.message);
  code = ks_divide(1, 0, &n, &failure);
  printf("divide: %d, %s\n", code, failure.message);
  code = ks_element(x, 7, &r, &failure);
  printf("element: %d, %s\n", code, failure.message);
  code = ks_count(0, &n, &failure);
  printf("endless: %d, %.18s\n", code, failure.message);
  x.strides[0] = 2;
  code = ks_dot(x, y, &r, &failure);
  printf("strided: %d, %s\n", code, failure.message);
  x.strides[0] = 1;
  x.sizes[0] = -1;
  code = ks_dot(x, y, &r, &failure);
  printf("negative: %d, %s\n", code, failure.message);
  x.sizes[0] = 3;
  y.data = NULL;
  code = ks_dot(x, y, &r, &failure);
  printf("no address: %d, %s\n", code, failure.message);
  printf("no message: %d\n", ks_divide(1, 0, &n, NULL));

  volatile double three = 3;
  code = ks_expm1(3, &r, &failure);
  printf("expm1: %d, %g; of C: %g\n", code, r, expm1(three));
  return 0;
}

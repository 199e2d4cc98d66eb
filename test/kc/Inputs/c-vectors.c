#include "vectors.h"
#include <inttypes.h>
#include <stdio.h>

static void sum(int8_t a, int64_t b) {
  minoan_failure failure;
  int64_t result = 0;
  int32_t code = v_sum(a, b, &result, &failure);
  if (code)
    printf("sum: %d, %s\n", code, failure.message);
  else
    printf("sum: %d, %d + %" PRId64 " = %" PRId64 "\n", code, a, b, result);
}

int main(void) {
  minoan_failure failure;
  minoan_f32_v2x3 a = {{1, 2, 3, 4, 5, 6}}, scaled;
  int32_t code = v_scale(a, 2, &scaled, &failure);
  printf("scale: %d,", code);
  for (int i = 0; i < 6; i++) printf(" %g", scaled.data[i]);
  printf("\n");

  sum(63, INT64_C(549755813887));
  sum(-64, -INT64_C(549755813888));
  sum(64, 0);
  sum(0, INT64_C(549755813888));
  int64_t result;
  printf("no message: %d\n", v_sum(100, 0, &result, NULL));

  minoan_i8_v3 b = {{-1, 7, 0}}, negated;
  code = v_negated(b, &negated, &failure);
  printf("negated: %d, %d %d %d\n", code, negated.data[0], negated.data[1], negated.data[2]);

  double x[] = {1.5, 2.5}, out[2];
  minoan_f64_1 copy;
  code = v_both(b, minoan_f64_1_of(x, 2), &negated, &copy, &failure);
  printf("both: %d, %d %d %d, %g %g\n", code, negated.data[0], negated.data[1], negated.data[2], copy.data[0], copy.data[1]);
  minoan_free(copy.allocated);
  code = v_both_into(b, minoan_f64_1_of(x, 2), &negated, minoan_f64_1_of(out, 2), &failure);
  printf("both into: %d, %d %d %d, %g %g\n", code, negated.data[0], negated.data[1], negated.data[2], out[0], out[1]);
  b.data[1] = 8;
  code = v_both_into(b, minoan_f64_1_of(x, 2), &negated, minoan_f64_1_of(out, 2), &failure);
  printf("both: %d, %s\n", code, failure.message);

  minoan_bool_v2 yes = {{true, false}};
  bool first, second;
  code = v_any(yes, &first, &second, &failure);
  printf("any: %d, %s %s\n", code, first ? "true" : "false", second ? "true" : "false");
  return 0;
}

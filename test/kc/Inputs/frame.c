/* Counts the allocations of calls. The elements of all weights are powers of two, so results are exact. */
#include "net.h"
#include <stdio.h>
#include <stdlib.h>

static int allocations;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size) {
  allocations++;
  return __real_realloc(block, size);
}

int __real_posix_memalign(void **block, size_t align, size_t size);
int __wrap_posix_memalign(void **block, size_t align, size_t size) {
  allocations++;
  return __real_posix_memalign(block, align, size);
}

void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size) {
  allocations++;
  return __real_aligned_alloc(align, size);
}

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

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  fill(x, 32 * 256, 0.125f);
  fill(a, 512 * 256, 0.25f);
  fill(b, 512 * 512, 1.0f);
  fill(c, 512 * 512, 1.0f);
  minoan_f32_2 first = call(0);
  printf("first call: %.0f, allocations: %s\n", first.data[0], allocations ? "some" : "none");
  minoan_free(first.allocated);

  allocations = 0;
  minoan_f32_2 second = call(0);
  int count = allocations;
  printf("second call: %.0f, allocations: %d\n", second.data[16383], count);

  allocations = 0;
  minoan_f32_2 third = call(0);
  count = allocations;
  printf("result kept: %.0f, allocations: %d\n", third.data[100], count);

  allocations = 0;
  minoan_f32_2 last = call(1);
  count = allocations;
  printf("in memory of the caller: %.0f, allocations: %d\n", last.data[5000], count);
  return 0;
}

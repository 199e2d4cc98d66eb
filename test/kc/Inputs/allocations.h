/* Counts the calls of the C library's allocator: the definitions here precede those of the library in every search. */
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long allocations;

void *malloc(size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_realloc(block, size);
}
void *aligned_alloc(size_t align, size_t size) {
  __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
  return __libc_memalign(align, size);
}
void *memalign(size_t align, size_t size) {
  return aligned_alloc(align, size);
}
int posix_memalign(void **block, size_t align, size_t size) {
  *block = aligned_alloc(align, size);
  return *block ? 0 : ENOMEM;
}

/* Random sequences of calls with handles that may be stale, of another kind or made up: sequences [COUNT [SEED]].
 *
 * Built with AddressSanitizer by `cargo xtask c`: buffers of exactly the stated sizes show writes beyond them, and leaks are reported. The
 * results of calls are not checked here, except that the objects that were created are released at the end. */
#include <minoan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HANDLES 64
#define LENGTH 120

static uint64_t state;

/* Marsaglia's xorshift64*. */
static size_t below(size_t bound) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return (size_t)((state * 0x2545F4914F6CDD1Dull) >> 33) % bound;
}

static MinoanHandle handles[HANDLES];
static size_t count;

/* A handle that was created, released or not, or one that never was. */
static MinoanHandle any(void) {
  MinoanHandle made_up = {below(3) ? below(1000) : (uint64_t)below(1000) << 40};
  return count > 0 && below(8) ? handles[below(count < HANDLES ? count : HANDLES)] : made_up;
}

/* Keeps a new object; the oldest one makes room. */
static void keep(MinoanStatus status, MinoanHandle handle) {
  if (status != MinoanStatus_Ok)
    return;
  if (count >= HANDLES)
    minoan_release(handles[count % HANDLES]);
  handles[count++ % HANDLES] = handle;
}

static const char *const sources[] = {
    "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}",
    "func.func @f(%t: memref<?xf32>) -> f32 {\n  %c0 = arith.constant 0 : index\n  %v = memref.load %t[%c0] : memref<?xf32>\n  return %v : f32\n}",
    "(def f (Vec Float) ((s : Float) (v : Vec Float)) (build (size v) (lam (i : Integer) (mul s (index i v)))))",
    "(def f Float (x : Float) (mul x y))",
    "f = i(\"+ij~i\")",
    "func.func @f(",
    "",
};
static const char *const names[] = {"f.mlir", "f.ks", "f.iexpr", "f.relay", "f", ""};
static const char *const texts[] = {"f", "g", "arith.constant", "value", "1.0 : f32", "cse", "canonicalize,nonsense", "cpu",
                                    "x86-64-v3", "builtin.module(dce)", "i32", "\xff", "memref<"};

#define ANY(list) list[below(sizeof list / sizeof *list)]

/* Text or null. */
static const char *text(void) { return below(12) ? ANY(texts) : NULL; }

static void called(int32_t severity, const char *file, uint32_t line, uint32_t column, const char *message, const char *rendered,
                   void *user) {
  (void)severity, (void)line, (void)column;
  *(size_t *)user += (file ? strlen(file) : 0) + strlen(message) + strlen(rendered);
}

/* Calls a function with arrays on the heap of exactly their size. */
static void call(void) {
  MinoanHandle function = any(), results[3];
  MinoanArgument arguments[3];
  size_t shapes[3][2], given = below(4), n_results = below(4);
  ptrdiff_t strides[2] = {4, 0};
  float *data[3];
  for (size_t at = 0; at < given; at++) {
    shapes[at][0] = below(5), shapes[at][1] = 1 + below(3);
    size_t rank = below(3), elements = 1;
    for (size_t dim = 0; dim < rank; dim++)
      elements *= shapes[at][dim];
    data[at] = malloc(elements * sizeof(float) + (elements == 0));
    for (size_t element = 0; element < elements; element++)
      data[at][element] = (float)element;
    MinoanArgument argument = {below(6) ? MinoanType_F32 : (int32_t)below(20), below(2), rank, shapes[at], NULL, data[at]};
    if (rank == 1 && below(4) == 0)
      argument.strides = strides;
    if (below(20) == 0)
      argument.data = NULL;
    arguments[at] = argument;
  }
  /* A larger type than that of the elements would be a lie of the caller, which nobody can detect. */
  for (size_t at = 0; at < given; at++)
    if (arguments[at].type_ == MinoanType_I64 || arguments[at].type_ == MinoanType_U64 || arguments[at].type_ == MinoanType_F64)
      arguments[at].type_ = MinoanType_F32;
  if (below(3) == 0) {
    /* The last arrays get the results. */
    size_t first = below(given + 1);
    minoan_function_call_into(function, (int32_t)below(4), arguments, first, arguments + first, given - first);
  }
  MinoanStatus status = minoan_function_call(function, (int32_t)below(4), arguments, given, results, n_results);
  if (status == MinoanStatus_Ok)
    for (size_t at = 0; at < n_results; at++)
      keep(status, results[at]);
  for (size_t at = 0; at < given; at++)
    free(data[at]);
}

static void step(size_t *characters) {
  MinoanHandle out, handle = any();
  size_t size = below(64), needed, numbers[3];
  char *buffer = malloc(size + 1);
  int32_t type;
  ptrdiff_t rank, extents[2];
  const void *data;
  switch (below(24)) {
  case 0: keep(minoan_session_create(&out), out); break;
  case 1: minoan_release(handle); break;
  case 2: case 3: case 4:
    keep(minoan_module_parse(handle, ANY(names), ANY(sources), &out), out);
    break;
  case 5: keep(minoan_module_create(handle, &out), out); break;
  case 6: keep(minoan_module_clone(handle, &out), out); break;
  case 7: minoan_module_print(handle, below(2), size ? buffer : NULL, size, &needed); break;
  case 8: minoan_module_verify(handle); break;
  case 9: minoan_module_run(handle, text()); break;
  case 10: keep(minoan_module_operation(handle, &out), out); break;
  case 11: minoan_operation_counts(handle, &numbers[0], &numbers[1], &numbers[2]); break;
  case 12: keep(minoan_operation_first(handle, below(2), below(2), &out), out); break;
  case 13: keep(minoan_operation_next(handle, &out), out); break;
  case 14: minoan_operation_print(handle, (int32_t)below(7) - 1, below(3), size ? buffer : NULL, size, &needed); break;
  case 15: minoan_operation_attribute(handle, text(), size ? buffer : NULL, size, &needed); break;
  case 16: minoan_operation_set_attribute(handle, text(), text()); break;
  case 17: minoan_operation_erase(handle); break;
  case 18: minoan_module_append(handle, ANY(sources)); break;
  case 19: {
    MinoanValue operand = {any(), (int32_t)below(3) - 1, below(2), below(2)};
    const char *type_name = text(), *name = text(), *value = text();
    MinoanOperationState parts = {text(), &operand, below(2), &type_name, below(2), &name, &value, below(2), below(8) == 0, &handle, below(8) == 0};
    keep(minoan_operation_create(handle, (int32_t)below(3), below(8) ? &parts : NULL, &out), out);
    minoan_operation_set_operand(handle, below(2), operand);
    break;
  }
  case 20: {
    const char *type_name = text();
    keep(minoan_operation_add_block(handle, below(2), &type_name, below(2), &out), out);
    keep(minoan_operation_block(handle, below(2), below(2), &out), out);
    break;
  }
  case 21: keep(minoan_function_create(handle, text(), &out), out); break;
  case 22:
    minoan_session_set_option(handle, text(), text());
    minoan_session_on_diagnostic(handle, below(2) ? called : NULL, characters);
    if (minoan_array_type(handle, &type, &rank, numbers, 3) == MinoanStatus_Ok)
      minoan_array_data(handle, &data, &needed);
    minoan_function_type(handle, below(2), below(3), &type, &rank, extents, below(3));
    break;
  default: call(); break;
  }
  minoan_error_message(size ? buffer : NULL, size, &needed);
  free(buffer);
}

int main(int argc, char **argv) {
  size_t sequences = argc > 1 ? strtoul(argv[1], NULL, 10) : 20, characters = 0;
  state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  for (size_t sequence = 0; sequence < sequences; sequence++) {
    MinoanHandle out;
    count = 0;
    keep(minoan_session_create(&out), out);
    if (minoan_module_parse(out, names[0], sources[0], &out) == MinoanStatus_Ok)
      keep(MinoanStatus_Ok, out);
    if (minoan_module_parse(handles[0], names[1], sources[2], &out) == MinoanStatus_Ok)
      keep(MinoanStatus_Ok, out);
    for (size_t module = 1; module < count && module < 3; module++)
      if (minoan_function_create(handles[module], "f", &out) == MinoanStatus_Ok)
        keep(MinoanStatus_Ok, out);
    for (size_t at = 0; at < LENGTH; at++)
      step(&characters);
    for (size_t at = 0; at < HANDLES && at < count; at++)
      minoan_release(handles[at]);
  }
  printf("%zu sequences, %zu objects are left\n", sequences, minoan_handle_count());
  return minoan_handle_count() != 0;
}

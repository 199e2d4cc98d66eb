/* Loads a classifier, a model in Relay, and prints the scores of rows of numbers: classify MODEL. */
#include <minoan.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a function of the library has failed. */
static void check(MinoanStatus status) {
  if (status == MinoanStatus_Ok)
    return;
  char message[4096];
  minoan_error_message(message, sizeof message, NULL);
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static void on_diagnostic(int32_t severity, const char *file, uint32_t line, uint32_t column, const char *message,
                          const char *rendered, void *user) {
  (void)severity, (void)rendered;
  ++*(int *)user;
  printf("diagnostic at %s:%u:%u: %s\n", file ? file : "?", (unsigned)line, (unsigned)column, message);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: classify MODEL\n");
    return 2;
  }
  MinoanHandle session, model, classify, scores;
  check(minoan_session_create(&session));
  check(minoan_module_read(session, argv[1], &model));
  check(minoan_function_create(model, "classify", &classify));

  const float rows[2][3] = {{1, 0, 0}, {0, 2, 1}};
  const float weights[2][3] = {{1, 0, 0}, {0, 1, 0}};
  const size_t rows_shape[2] = {2, 3}, weights_shape[2] = {2, 3};
  MinoanArgument arguments[2] = {
      {MinoanType_F32, false, 2, rows_shape, NULL, (void *)rows},
      {MinoanType_F32, false, 2, weights_shape, NULL, (void *)weights},
  };
  check(minoan_function_call(classify, MinoanBackend_Jit, arguments, 2, &scores, 1));

  size_t shape[2], size;
  const void *data;
  check(minoan_array_type(scores, NULL, NULL, shape, 2));
  check(minoan_array_data(scores, &data, &size));
  for (size_t row = 0; row < shape[0]; row++)
    for (size_t class = 0; class < shape[1]; class++)
      printf("%.4f%c", ((const float *)data)[row * shape[1] + class], class + 1 < shape[1] ? ' ' : '\n');

  /* A program that calls often keeps the memory of the results. */
  float kept[2][2];
  const size_t kept_shape[2] = {2, 2};
  MinoanArgument destination = {MinoanType_F32, true, 2, kept_shape, NULL, kept};
  check(minoan_function_call_into(classify, MinoanBackend_Jit, arguments, 2, &destination, 1));
  printf("in place: %.4f %.4f\n", kept[1][0], kept[1][1]);

  /* Errors are statuses with messages: an argument of another shape, a handle that was released, a program with an error. */
  char message[256];
  const size_t wrong[1] = {6};
  arguments[0].rank = 1;
  arguments[0].shape = wrong;
  if (minoan_function_call(classify, MinoanBackend_Jit, arguments, 2, &scores, 1) != MinoanStatus_Ok) {
    minoan_error_message(message, sizeof message, NULL);
    printf("%s\n", message);
  }
  check(minoan_release(model));
  if (minoan_module_verify(model) == MinoanStatus_BadHandle)
    printf("the model is released\n");
  int seen = 0;
  check(minoan_session_on_diagnostic(session, on_diagnostic, &seen));
  if (minoan_module_parse(session, "bad.ks", "(def f Float (x : Float)\n  (mul x y))", &model) == MinoanStatus_Invalid)
    printf("%d diagnostic\n", seen);

  check(minoan_release(scores));
  check(minoan_release(classify));
  check(minoan_release(session));
  printf("%zu objects are left\n", minoan_handle_count());
  return 0;
}

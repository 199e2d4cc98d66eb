#include "values.h"
#include <stdio.h>

static l_List list(int32_t n) {
  l_List result = l_List_Nil();
  for (int32_t at = n; at > 0; at--) {
    l_List longer = l_List_Cons(at, result);
    l_List_release(result);
    result = longer;
  }
  return result;
}

static void print(l_List list) {
  list = l_List_retain(list);
  while (l_List_tag(list) == l_List_Cons_tag) {
    l_List rest = l_List_Cons_1(list);
    printf(" %d", l_List_Cons_0(list));
    l_List_release(list);
    list = rest;
  }
  printf("\n");
}

int main(void) {
  minoan_failure failure;
  l_List xs = list(5), ys, zs;
  int32_t code = l_rev(xs, &ys, &failure);
  printf("rev: %d,", code);
  print(ys);
  /* The argument is what the caller owns, so it is not changed. */
  code = l_twice(ys, &zs, &failure);
  printf("twice: %d,", code);
  print(zs);
  printf("argument:");
  print(ys);
  l_List_release(ys);
  l_List_release(zs);

  float data[] = {1, 2, 3, 4};
  l_Option some = l_Option_Some(minoan_f32_2_of(data, 2, 2)), none = l_Option_None(), found;
  code = l_transposed(some, &found, &failure);
  minoan_f32_2 array = l_Option_Some_0(found);
  printf("transposed: %d, %d x %d, %g %g %g %g\n", code, (int)array.sizes[0], (int)array.sizes[1], array.data[0],
         array.data[1], array.data[2], array.data[3]);
  l_Option_release(found);
  code = l_transposed(none, &found, &failure);
  printf("none: %d, %d\n", code, l_Option_tag(found) == l_Option_None_tag);
  l_Option_release(some);

  /* A program that fails leaves the values of the caller, and no others. */
  printf("before: %d\n", (int)minoan_live_objects());
  code = l_failing(xs, &zs, &failure);
  printf("failing: %d, %s\n", code, failure.message);
  printf("after: %d\n", (int)minoan_live_objects());
  printf("kept:");
  print(xs);
  printf("released: %d\n", l_List_release(xs));
  printf("released again: %d\n", l_List_release(xs));
  code = l_rev(xs, &ys, &failure);
  printf("dead: %d, %s\n", code, failure.message);
  printf("left: %d\n", (int)minoan_live_objects());
  return 0;
}

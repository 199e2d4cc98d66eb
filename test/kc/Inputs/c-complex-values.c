#include "values.h"
#include <stdio.h>

int main(void) {
  minoan_failure failure;
  minoan_c64 a = {1, 2}, b = {3, -1}, i = {0, 1};
  minoan_c32 p = {0.5f, -4}, q = {-2, -0.0f};
  l_List end = l_List_Nil();
  l_List second = l_List_Cons(b, 8, q, end);
  l_List first = l_List_Cons(a, 7, p, second);
  l_List result;
  int32_t code = l_scaled(first, i, &result, &failure);
  printf("%d", code);
  l_List rest = l_List_retain(result);
  while (l_List_tag(rest) == l_List_Cons_tag) {
    minoan_c64 x = l_List_Cons_0(rest);
    minoan_c32 z = l_List_Cons_2(rest);
    printf(", %g%+gi %d %g%+gi", x.re, x.im, l_List_Cons_1(rest), z.re, z.im);
    l_List next = l_List_Cons_3(rest);
    l_List_release(rest);
    rest = next;
  }
  l_List_release(rest);
  l_List_release(result);
  l_List_release(first);
  l_List_release(second);
  printf("\nleft: %d\n", (int)minoan_live_objects());
  return 0;
}

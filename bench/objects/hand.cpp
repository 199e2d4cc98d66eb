// The functions of objects.relay by hand: lists of malloc and free, std::map, a network that writes to buffers of its caller.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

struct List {
  int32_t value;
  List *rest;
};

static List *cons(int32_t value, List *rest) {
  List *cell = static_cast<List *>(malloc(sizeof(List)));
  cell->value = value;
  cell->rest = rest;
  return cell;
}

static List *below(int32_t n) {
  List *list = nullptr;
  for (; n != 0; --n) list = cons(n, list);
  return list;
}

static int32_t first_of(List *list) {
  int32_t first = list ? list->value : 0;
  while (list) {
    List *rest = list->rest;
    free(list);
    list = rest;
  }
  return first;
}

extern "C" int32_t build(int32_t n) { return first_of(below(n)); }

extern "C" int32_t map10(int32_t n) {
  List *list = below(n);
  for (int times = 0; times < 10; ++times)
    for (List *at = list; at; at = at->rest) at->value += 1;
  return first_of(list);
}

extern "C" int32_t reverse10(int32_t n) {
  List *list = below(n);
  for (int times = 0; times < 10; ++times) {
    List *onto = nullptr;
    while (list) {
      List *rest = list->rest;
      list->rest = onto;
      onto = list;
      list = rest;
    }
    list = onto;
  }
  return first_of(list);
}

extern "C" int32_t fold10(int32_t n) {
  List *list = below(n);
  uint32_t sum = 0;
  for (int times = 0; times < 10; ++times)
    for (List *at = list; at; at = at->rest) sum += static_cast<uint32_t>(at->value);
  first_of(list);
  return static_cast<int32_t>(sum);
}

static List *merged(List *a, List *b) {
  List *result = nullptr, **end = &result;
  while (a && b) {
    List *&less = a->value < b->value ? a : b;
    *end = less;
    end = &less->rest;
    less = less->rest;
  }
  *end = a ? a : b;
  return result;
}

static List *sorted(List *list) {
  if (!list || !list->rest) return list;
  List *left = nullptr, *right = nullptr;
  while (list) {
    List *rest = list->rest;
    list->rest = right;
    right = left;
    left = list;
    list = rest;
  }
  return merged(sorted(left), sorted(right));
}

extern "C" int32_t sort(int32_t n) {
  List *list = nullptr;
  uint32_t seed = 1;
  for (; n != 0; --n, seed = seed * 1664525u + 1013904223u) list = cons(static_cast<int32_t>(seed), list);
  return first_of(sorted(list));
}

extern "C" int32_t insert(int32_t n) {
  std::map<int32_t, char> map;
  uint32_t seed = 1;
  for (; n != 0; --n, seed = seed * 1664525u + 1013904223u) map.emplace(static_cast<int32_t>(seed), 0);
  return static_cast<int32_t>(map.size());
}

struct Parse {
  Parse *left, *right;
  float value;
};

static Parse *parse(int32_t depth, int32_t number) {
  Parse *node = static_cast<Parse *>(malloc(sizeof(Parse)));
  node->left = depth ? parse(depth - 1, number + 1) : nullptr;
  node->right = depth ? parse(depth - 1, number + (1 << depth)) : nullptr;
  node->value = static_cast<float>(number % 17) / 17.0f;
  return node;
}

static void drop(Parse *node) {
  if (node->left) drop(node->left), drop(node->right);
  free(node);
}

static void meaning(const Parse *node, const float *__restrict w, const float *__restrict b, float *__restrict h) {
  enum { D = 64 };
  if (!node->left) {
    for (int i = 0; i < D; ++i) h[i] = node->value * b[i];
    return;
  }
  float both[2 * D], sum[D];
  meaning(node->left, w, b, both);
  meaning(node->right, w, b, both + D);
  for (int i = 0; i < D; ++i) sum[i] = b[i];
  for (int k = 0; k < 2 * D; ++k)
    for (int i = 0; i < D; ++i) sum[i] += both[k] * w[k * D + i];
  for (int i = 0; i < D; ++i) h[i] = tanhf(sum[i]);
}

extern "C" void network(int32_t depth, const float *w, const float *b, float *h) {
  Parse *tree = parse(depth, 0);
  meaning(tree, w, b, h);
  drop(tree);
}

extern "C" int32_t fib(int32_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int32_t ackermann_of(int32_t m, int32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann_of(m - 1, 1);
  return ackermann_of(m - 1, ackermann_of(m, n - 1));
}

extern "C" int32_t ackermann(int32_t n) { return ackermann_of(3, n); }

struct Chain {
  Chain *left, *right;
  int32_t value;
};

// The recursion of the left side would exhaust the stack of the process, so it is a loop.
extern "C" int32_t depth(int32_t n) {
  Chain *tree = nullptr;
  for (int32_t at = 1; at <= n; ++at) {
    Chain *node = static_cast<Chain *>(malloc(sizeof(Chain)));
    *node = {tree, nullptr, at};
    tree = node;
  }
  uint32_t sum = 0;
  for (const Chain *at = tree; at; at = at->left) sum += static_cast<uint32_t>(at->value);
  while (tree) {
    Chain *left = tree->left;
    free(tree);
    tree = left;
  }
  return static_cast<int32_t>(sum);
}

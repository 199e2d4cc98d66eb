// Builds a function with a loop by operations, and calls it: power BASE EXPONENT
#include <minoan.hpp>

#include <iostream>

// ANCHOR: build
// func.func @power(%base: f64, %exponent: index) -> f64
static void build(const minoan::Module &module) {
  minoan::Operation function = module.body().append(
      "func.func", {}, {}, {{"sym_name", "\"power\""}, {"function_type", "(f64, index) -> f64"}}, 1);
  minoan::Block entry = function.add_block(0, {"f64", "index"});
  minoan::Value zero = entry.append("arith.constant", {}, {"index"}, {{"value", "0 : index"}}).result();
  minoan::Value step = entry.append("arith.constant", {}, {"index"}, {{"value", "1 : index"}}).result();
  minoan::Value one = entry.append("arith.constant", {}, {"f64"}, {{"value", "1.0 : f64"}}).result();
  // The loop carries the product: its body takes the index and the product, and yields the next product.
  minoan::Operation loop = entry.append("scf.for", {zero, entry.argument(1), step, one}, {"f64"}, {}, 1);
  minoan::Block body = loop.add_block(0, {"index", "f64"});
  minoan::Value product =
      body.append("arith.mulf", {body.argument(1), entry.argument(0)}, {"f64"}).result();
  body.append("scf.yield", {product});
  entry.append("func.return", {loop.result()});
}
// ANCHOR_END: build

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: power BASE EXPONENT\n";
    return 2;
  }
  try {
    minoan::Session session;
    minoan::Module module = session.create();
    build(module);
    module.verify();
    std::cout << module.print();
    minoan::Function power = module.function("power");
    std::cout << power({std::stod(argv[1]), std::int64_t{std::stol(argv[2])}})[0].scalar<double>() << "\n";
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

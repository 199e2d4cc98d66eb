// A compiler of arithmetic functions of numbers, one on each line: `hyp a b = sqrt(a * a + b * b)`. A function may call those
// above it. Each becomes a function of MLIR's func, arith and math dialects; the last one is compiled and called with the
// numbers of the command line: calc FILE NUMBER...
#include <minoan.hpp>

#include <cctype>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace {

// Translates a function to MLIR's text by recursive descent over its expression.
class Compiler {
public:
  std::string function(const std::string &line) {
    text = line, at = 0, next = 0, body.clear();
    std::vector<std::string> names;
    for (skip(); at < text.size() && text[at] != '='; skip())
      names.push_back(name());
    if (names.empty())
      throw std::runtime_error("a function has a name");
    expect('=');
    std::map<std::string, std::string> scope;
    std::string parameters, types;
    for (std::size_t i = 1; i < names.size(); i++) {
      scope[names[i]] = "%p" + std::to_string(i);
      parameters += (i > 1 ? ", " : "") + scope[names[i]] + ": f64";
    }
    variables = &scope;
    std::string result = sum();
    skip();
    if (at != text.size())
      throw std::runtime_error("unexpected '" + text.substr(at) + "'");
    arities[names[0]] = names.size() - 1;
    last = names[0];
    return "func.func @" + names[0] + "(" + parameters + ") -> f64 {\n" + body + "  return " + result + " : f64\n}\n";
  }

  std::string last;
  std::map<std::string, std::size_t> arities;

private:
  std::string text, body;
  std::size_t at = 0, next = 0;
  const std::map<std::string, std::string> *variables = nullptr;

  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      at++;
  }
  bool take(char c) {
    skip();
    bool found = at < text.size() && text[at] == c;
    at += found;
    return found;
  }
  void expect(char c) {
    if (!take(c))
      throw std::runtime_error(std::string("expected '") + c + "' in: " + text);
  }
  std::string name() {
    std::size_t start = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      at++;
    if (at == start)
      throw std::runtime_error("expected a name in: " + text);
    return text.substr(start, at - start);
  }
  std::string emit(const std::string &operation) {
    std::string value = "%v" + std::to_string(next++);
    body += "  " + value + " = " + operation + "\n";
    return value;
  }
  std::string binary(const char *operation, const std::string &a, const std::string &b) {
    return emit(std::string("arith.") + operation + " " + a + ", " + b + " : f64");
  }
  std::string sum() {
    std::string value = product();
    for (;;) {
      if (take('+'))
        value = binary("addf", value, product());
      else if (take('-'))
        value = binary("subf", value, product());
      else
        return value;
    }
  }
  std::string product() {
    std::string value = factor();
    for (;;) {
      if (take('*'))
        value = binary("mulf", value, factor());
      else if (take('/'))
        value = binary("divf", value, factor());
      else
        return value;
    }
  }
  std::string factor() {
    if (take('(')) {
      std::string value = sum();
      expect(')');
      return value;
    }
    skip();
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) {
      std::size_t length = 0;
      double number = std::stod(text.substr(at), &length);
      at += length;
      std::ostringstream shown;
      shown.precision(17);
      shown << std::scientific << number;
      return emit("arith.constant " + shown.str() + " : f64");
    }
    std::string called = name();
    if (!take('(')) {
      auto found = variables->find(called);
      if (found == variables->end())
        throw std::runtime_error("there is no variable '" + called + "'");
      return found->second;
    }
    std::vector<std::string> arguments;
    if (!take(')')) {
      do
        arguments.push_back(sum());
      while (take(','));
      expect(')');
    }
    std::string list, types;
    for (const std::string &argument : arguments) {
      list += (list.empty() ? "" : ", ") + argument;
      types += types.empty() ? "f64" : ", f64";
    }
    for (const char *function : {"sqrt", "exp", "log", "sin", "cos"})
      if (called == function && arguments.size() == 1)
        return emit("math." + called + " " + list + " : f64");
    auto arity = arities.find(called);
    if (arity == arities.end() || arity->second != arguments.size())
      throw std::runtime_error("there is no function '" + called + "' of " + std::to_string(arguments.size()));
    return emit("func.call @" + called + "(" + list + ") : (" + types + ") -> f64");
  }
};

int run(int argc, char **argv) {
  std::ifstream file(argv[1]);
  Compiler compiler;
  std::string source;
  for (std::string line; std::getline(file, line);)
    if (!line.empty())
      source += compiler.function(line);
  minoan::Session session;
  minoan::Module module = session.create();
  module.append(source);
  module.verify();
  module.run("builtin.module(inline,func.func(canonicalize,cse))");
  std::cout << module.print();

  std::vector<double> numbers;
  for (int i = 2; i < argc; i++)
    numbers.push_back(std::stod(argv[i]));
  minoan::Function function = module.function(compiler.last);
  std::vector<minoan::Array> results;
  if (numbers.size() == 1)
    results = function({numbers[0]});
  else if (numbers.size() == 2)
    results = function({numbers[0], numbers[1]});
  else
    throw std::runtime_error("one or two numbers are expected");
  std::cout << compiler.last << " = " << results[0].scalar<double>() << "\n";
  if (numbers.size() == 2) {
    double result = 0;
    function.into({minoan::Destination(result)}, {numbers[1], numbers[0]});
    std::cout << compiler.last << " with the numbers exchanged = " << result << "\n";
  }
  try {
    function({1.0f});
  } catch (const minoan::Error &error) {
    std::cout << "an error: " << error.what() << "\n";
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: calc FILE NUMBER...\n";
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

// The C++17 interface of Minoan: objects that release their handles, and exceptions for statuses.
#ifndef MINOAN_HPP
#define MINOAN_HPP

#include "minoan.h"

#include <complex>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace minoan {

/// A function of the interface has failed; `what()` says why, with source lines and carets.
class Error : public std::runtime_error {
public:
  explicit Error(MinoanStatus status, const std::string &message) : std::runtime_error(message), status_(status) {}
  MinoanStatus status() const { return status_; }

private:
  MinoanStatus status_;
};

/// Throws an `Error` unless the status is `Ok`.
inline void check(MinoanStatus status) {
  if (status == MinoanStatus_Ok)
    return;
  std::size_t needed = 0;
  minoan_error_message(nullptr, 0, &needed);
  std::string message(needed, '\0');
  minoan_error_message(&message[0], message.size(), nullptr);
  message.resize(needed - 1);
  throw Error(status, message);
}

/// A text that `get(buffer, size, needed)` copies.
template <typename Get> std::string text(Get get) {
  std::size_t needed = 0;
  check(get(nullptr, 0, &needed));
  std::string result(needed, '\0');
  check(get(&result[0], result.size(), &needed));
  result.resize(needed - 1);
  return result;
}

/// A handle that is released with its object. It can be moved, and not be copied.
class Object {
public:
  Object() : handle_{0} {}
  explicit Object(MinoanHandle handle) : handle_(handle) {}
  Object(Object &&other) noexcept : handle_(std::exchange(other.handle_, MinoanHandle{0})) {}
  Object &operator=(Object &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  ~Object() {
    if (handle_.id != 0)
      minoan_release(handle_);
  }
  MinoanHandle handle() const { return handle_; }
  explicit operator bool() const { return handle_.id != 0; }

protected:
  MinoanHandle handle_;
};

template <typename T> struct TypeOf;
template <> struct TypeOf<bool> { static constexpr int value = MinoanType_Bool; };
template <> struct TypeOf<int8_t> { static constexpr int value = MinoanType_I8; };
template <> struct TypeOf<int16_t> { static constexpr int value = MinoanType_I16; };
template <> struct TypeOf<int32_t> { static constexpr int value = MinoanType_I32; };
template <> struct TypeOf<int64_t> { static constexpr int value = MinoanType_I64; };
template <> struct TypeOf<uint8_t> { static constexpr int value = MinoanType_U8; };
template <> struct TypeOf<uint16_t> { static constexpr int value = MinoanType_U16; };
template <> struct TypeOf<uint32_t> { static constexpr int value = MinoanType_U32; };
template <> struct TypeOf<uint64_t> { static constexpr int value = MinoanType_U64; };
template <> struct TypeOf<float> { static constexpr int value = MinoanType_F32; };
template <> struct TypeOf<double> { static constexpr int value = MinoanType_F64; };
template <> struct TypeOf<std::complex<float>> { static constexpr int value = MinoanType_C32; };
template <> struct TypeOf<std::complex<double>> { static constexpr int value = MinoanType_C64; };

/// A scalar or a dense row-major array that a call reads. The memory stays the caller's and must outlive the call.
class Argument {
public:
  template <typename T> Argument(const T &scalar) : Argument(&scalar, {}) {}
  template <typename T>
  Argument(const T *data, std::vector<std::size_t> shape)
      : type_(TypeOf<T>::value), data_(const_cast<T *>(data)), shape_(std::move(shape)) {}
  MinoanArgument get() const { return {type_, false, shape_.size(), shape_.data(), nullptr, data_}; }

private:
  int type_;
  void *data_;
  std::vector<std::size_t> shape_;
};

/// A dense row-major array, or a scalar, that a call writes a result to. The memory is the caller's.
class Destination {
public:
  template <typename T> explicit Destination(T &scalar) : Destination(&scalar, {}) {}
  template <typename T>
  Destination(T *data, std::vector<std::size_t> shape) : type_(TypeOf<T>::value), data_(data), shape_(std::move(shape)) {}
  MinoanArgument get() const { return {type_, true, shape_.size(), shape_.data(), nullptr, data_}; }

private:
  int type_;
  void *data_;
  std::vector<std::size_t> shape_;
};

/// A result of a call.
class Array : public Object {
public:
  using Object::Object;
  std::vector<std::size_t> shape() const {
    std::ptrdiff_t rank = 0;
    check(minoan_array_type(handle_, nullptr, &rank, nullptr, 0));
    std::vector<std::size_t> shape(rank > 0 ? static_cast<std::size_t>(rank) : 0);
    check(minoan_array_type(handle_, nullptr, nullptr, shape.data(), shape.size()));
    return shape;
  }
  /// The elements, which live as long as the array.
  template <typename T> std::pair<const T *, std::size_t> elements() const {
    int type = 0;
    const void *data = nullptr;
    std::size_t size = 0;
    check(minoan_array_type(handle_, &type, nullptr, nullptr, 0));
    if (type != TypeOf<T>::value)
      throw Error(MinoanStatus_BadArgument, "the array has elements of another type");
    check(minoan_array_data(handle_, &data, &size));
    return {static_cast<const T *>(data), size / sizeof(T)};
  }
  /// The only element.
  template <typename T> T scalar() const {
    auto [data, count] = elements<T>();
    if (count != 1)
      throw Error(MinoanStatus_BadArgument, "expected an array with one element");
    return *data;
  }
};

/// A function, compiled by its first call.
class Function : public Object {
public:
  using Object::Object;
  void compile() const { check(minoan_function_compile(handle_)); }
  std::vector<Array> operator()(std::initializer_list<Argument> arguments, MinoanBackend backend = MinoanBackend_Jit) const {
    std::size_t expected = 0, count = 0;
    check(minoan_function_counts(handle_, &expected, &count));
    std::vector<MinoanArgument> passed;
    for (const Argument &argument : arguments)
      passed.push_back(argument.get());
    std::vector<MinoanHandle> handles(count);
    check(minoan_function_call(handle_, backend, passed.data(), passed.size(), handles.data(), count));
    std::vector<Array> results;
    for (MinoanHandle handle : handles)
      results.emplace_back(handle);
    return results;
  }
  /// Calls the function, which writes its results to memory of the caller.
  void into(std::initializer_list<Destination> destinations, std::initializer_list<Argument> arguments,
            MinoanBackend backend = MinoanBackend_Jit) const {
    std::vector<MinoanArgument> passed, targets;
    for (const Argument &argument : arguments)
      passed.push_back(argument.get());
    for (const Destination &destination : destinations)
      targets.push_back(destination.get());
    check(minoan_function_call_into(handle_, backend, passed.data(), passed.size(), targets.data(), targets.size()));
  }
  /// Calls the function with arguments in JSON, an array of all of them; the results in JSON.
  std::string json(const std::string &arguments, MinoanBackend backend = MinoanBackend_Jit) const {
    MinoanHandle handle{0};
    check(minoan_function_call_json(handle_, backend, arguments.c_str(), &handle));
    Array result(handle);
    auto [data, size] = result.elements<int8_t>();
    return std::string(reinterpret_cast<const char *>(data), size);
  }
};

class Operation;

/// A value: a result of an operation, or an argument of a block. It keeps the handle of that alive.
class Value {
public:
  Value(std::shared_ptr<Object> owner, std::size_t index)
      : owner_(std::move(owner)), value_{owner_->handle(), -1, 0, index} {}
  const MinoanValue &get() const { return value_; }

private:
  std::shared_ptr<Object> owner_;
  MinoanValue value_;
};

/// A block, which operations are appended to. Copies are the same block.
class Block {
public:
  explicit Block(MinoanHandle handle) : object_(std::make_shared<Object>(handle)) {}
  Value argument(std::size_t index) const { return Value(object_, index); }
  /// Appends an operation. Types and attributes are in MLIR's text; the regions have no blocks.
  Operation append(const std::string &name, const std::vector<Value> &operands = {},
                   const std::vector<std::string> &result_types = {},
                   const std::vector<std::pair<std::string, std::string>> &attributes = {}, std::size_t regions = 0,
                   const std::vector<Block> &successors = {}) const;
  MinoanHandle handle() const { return object_->handle(); }

private:
  std::shared_ptr<Object> object_;
};

/// An operation. Copies are the same operation.
class Operation {
public:
  explicit Operation(MinoanHandle handle) : object_(std::make_shared<Object>(handle)) {}
  Value result(std::size_t index = 0) const { return Value(object_, index); }
  /// Appends a block with arguments of these types to a region.
  Block add_block(std::size_t region, const std::vector<std::string> &types = {}) const {
    std::vector<const char *> texts;
    for (const std::string &type : types)
      texts.push_back(type.c_str());
    MinoanHandle block{0};
    check(minoan_operation_add_block(handle(), region, texts.data(), texts.size(), &block));
    return Block(block);
  }
  Block block(std::size_t region, std::size_t index) const {
    MinoanHandle block{0};
    check(minoan_operation_block(handle(), region, index, &block));
    return Block(block);
  }
  /// The operation with its regions, as text.
  std::string print() const {
    return text([&](char *buffer, std::size_t size, std::size_t *needed) {
      return minoan_operation_print(handle(), MinoanProperty_Text, 0, buffer, size, needed);
    });
  }
  MinoanHandle handle() const { return object_->handle(); }

private:
  std::shared_ptr<Object> object_;
};

inline Operation Block::append(const std::string &name, const std::vector<Value> &operands,
                               const std::vector<std::string> &result_types,
                               const std::vector<std::pair<std::string, std::string>> &attributes, std::size_t regions,
                               const std::vector<Block> &successors) const {
  std::vector<MinoanValue> values;
  for (const Value &operand : operands)
    values.push_back(operand.get());
  std::vector<const char *> types, keys, texts;
  for (const std::string &type : result_types)
    types.push_back(type.c_str());
  for (const auto &attribute : attributes) {
    keys.push_back(attribute.first.c_str());
    texts.push_back(attribute.second.c_str());
  }
  std::vector<MinoanHandle> blocks;
  for (const Block &successor : successors)
    blocks.push_back(successor.handle());
  MinoanOperationState state{};
  state.name = name.c_str();
  state.operands = values.data(), state.operand_count = values.size();
  state.result_types = types.data(), state.result_count = types.size();
  state.attribute_names = keys.data(), state.attribute_values = texts.data(), state.attribute_count = keys.size();
  state.region_count = regions;
  state.successors = blocks.data(), state.successor_count = blocks.size();
  MinoanHandle operation{0};
  check(minoan_block_append(handle(), &state, &operation));
  return Operation(operation);
}

/// A module.
class Module : public Object {
public:
  using Object::Object;
  void append(const std::string &source) const { check(minoan_module_append(handle_, source.c_str())); }
  void verify() const { check(minoan_module_verify(handle_)); }
  /// The block of the module's operations.
  Block body() const {
    MinoanHandle top{0};
    check(minoan_module_operation(handle_, &top));
    return Operation(top).block(0, 0);
  }
  void run(const std::string &pipeline) const { check(minoan_module_run(handle_, pipeline.c_str())); }
  std::string print(bool generic = false) const {
    return text([&](char *buffer, std::size_t size, std::size_t *needed) {
      return minoan_module_print(handle_, generic, buffer, size, needed);
    });
  }
  Function function(const std::string &symbol) const {
    MinoanHandle function{0};
    check(minoan_function_create(handle_, symbol.c_str(), &function));
    return Function(function);
  }
};

/// A session.
class Session : public Object {
public:
  Session() { check(minoan_session_create(&handle_)); }
  void set(const std::string &option, const std::string &value) const {
    check(minoan_session_set_option(handle_, option.c_str(), value.c_str()));
  }
  Module parse(const std::string &name, const std::string &source) const {
    MinoanHandle module{0};
    check(minoan_module_parse(handle_, name.c_str(), source.c_str(), &module));
    return Module(module);
  }
  Module read(const std::string &path) const {
    MinoanHandle module{0};
    check(minoan_module_read(handle_, path.c_str(), &module));
    return Module(module);
  }
  Module create() const {
    MinoanHandle module{0};
    check(minoan_module_create(handle_, &module));
    return Module(module);
  }
};

} // namespace minoan

#endif

//! Headers in C99 and C++ for the functions of a library.
//!
//! A function `f` of a library is called by an inline function `<prefix>f`, which takes its arguments by value, pointers to
//! its results, and a pointer to a `minoan_failure` or null. It returns 0 or an error code. Arrays
//! are structures with an address, extents and strides, one type for each element type and rank. If there are arrays among the
//! results, `<prefix>f_into` takes memory of the caller for them. Vectors are structures of their elements. Values of data types are
//! structures with a handle, one type for each, with functions that create them and read their fields.

mod exact;
mod names;
mod values;

use crate::interface::{ElementType, ValueType};
use crate::library::{Library, LibraryFunction};
use exact::Vector;
use minoan_ir::{SymbolTable, Type};
use minoan_services::function_types;
use names::Names;
use std::collections::BTreeSet;
use std::fmt::Write;
use values::Values;

pub use names::identifier;

/// The header of a library. `file` is its name, from which the include guard is derived; each function has the `prefix`.
pub fn header(library: &Library, file: &str, prefix: &str) -> String {
    let guard = format!("MINOAN_{}", identifier(file).to_uppercase());
    let mut out = format!(
        "/* Functions of {}, compiled by Minoan {}. */\n#ifndef {guard}\n#define {guard}\n\n{COMMON}\n",
        file.trim_end_matches(".h").replace("*/", ""),
        env!("CARGO_PKG_VERSION"),
    );
    let (mut arrays, mut vectors, mut has_narrow) = (BTreeSet::new(), BTreeSet::new(), false);
    let functions: Vec<Declared<'_>> =
        library.functions.iter().map(|function| Declared::of(library, function)).collect();
    let mut names = Names::default();
    let mut values = Values::default();
    for slot in functions.iter().flat_map(|function| function.arguments.iter().chain(&function.results)) {
        values.add(&slot.ty, prefix, &mut names);
        match slot.vector() {
            Some(vector) => _ = vectors.insert(vector),
            None => arrays.extend(array_of(&slot.ty)),
        }
        has_narrow |= slot.is_exact() && exact::is_narrow(&slot.ty);
    }
    arrays.extend(values.leaves().iter().filter_map(array_of));
    arrays.iter().for_each(|array| out += &array.declaration());
    vectors.iter().for_each(|vector: &Vector| out += &vector.declaration());
    if has_narrow {
        out += exact::REFUSED;
    }
    out += &values.declarations(&mut names);
    for function in &functions {
        let symbol = format!("{prefix}{}", function.symbol);
        let name = names.unique(identifier(&symbol));
        out += &call(&name, "minoan_call_", &symbol, function, &values, false);
    }
    // The names of functions come before those of their forms.
    for function in &functions {
        if function.results.iter().any(Slot::is_array) {
            let symbol = format!("{prefix}{}", function.symbol);
            let name = names.unique(identifier(&format!("{symbol}_into")));
            out += &call(&name, "minoan_call_into_", &symbol, function, &values, true);
        }
    }
    let _ = writeln!(out, "#ifdef __cplusplus\n}}\n#endif\n\n#endif");
    out
}

/// The declarations common to all headers.
const COMMON: &str = r#"#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MINOAN_COMPILED
#define MINOAN_COMPILED 1

/* Why a call has no results: the value that it returns. */
enum {
  MINOAN_OK = 0,           /* It has results. */
  MINOAN_BAD_ARGUMENT = 1, /* An argument does not match: extents, strides, alignment. */
  MINOAN_ASSERTION = 2,    /* An assertion of the program failed. */
  MINOAN_STACK = 3,        /* Recursion is too deep. */
  MINOAN_MEMORY = 4,       /* Out of memory. */
  MINOAN_DIVISION = 5,     /* A division instruction trapped, in a program of MLIR without checks; see MINOAN_ASSERTION. */
  MINOAN_FAULT = 6         /* Any other fault. */
};

/* A failure: its code, and a message that starts with the place in the source, if that is known. */
typedef struct {
  int32_t code;
  char message[508];
} minoan_failure;

/* Complex numbers, with the layout of float _Complex, double _Complex and std::complex. */
typedef struct {
  float re;
  float im;
} minoan_c32;
typedef struct {
  double re;
  double im;
} minoan_c64;

/* Frees an array result: `minoan_free(result.allocated)`. */
void minoan_free(void *block);

#endif
"#;

/// The header's type of arrays with an element type and a rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Array {
    name: &'static str,
    element: &'static str,
    rank: usize,
}

impl Array {
    fn type_name(self) -> String {
        format!("minoan_{}_{}", self.name, self.rank)
    }

    /// The structure, which is a memref descriptor, and a function that creates one for a dense array.
    fn declaration(self) -> String {
        let Array { element, rank, .. } = self;
        let name = self.type_name();
        let guard = format!("{}_DECLARED", name.to_uppercase());
        let dims = if rank > 0 {
            format!("\n  int64_t sizes[{rank}];\n  int64_t strides[{rank}];")
        } else {
            String::new()
        };
        let extents: String = (0..rank).map(|dim| format!(", int64_t n{dim}")).collect();
        let mut fill = String::new();
        for dim in 0..rank {
            // Writing to a string does not fail.
            let _ = write!(fill, "\n  array.sizes[{dim}] = n{dim};");
        }
        for dim in (0..rank).rev() {
            let stride = match dim + 1 {
                next if next == rank => "1".to_owned(),
                next => format!("array.strides[{next}] * n{next}"),
            };
            let _ = write!(fill, "\n  array.strides[{dim}] = {stride};");
        }
        format!(
            "#ifndef {guard}\n#define {guard}\n\
             /* An array of rank {rank}; offset and strides count elements. Only dense arrays are accepted: offset 0, row-major strides. */\n\
             typedef struct {{\n  void *allocated;\n  {element} *data;\n  int64_t offset;{dims}\n}} {name};\n\n\
             /* A dense row-major array at an address, which stays the caller's. */\n\
             static inline {name} {name}_of(const {element} *data{extents}) {{\n  {name} array;\n  \
             array.allocated = NULL;\n  array.data = ({element} *)data;\n  array.offset = 0;{fill}\n  return array;\n}}\n\
             #endif\n\n"
        )
    }
}

/// An argument or result of a function.
struct Slot {
    /// The name in the source.
    name: String,
    ty: ValueType,
    /// Whether the compiled function has a vector, whose type in the interface is that of a tensor.
    is_vector: bool,
}

impl Slot {
    fn vector(&self) -> Option<Vector> {
        match &self.ty {
            ValueType::Tensor { shape, element } if self.is_vector => Some(Vector::new(shape, *element)),
            _ => None,
        }
    }

    fn is_array(&self) -> bool {
        !self.is_vector && array_of(&self.ty).is_some()
    }

    /// Whether it is passed as its elements.
    fn is_exact(&self) -> bool {
        self.is_vector || matches!(self.ty, ValueType::Scalar(_))
    }

    fn c_type(&self, values: &Values) -> String {
        self.vector().map_or_else(|| values.c_type(&self.ty), |vector| vector.type_name())
    }
}

/// A function of the library, with the scalars, arrays and vectors that its parameters and results consist of.
struct Declared<'l> {
    symbol: &'l str,
    arguments: Vec<Slot>,
    results: Vec<Slot>,
}

impl<'l> Declared<'l> {
    fn of(library: &Library, function: &'l LibraryFunction) -> Self {
        let interface = &function.interface;
        let (ctx, body) = (library.module.context(), library.module.body());
        let op = SymbolTable::of(body).get(ctx.name(&function.symbol));
        let (inputs, results) = op.and_then(|op| function_types(body.op(op))).unwrap_or_default();
        // Only MLIR has vectors, whose functions have a parameter for each argument.
        let is_vector = |types: &[Type], at: usize| types.get(at).is_some_and(|ty| ty.is_vector(ctx));
        let mut arguments: Vec<Slot> = Vec::new();
        for (param, ty) in interface.param_names().iter().zip(&interface.params) {
            let leaves = ty.leaves();
            for (index, leaf) in leaves.iter().enumerate() {
                let name = if leaves.len() == 1 { param.clone() } else { format!("{param}_{index}") };
                let is_vector = is_vector(inputs, arguments.len());
                arguments.push(Slot { name, ty: leaf.clone(), is_vector });
            }
        }
        let leaves = interface.result_leaves().into_iter().enumerate();
        let results =
            leaves.map(|(at, (name, ty))| Slot { name, ty, is_vector: is_vector(results, at) }).collect();
        Self { symbol: &function.symbol, arguments, results }
    }
}

/// A function that calls the symbol with this prefix. With `destinations`, array results are passed by value.
fn call(
    name: &str,
    prefix: &str,
    symbol: &str,
    function: &Declared<'_>,
    values: &Values,
    destinations: bool,
) -> String {
    let mut names = Names::default();
    names.unique("failure".to_owned());
    names.unique("slots".to_owned());
    names.unique("code".to_owned());
    let (mut parameters, mut slots) = (Vec::new(), Vec::new());
    let (mut before, mut after) = (String::new(), String::new());
    for slot in &function.arguments {
        let own = names.unique(identifier(&slot.name));
        parameters.push(format!("{} {own}", slot.c_type(values)));
        slots.push(format!("&{own}"));
        if slot.is_exact() {
            before += &exact::before(&slot.ty, &own);
        }
    }
    for slot in &function.results {
        let own = names.unique(identifier(&slot.name));
        if destinations && slot.is_array() {
            parameters.push(format!("{} {own}", slot.c_type(values)));
            slots.push(format!("&{own}"));
            continue;
        }
        parameters.push(format!("{} *{own}", slot.c_type(values)));
        if slot.is_exact() {
            after += &exact::after(&slot.ty, &own);
        }
        slots.push(own);
    }
    if !after.is_empty() {
        after = format!("  if (code) return code;\n{after}");
    }
    parameters.push("minoan_failure *failure".to_owned());
    let (parameters, count) = (parameters.join(", "), slots.len().max(1));
    let slots = if slots.is_empty() { "NULL".to_owned() } else { slots.join(", ") };
    let target = identifier(&format!("{prefix}{symbol}"));
    let label = match target == format!("{prefix}{symbol}") {
        true => String::new(),
        false => format!(" __asm__(\"{prefix}{}\")", symbol.escape_default()),
    };
    format!(
        "int32_t {target}(void **slots, char *message, int64_t size){label};\n\
         static inline int32_t {name}({parameters}) {{\n  void *slots[{count}] = {{{slots}}};\n{before}  \
         int32_t code = {target}(slots, failure ? failure->message : NULL, failure ? (int64_t)sizeof failure->message : 0);\n  \
         if (failure) failure->code = code;\n{after}  return code;\n}}\n\n"
    )
}

fn array_of(ty: &ValueType) -> Option<Array> {
    let (element, rank) = match ty {
        ValueType::Tensor { shape, element } => (*element, shape.len()),
        ValueType::String => (ElementType::Signed(8), 1),
        _ => return None,
    };
    let (name, element) = c_element(element);
    Some(Array { name, element, rank })
}

/// The name of an element type, and its type in C; half precision is its bits, and a complex number a structure.
fn c_element(element: ElementType) -> (&'static str, &'static str) {
    match element {
        ElementType::Bool => ("bool", "bool"),
        ElementType::Signed(..=8) => ("i8", "int8_t"),
        ElementType::Signed(..=16) => ("i16", "int16_t"),
        ElementType::Signed(..=32) => ("i32", "int32_t"),
        ElementType::Unsigned(..=8) => ("u8", "uint8_t"),
        ElementType::Unsigned(..=16) => ("u16", "uint16_t"),
        ElementType::Unsigned(..=32) => ("u32", "uint32_t"),
        ElementType::Unsigned(_) => ("u64", "uint64_t"),
        ElementType::Signed(_) => ("i64", "int64_t"),
        ElementType::F16 => ("f16", "uint16_t"),
        ElementType::BF16 => ("bf16", "uint16_t"),
        ElementType::F32 => ("f32", "float"),
        ElementType::F64 => ("f64", "double"),
        ElementType::ComplexF32 => ("c32", "minoan_c32"),
        ElementType::ComplexF64 => ("c64", "minoan_c64"),
    }
}

//! The language Toy: functions over matrices.
//!
//! The chapters in `docs/src/toy` explain this crate: [`parse`] and [`ast`], the dialect, its shape rules and its meaning,
//! [`emit`], the conversion to shared dialects, the pass `order-products`, and [`language`], which makes programs run.
//!
//! ```
//! use minoan::{Backend, Float};
//! let session = toy::language::session();
//! let program = session.read_text("double.toy", "def main(x) { return x + x; }")?;
//! let entry = session.entry(&program, "main", Float::F64)?;
//! let args = entry.interface.parse_args(&serde_json::json!([[[1, 2]]]))?;
//! let result = session.run(&entry, &args, Backend::Interpret)?;
//! assert_eq!(entry.interface.result_text(&result), "[[2, 4]]");
//! # Ok::<(), minoan::Failure>(())
//! ```
#![forbid(unsafe_code)]

pub mod ast;
pub mod dialect;
pub mod emit;
pub mod evaluate;
pub mod language;
pub mod lower;
pub mod order_products;
pub mod parse;
pub mod shapes;

use minoan::ir::Registry;
use minoan::pass::PassRegistry;

/// Minoan's dialects and Toy's.
pub fn registry() -> Registry {
    let mut registry = minoan::registry();
    registry.add(dialect::ToyDialect);
    registry
}

/// Minoan's passes and Toy's.
pub fn passes() -> PassRegistry {
    let mut passes = minoan::pass_registry();
    passes.add(|| Box::new(order_products::OrderProducts));
    passes
}

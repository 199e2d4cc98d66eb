//! The relay dialect: the operators of TVM's Relay.
//!
//! * [`operators`] is the table: name, arguments, pattern, type relation and attributes of each.
//! * [`attrs`] completes what a call writes by the defaults, and says what is wrong with it.
//! * [`ty`] and [`relation`] say how the types of arguments and results follow from each other.
//!
//! ```
//! use minoan_relay_dialect::attrs::{AttrValue, Attrs, complete};
//! use minoan_relay_dialect::relation::{Answer, relate};
//! use minoan_relay_dialect::{DType, Dim, Type, operators};
//! let dense = operators::find("nn.dense").unwrap();
//! let attrs = complete(dense, &Attrs::from_iter([("units", AttrValue::Int(4))])).unwrap();
//! let data = Type::tensor([Dim::Known(2), Dim::Known(3)], DType::F32);
//! let Ok(Answer::Solved { args, result }) = relate(dense, &[data, Type::Hole(0)], &attrs) else { panic!() };
//! assert_eq!(args[1].to_string(), "Tensor[(4, 3), float32]");
//! assert_eq!(result.to_string(), "Tensor[(2, 4), float32]");
//! ```
#![forbid(unsafe_code)]

pub mod attrs;
pub mod operators;
pub mod relation;
pub mod ty;

pub use ty::{DType, Dim, TensorType, Type};

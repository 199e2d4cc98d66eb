//! The operations of the dialect.

mod boundary;
mod calls;
mod casts;
mod control;
mod encode;
mod instance;
mod materialize;
mod pass_through;
mod specs;
mod types;

pub use calls::{TypeRelation, call, operator_of};
pub use control::{Call, Constant, Func, Get, If, MakeTuple, Return, Yield};
pub use encode::{attrs_of, encode};
pub use instance::{INSTANCE, Instance, SourceTypes, TypeCall, TypeParts, TypeVar};
pub(crate) use types::tensor_from_ir;
pub use types::{MAX_PARTS, MAX_TUPLE_DEPTH, from_ir, is_value_type, to_ir};

pub(crate) use calls::{FromTable, agrees, declare_operators};
pub(crate) use instance::RelayRules;
pub(crate) use materialize::Constants;

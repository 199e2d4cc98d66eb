//! Evaluation: the values during execution, and the executable semantics of operations.

mod buffer;
mod constant;
mod data;
mod elementwise;
mod evaluate;
mod integer;
mod object;
mod scalar;

pub use buffer::{Buffer, Encoding, View};
pub use constant::zero_attr;
pub use data::{
    Datum, OUT_OF_MEMORY, Partial, SIZE_OVERFLOWS, Tensor, TensorData, UNDEFINED_DIVISION, UNDEFINED_POWER,
};
pub use elementwise::{
    FloatBinary, FloatOp, FloatTernary, FloatUnary, IntBinary, IntUnary, elementwise, elementwise_lenient,
    operand_scalar, result_scalar,
};
pub use evaluate::{Evaluate, EvaluateFn, EvaluateOp, EvaluateYield, Flow, Machine, Trap};
pub use integer::{Bits, IntBits, MOST_NARROW, WideBits, wrap};
pub use object::{Object, ObjectKind};
pub use scalar::{Part, Scalar};

//! Operations on tangents.

use crate::types::{FLOAT, VALUE};
use minoan_ir::{InferInput, Type, op};

/// Adds a tangent to a value.
#[op(
    "knossos.ts_add",
    assembly = "$value `,` $tangent attr-dict `:` type($value) `,` type($tangent)",
    infer = infer_value
)]
pub struct TsAdd {
    /// The value.
    value: Operand<VALUE>,
    /// Its tangent.
    tangent: Operand<VALUE>,
    /// Their sum.
    result: OpResult<VALUE>,
}

/// Scales a tangent by a number.
#[op(
    "knossos.ts_scale",
    assembly = "$factor `,` $value attr-dict `:` type($factor) `,` type($value)",
    infer = infer_tangent
)]
pub struct TsScale {
    /// The factor.
    factor: Operand<FLOAT>,
    /// The tangent.
    value: Operand<VALUE>,
    /// The product.
    result: OpResult<VALUE>,
}

/// The inner product of two tangents.
#[op(
    "knossos.ts_dot",
    traits(SAME_OPERANDS),
    assembly = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
    derive(rhs = minoan_ir::constraints::same_as(lhs), "both sides have one type")
)]
pub struct TsDot {
    /// The left tangent.
    lhs: Operand<VALUE>,
    /// The right tangent.
    rhs: Operand<VALUE>,
    /// The product.
    result: OpResult<FLOAT>,
}

/// Negates a tangent.
#[op("knossos.ts_neg", traits(SAME_OPERANDS_AND_RESULT), assembly = "$value attr-dict `:` type($value)")]
pub struct TsNeg {
    /// The tangent.
    value: Operand<VALUE>,
    /// The negated tangent.
    result: OpResult<VALUE>,
}

fn infer_value(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    input.operands.first().map(|&ty| vec![ty]).ok_or_else(|| "expected 2 operands".to_owned())
}

fn infer_tangent(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    input.operands.get(1).map(|&ty| vec![ty]).ok_or_else(|| "expected 2 operands".to_owned())
}

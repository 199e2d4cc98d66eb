//! Calls of derivatives.

use crate::types::VALUE;
use minoan_ir::{Body, FlatSymbolRef, OpDef, Violations, op};

/// A call of the derivative of a function.
///
/// `knossos.derivative @f "rev"(%x, %y, %d) : (f32, f32, f32) -> tuple<f32, f32>`: the arguments of the function, then the
/// tangent of its argument (`"fwd"`) or the cotangent of its result (`"rev"`). The result is the tangent of the result, or
/// the cotangent of the argument. Numbers without a tangent are the empty tuple in a tangent.
#[op(
    "knossos.derivative",
    assembly = "$callee $mode `(` $args `)` attr-dict `:` functional-type($args, results)",
    verify = verify_derivative
)]
pub struct Derivative {
    /// The symbol of the function.
    callee: FlatSymbolRef,
    /// `"fwd"` or `"rev"`.
    mode: String,
    /// The arguments, one per parameter, and the tangent or cotangent.
    args: Vec<Operand<VALUE>>,
    /// The tangent or cotangent.
    result: OpResult<VALUE>,
}

fn verify_derivative(call: Derivative, body: &Body, errors: &mut Violations) {
    if !matches!(call.mode(body), "fwd" | "rev") {
        errors.push("expects mode \"fwd\" or \"rev\"");
    }
    if body.op(call.op()).n_operands() == 0 {
        errors.push("expects a tangent or a cotangent as its last operand");
    }
}

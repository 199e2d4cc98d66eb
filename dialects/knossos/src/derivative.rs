//! Calls of derivatives.

use crate::types::VALUE;
use minoan_ir::constraints::{FLAT_SYMBOL_REF, STRING_ATTR};
use minoan_ir::{Body, Op, Violations, op};

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
    #[attr(FLAT_SYMBOL_REF)]
    callee: Attr,
    /// `"fwd"` or `"rev"`.
    #[attr(STRING_ATTR)]
    mode: Attr,
    /// The arguments, one per parameter, and the tangent or cotangent.
    #[operand(VALUE)]
    args: Vec<Value>,
    /// The tangent or cotangent.
    #[result(VALUE)]
    result: Value,
}

fn verify_derivative(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let mode = view.attr_named("mode").and_then(|mode| mode.as_str(body.context()));
    if !matches!(mode, Some("fwd" | "rev")) {
        errors.push("expects mode \"fwd\" or \"rev\"");
    }
    if view.n_operands() == 0 {
        errors.push("expects a tangent or a cotangent as its last operand");
    }
}

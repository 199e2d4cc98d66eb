//! Signs of floats.

use minoan_ir::{Body, OpRef, Value, service};

/// What is known about the sign of a float, or of all elements of a tensor. NaN has any sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FloatSign {
    /// Nothing.
    Unknown,
    /// It is not less than zero.
    NonNegative,
    /// It is greater than zero.
    Positive,
}

/// The sign of the floats that an operation computes. Queried by derivatives, which divide without precautions by what is not
/// zero. Default: unknown.
pub trait SignOf: Send + Sync {
    /// The sign of the only result; `of` determines those of operands.
    fn sign(&self, op: OpRef<'_>, of: &dyn Fn(Value) -> FloatSign) -> FloatSign;
}
service!(dyn SignOf, "SignOf", Optional);

/// How many operations behind each other are considered.
const DEPTH: usize = 4;

impl dyn SignOf {
    /// The sign of a value.
    pub fn of(body: &Body, value: Value) -> FloatSign {
        Self::within(body, value, DEPTH)
    }

    fn within(body: &Body, value: Value, depth: usize) -> FloatSign {
        let known = body.defining_op(value).filter(|_| depth > 0).and_then(|op| {
            let view = body.op(op);
            let service = view.context().service::<dyn SignOf>(view.kind())?;
            Some(service.sign(view, &|operand| Self::within(body, operand, depth - 1)))
        });
        known.unwrap_or(FloatSign::Unknown)
    }
}

impl SignOf for FloatSign {
    fn sign(&self, _: OpRef<'_>, _: &dyn Fn(Value) -> FloatSign) -> FloatSign {
        *self
    }
}

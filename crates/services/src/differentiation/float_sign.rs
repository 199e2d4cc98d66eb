//! Signs of floats.

use minoan_ir::{Body, OpRef, Value, service};

/// The known range of a float, or of all elements of a tensor, relative to zero. NaN is in every range.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FloatSign {
    /// Any value.
    Unknown,
    /// Zero or greater.
    NonNegative,
    /// Greater than zero.
    Positive,
}

/// The sign of the floats that an operation computes. Queried by derivative rules, which need no guard for a divisor that is
/// positive. Default: unknown.
pub trait SignOf: Send + Sync {
    /// The sign of the only result; `of` determines those of operands.
    fn sign(&self, op: OpRef<'_>, of: &dyn Fn(Value) -> FloatSign) -> FloatSign;
}
service!(dyn SignOf, "SignOf", Optional);

/// The maximum depth of the search through producers.
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

//! Time measurement.

use crate::Yield;
use crate::ops::with_region;
use crate::types::{NUMBER, is_number};
use minoan_functional::verify_region;
use minoan_ir::{Body, Builder, Op, Type, Value, Violations, op};

/// The least time of an execution of the region, in microseconds.
///
/// `knossos.bench { ^bb0(%call: i64): .. knossos.yield %x : f32 } : f32`. The region is executed repeatedly; its argument counts
/// the executions from 0. The yielded values are used, so that they are computed each time.
#[op(
    "knossos.bench",
    traits(SINGLE_BLOCK),
    assembly = "$body attr-dict `:` type($result)",
    verify = verify_bench
)]
pub struct Bench {
    /// The time.
    result: OpResult<NUMBER>,
    /// The measured computation.
    #[region(non_empty)]
    body: Region,
}

fn verify_bench(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let yielded = verify_region::<Yield>(body, op, 0, &[Type::I64], None, errors);
    if yielded.is_some_and(|ty| !is_number(ctx, ty)) {
        errors.push("must yield a number");
    }
    if view.result_types().next().is_some_and(|ty| !ty.is_float(ctx)) {
        errors.push("the time must be a float");
    }
}

impl Bench {
    /// Creates a measurement with a result of type `float`; `fill` computes a number from the count of the executions.
    pub fn with(
        b: &mut Builder<'_>,
        float: Type,
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        with_region::<Bench>(b, &[], &[Type::I64], |_| float, fill)
    }
}

//! Loops.

use crate::constant_of;
use minoan_ir::{Attr, Body, Builder, Context, InsertionPoint, Op, OpRef, Region, Value, service};
use std::ops::Range;

/// A bound or step of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// An operand.
    Value(Value),
    /// A constant that the operation itself holds.
    Constant(Attr),
}

/// A value that counts iterations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Induction {
    /// The argument of the loop's region.
    pub value: Value,
    /// Its first value.
    pub lower: Bound,
    /// Where it ends, itself left out.
    pub upper: Bound,
    /// How much it grows.
    pub step: Bound,
    /// Whether it is compared with the upper bound without sign.
    pub unsigned: bool,
}

impl Bound {
    /// Its value, where that is known.
    pub fn constant(self, body: &Body) -> Option<Attr> {
        match self {
            Bound::Constant(attr) => Some(attr),
            Bound::Value(value) => constant_of(body, value),
        }
    }
}

/// An induction whose bounds are constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Trips {
    /// The first value.
    pub first: i128,
    /// How much it grows; positive.
    pub step: i128,
    /// How many iterations there are.
    pub count: u64,
}

impl Induction {
    /// Its bounds as numbers, where they are constants and the step is positive.
    pub fn trips(&self, body: &Body) -> Option<Trips> {
        let ctx = body.context();
        let width = body.ty(self.value).integer_width(ctx).unwrap_or(64);
        if !(2..=64).contains(&width) {
            return None;
        }
        let number = |bound: Bound| Some(i128::from(bound.constant(body)?.as_i64(ctx)?));
        let compared = |number: i128| if self.unsigned { number & ((1 << width) - 1) } else { number };
        let (first, upper) = (compared(number(self.lower)?), compared(number(self.upper)?));
        let step = number(self.step).filter(|&step| step > 0)?;
        let count = u64::try_from(((upper - first).max(0) + step - 1) / step).ok()?;
        Some(Trips { first, step, count })
    }

    /// Whether a number is one of the positive values of its type.
    pub fn holds(&self, ctx: &Context, body: &Body, number: i128) -> bool {
        let width = body.ty(self.value).integer_width(ctx).unwrap_or(64).min(64);
        width > 1 && (0..1 << (width - 1)).contains(&number)
    }
}

/// What is left of a loop that was widened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Widened {
    /// Where the iterations begin that fill no group; `None` when there are none.
    pub rest: Option<Value>,
}

/// Which operations are loops, and what they carry from one iteration to the next. Asked by motion of code and by
/// transformations of loops; without an answer an operation is no loop.
///
/// Carried value number `n` is operand `inits().start + n` at first, then argument `n` of [`LoopLike::carried`], then
/// what [`LoopLike::yielded`] says at `n`, and result `n` in the end.
pub trait LoopLike: Send + Sync {
    /// The region that runs once for each iteration, or whose code does not depend on where the loop is.
    fn regions(&self, op: OpRef<'_>) -> Vec<Region> {
        op.regions().collect()
    }

    /// The values that count; none for a loop that goes on while a condition holds.
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction>;

    /// Which operands are the first values of what is carried.
    fn inits(&self, op: OpRef<'_>) -> Range<usize>;

    /// The arguments that hold the carried values inside.
    fn carried(&self, op: OpRef<'_>) -> Vec<Value>;

    /// What is carried to the next iteration.
    fn yielded(&self, op: OpRef<'_>) -> Vec<Value>;

    /// Replaces the loop by one that carries more: `inits` start the new values, and `next` makes what they become,
    /// at the end of the region, from the arguments that hold them. The new loop, whose first results are those of
    /// the old one; `None` where that cannot be done, and nothing is changed.
    fn carry_more(
        &self,
        body: &mut Body,
        op: Op,
        inits: &[Value],
        next: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op>;

    /// Makes the value of an induction so many of its steps after the present one; `None` where the dialect cannot.
    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        let _ = (b, induction, times);
        None
    }

    /// Makes the last induction `factor` steps at a time, as often as all of them are iterations; `None` where that
    /// cannot be done, and nothing is changed.
    fn widen(&self, body: &mut Body, op: Op, factor: u32) -> Option<Widened> {
        let _ = (body, op, factor);
        None
    }

    /// Makes the last induction begin elsewhere. Asked of a copy of a loop that could be widened.
    fn begin_at(&self, body: &mut Body, op: Op, lower: Value) {
        let _ = (body, op, lower);
    }
}
service!(dyn LoopLike, "LoopLike", Optional);

impl dyn LoopLike {
    /// Whether a value is defined outside of an operation's regions. Takes time proportional to the nesting.
    pub fn is_outside(body: &Body, op: Op, value: Value) -> bool {
        let Some(block) = body.block_of(value) else { return true };
        let Some(parent) = body.block(block).parent() else { return true };
        body.op(parent).ancestors().all(|around| around.id() != op)
    }

    /// Moves an operation inside a loop to the place before it.
    ///
    /// # Errors
    /// If it, or an operation inside it, uses a value of the loop; nothing is changed then.
    pub fn move_out(body: &mut Body, around: Op, op: Op) -> Result<(), String> {
        let mut pending = vec![op];
        while let Some(inner) = pending.pop() {
            let view = body.op(inner);
            let free = |value: Value| {
                Self::is_outside(body, around, value) || (inner != op && !Self::is_outside(body, op, value))
            };
            if !view.operands().all(free) {
                return Err(format!("'{}' uses a value of the loop", view.name()));
            }
            let blocks = view.regions().flat_map(|region| body.region(region).blocks());
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
        body.move_op(op, InsertionPoint::Before(around))
    }
}

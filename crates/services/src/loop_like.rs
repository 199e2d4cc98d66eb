//! Loops.

use minoan_ir::{Attr, Body, Builder, Op, OpRef, Point, Region, Value, service};
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
        body.move_op(op, Point::Before(around))
    }
}

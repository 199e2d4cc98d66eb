//! Loops: induction variables, trip counts and loop-carried values.

use crate::constant_of;
use minoan_ir::{Attr, Body, Builder, Context, EditError, InsertionPoint, Op, OpRef, Region, Value, service};
use std::ops::Range;

/// A bound or step of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// An operand.
    Value(Value),
    /// A constant attribute of the operation.
    Constant(Attr),
}

/// An induction variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Induction {
    /// The region argument.
    pub value: Value,
    /// The initial value.
    pub lower: Bound,
    /// The exclusive upper bound.
    pub upper: Bound,
    /// The increment.
    pub step: Bound,
    /// Whether it is compared with the upper bound as unsigned.
    pub unsigned: bool,
}

impl Bound {
    /// The constant value of the bound, if known.
    pub fn constant(self, body: &Body) -> Option<Attr> {
        match self {
            Bound::Constant(attr) => Some(attr),
            Bound::Value(value) => constant_of(body, value),
        }
    }
}

/// An induction variable with constant bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConstantBounds {
    /// The initial value.
    pub first: i128,
    /// The increment; positive.
    pub step: i128,
    /// The trip count.
    pub trip_count: u64,
}

impl Induction {
    /// The bounds as numbers, if they are constants and the step is positive.
    pub fn constant_bounds(&self, body: &Body) -> Option<ConstantBounds> {
        let ctx = body.context();
        let width = body.ty(self.value).integer_width(ctx).unwrap_or(64);
        if !(2..=64).contains(&width) {
            return None;
        }
        let number = |bound: Bound| Some(i128::from(bound.constant(body)?.as_i64(ctx)?));
        let compared = |number: i128| if self.unsigned { number & ((1 << width) - 1) } else { number };
        let (first, upper) = (compared(number(self.lower)?), compared(number(self.upper)?));
        let step = number(self.step).filter(|&step| step > 0)?;
        let trip_count = u64::try_from(((upper - first).max(0) + step - 1) / step).ok()?;
        Some(ConstantBounds { first, step, trip_count })
    }

    /// Whether a number is a positive value of the variable's type.
    pub fn holds(&self, ctx: &Context, body: &Body, number: i128) -> bool {
        let width = body.ty(self.value).integer_width(ctx).unwrap_or(64).min(64);
        width > 1 && (0..1 << (width - 1)).contains(&number)
    }
}

/// The remainder of a loop whose step was multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScaledLoop {
    /// The first iteration of the remainder loop; `None` if there is no remainder.
    pub remainder: Option<Value>,
}

/// Loops and their loop-carried values. Queried by code motion and loop transformations. Default: the operation is not
/// a loop.
///
/// Loop-carried value `n` is initialized by operand `inits().start + n`; inside the loop it is argument `n` of
/// [`LoopLike::carried`], its next value is element `n` of [`LoopLike::yielded`], and its final value is result `n`.
pub trait LoopLike: Send + Sync {
    /// The regions that are executed once per iteration, or whose code does not depend on the position of the loop.
    fn regions(&self, op: OpRef<'_>) -> Vec<Region> {
        op.own_regions().collect()
    }

    /// The induction variables; empty for a loop that is controlled by a condition.
    fn inductions(&self, op: OpRef<'_>) -> Vec<Induction>;

    /// The operands that initialize the loop-carried values. Default: there are none.
    fn inits(&self, op: OpRef<'_>) -> Range<usize> {
        op.n_operands()..op.n_operands()
    }

    /// The region arguments that hold the loop-carried values. Default: there are none.
    fn carried(&self, op: OpRef<'_>) -> Vec<Value> {
        let _ = op;
        Vec::new()
    }

    /// The next loop-carried values. Default: there are none.
    fn yielded(&self, op: OpRef<'_>) -> Vec<Value> {
        let _ = op;
        Vec::new()
    }

    /// Replaces the loop by one with additional loop-carried values: `inits` initialize them, and `next` creates
    /// their next values at the end of the region from the new arguments. Returns the new loop, whose first results
    /// are those of the old one; `None`, with nothing changed, if that is impossible.
    fn carry_more(
        &self,
        body: &mut Body,
        op: Op,
        inits: &[Value],
        next: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Option<Op> {
        let _ = (body, op, inits, next);
        None
    }

    /// Replaces a loop that is controlled by a condition by an equivalent one with an induction variable,
    /// where `index` has 64 bits; returns the new loop. `None`, with nothing changed, if the trip count is not computable.
    fn uplift(&self, body: &mut Body, op: Op) -> Option<Op> {
        let _ = (body, op);
        None
    }

    /// Creates the value of an induction variable after `times` further steps; `None` if the dialect cannot.
    fn advance(&self, b: &mut Builder<'_>, induction: Induction, times: u32) -> Option<Value> {
        let _ = (b, induction, times);
        None
    }

    /// Multiplies the step of the last induction variable by `factor`, so that the loop executes all complete
    /// groups of `factor` iterations; `None`, with nothing changed, if that is impossible.
    fn scale_step(&self, body: &mut Body, op: Op, factor: u32) -> Option<ScaledLoop> {
        let _ = (body, op, factor);
        None
    }

    /// Replaces the lower bound of the last induction variable. Called for the copy of a loop that
    /// [`LoopLike::scale_step`] supports.
    fn set_lower_bound(&self, body: &mut Body, op: Op, lower: Value) {
        let _ = (body, op, lower);
    }
}
service!(dyn LoopLike, "LoopLike", Optional);

impl dyn LoopLike {
    /// Whether a value is defined outside of an operation's regions. Takes time proportional to the nesting depth.
    pub fn is_outside(body: &Body, op: Op, value: Value) -> bool {
        let Some(block) = body.block_of(value) else { return true };
        let Some(parent) = body.block(block).parent() else { return true };
        body.op(parent).ancestors().all(|around| around.id() != op)
    }

    /// Hoists an operation out of a loop, to the position before it.
    ///
    /// # Errors
    /// The operation, or one nested in it, uses a value defined in the loop; nothing is changed.
    pub fn try_move_out(body: &mut Body, around: Op, op: Op) -> Result<(), EditError> {
        let mut pending = vec![op];
        while let Some(inner) = pending.pop() {
            let view = body.op(inner);
            let free = |value: Value| {
                Self::is_outside(body, around, value) || (inner != op && !Self::is_outside(body, op, value))
            };
            if !view.operands().all(free) {
                return Err(EditError::OperandIsInside { op: view.name().to_owned() });
            }
            let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
        body.try_move_op(op, InsertionPoint::Before(around))
    }
}

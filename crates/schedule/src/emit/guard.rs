//! Guards: loop bounds that skip iterations in which the reduction term is the neutral element.
//!
//! The term of a reduction may be selected by a comparison of two indices and be the neutral element otherwise, as in a sum over
//! the entries below a diagonal. The loops of such a reduction skip the iterations in which no index of the tile satisfies the
//! comparison, so a triangular product takes half the time of a square one. Skipped iterations leave the accumulators unchanged.

use super::{Emitter, Scalar};
use crate::kernel::{Axis, Kernel, Statement};
use crate::rules::Step;
use minoan_ir::{Builder, OpState, Value};
use minoan_services::{FoldResult, Folded, Folder, IndexTerm, IndexTerms, SelectLike, constant_of};

/// The term of a reduction is non-neutral only where the index of axis `less` is less than that of axis `than`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    less: Axis,
    than: Axis,
}

impl Guard {
    /// The guard of each statement.
    pub(super) fn of_all(b: &mut Builder<'_>, kernel: &Kernel, scalars: &[Scalar]) -> Vec<Option<Guard>> {
        let statements = kernel.statements.iter().zip(scalars);
        statements.map(|(statement, scalar)| Self::of(b, statement, scalar)).collect()
    }

    fn of(b: &mut Builder<'_>, statement: &Statement, scalar: &Scalar) -> Option<Guard> {
        let ctx = b.context();
        let accumulator = scalar.elements[statement.reduction?.accumulator];
        statement.combine()?;
        let combine = b.body().op(b.body().defining_op(scalar.result)?);
        let terms: Vec<Value> = combine.operands().filter(|&operand| operand != accumulator).collect();
        let [term] = terms[..] else { return None };
        let select = b.body().op(b.body().defining_op(term)?);
        let choice = ctx.service::<dyn SelectLike>(select.kind())?.choice(select)?;
        let condition = b.body().op(b.body().defining_op(choice.condition)?);
        let (less, than) = match ctx.service::<dyn IndexTerms>(condition.kind())?.term(condition)? {
            IndexTerm::Less(less, than) => (less, than),
            _ => return None,
        };
        let axis = |index: Value| {
            let dim = scalar.indices.iter().position(|&other| other == index)?;
            statement.axes.get(dim).copied()
        };
        let guard = Guard { less: axis(less)?, than: axis(than)? };
        // The other choice must be the neutral element of the combination.
        let neutral = constant_of(b.body(), choice.no)?;
        let (kind, props, result) = (combine.kind(), combine.props(), combine.result_types().next()?);
        let state = OpState::new(kind).operands(&[accumulator, choice.no]).props(props).results(&[result]);
        let combined = b.create(state);
        let folded = Folder::new(&ctx).fold(b.body().op(combined), &[None, Some(neutral)]);
        b.body_mut().erase(combined);
        (folded == Folded::one(FoldResult::Value(accumulator))).then_some(guard)
    }
}

impl Emitter<'_> {
    /// The bounds of a loop with this body over an axis, without the iterations before and after those in which its reduction
    /// combines something.
    pub(super) fn guarded(
        &self,
        b: &mut Builder<'_>,
        axis: Axis,
        step: i64,
        [lower, upper]: [Value; 2],
        body: &[Step],
    ) -> [Value; 2] {
        let Some(Guard { less, than }) = only_leaf(body).and_then(|statement| {
            let reduces = self.kernel.statements[statement].reduces(axis);
            self.guards[statement].filter(|_| reduces)
        }) else {
            return [lower, upper];
        };
        let index = self.makers.index;
        let one = index.index(b, 1);
        // Over the tile: the lower bound of the index that must be less, and the upper bound of the other one.
        let least = self.axes[less].filter(|_| less != axis).map(|state| state.base);
        let greatest = self.axes[than].filter(|_| than != axis).map(|state| {
            let end = state.end.unwrap_or_else(|| {
                let size = index.index(b, if state.single { 1 } else { state.step });
                index.add(b, state.base, size)
            });
            index.sub(b, end, one)
        });
        match (least, greatest) {
            (None, Some(greatest)) if less == axis => [lower, index.min(b, upper, greatest)],
            (Some(least), None) if than == axis => {
                // The first step with a greater index.
                let next = index.add(b, least, one);
                let next = index.max(b, next, lower);
                let size = index.index(b, step);
                let skipped = index.sub(b, next, lower);
                let skipped = index.div(b, skipped, size);
                let skipped = index.mul(b, skipped, size);
                [index.add(b, lower, skipped), upper]
            }
            (Some(least), Some(greatest)) => {
                let some = index.less(b, least, greatest);
                [lower, index.select(b, some, upper, lower)]
            }
            _ => [lower, upper],
        }
    }
}

/// The statement of the only leaf among steps.
fn only_leaf(steps: &[Step]) -> Option<usize> {
    let [step] = steps else { return None };
    match step {
        Step::Loop { body, .. } => only_leaf(body),
        Step::Leaf { statement, .. } => Some(*statement),
        Step::Pack { .. } => None,
    }
}

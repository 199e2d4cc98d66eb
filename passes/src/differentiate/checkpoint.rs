//! `checkpoint-loops`: trades time for memory in the reverse sweeps of loops.
//!
//! The reverse sweep of a loop needs the loop-carried values of every iteration. A loop with the attribute [`CHECKPOINT`] is split
//! in segments before its function is differentiated in reverse mode: an outer loop over segments, whose number is the square
//! root of the trip count, and inner loops of that length. The derivative of such a nest saves the values at the start of each
//! segment. The reverse sweep of a segment executes it again and saves the values of its iterations, so that about `2 sqrt(n)`
//! values are live at a time instead of `n`, and the body is executed once more.
//!
//! The pass sets the attribute on all loops with loop-carried floats. A loop that updates a tensor in place keeps its form, since
//! the derivative saves only the elements that its iterations read.

use super::Engine;
use super::work::Work;
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Body, Builder, Mapping, Op, OpRef, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{Alias, Bound, Induction, LoopLike, TangentClass, has_tangent};

/// The attribute of loops that are split in segments for reverse mode.
pub const CHECKPOINT: &str = "minoan.checkpoint";

/// The attribute of the loops over the iterations of a segment.
pub(super) const SEGMENT: &str = "minoan.segment";

/// The number of Newton iterations that determine the square root of any trip count: half the number of its bits to approach the
/// root, and the rest to converge.
const ROOT_STEPS: i64 = 40;

/// The minimum trip count, if known, of a loop that is split.
const FEWEST: u64 = 4;

/// Marks loops for checkpointing.
pub struct CheckpointLoops;

impl Pass for CheckpointLoops {
    fn name(&self) -> &'static str {
        "checkpoint-loops"
    }

    fn description(&self) -> &'static str {
        "mark loops to save values at the start of segments only, in reverse mode"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-marked", "Number of loops marked")]
    }

    queries!(LoopLike);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(table) = ctx.service_table::<dyn LoopLike>() else { return Ok(()) };
        let marked = run.each_body(|body| {
            let wanted = |op: &Op| {
                let view = body.op(*op);
                let loops = table.get(view.kind());
                loops.is_some_and(|loops| {
                    loops.inductions(view).len() == 1
                        && loops.carried(view).iter().any(|&value| has_tangent(&ctx, body.ty(value)))
                })
            };
            let found: Vec<Op> = body.walk().into_iter().filter(wanted).collect();
            for &op in &found {
                body.set_attr(op, ctx.name(CHECKPOINT), Some(Attr::UNIT));
            }
            found.len() as u64
        });
        run.count("num-marked", marked.into_iter().sum());
        Ok(())
    }
}

impl Engine<'_> {
    /// Splits the marked loops of a function in segments, inner loops first.
    pub(super) fn split_marked(&self, body: &mut Body) {
        let name = self.ctx.name(CHECKPOINT);
        for op in body.walk().into_iter().rev() {
            if body.op(op).attr(name).is_some() {
                self.split_loop(body, op);
            }
        }
    }

    fn split_loop(&self, body: &mut Body, op: Op) {
        let view = body.op(op);
        let Some(loops) = self.loops.and_then(|table| table.get(view.kind())) else { return };
        let (Some(block), &[induction]) = (Work::entry(view, 0), &loops.inductions(view)[..]) else { return };
        let (carried, yielded) = (loops.carried(view), loops.yielded(view));
        let inits: Vec<Value> = loops.inits(view).map(|index| view.operand(index)).collect();
        let is_object = |&value: &Value| self.class(body.ty(value)) == TangentClass::Object;
        let in_place =
            carried.iter().zip(&yielded).any(|(&value, &next)| self.updates_in_place(body, value, next));
        let fits = view.n_regions() == 1 && carried.len() == view.n_results();
        if !fits || in_place || carried.iter().any(is_object) {
            return;
        }
        let Induction {
            lower: Bound::Value(lower),
            upper: Bound::Value(upper),
            step: Bound::Value(step),
            ..
        } = induction
        else {
            return;
        };
        let known = induction.constant_bounds(body).map(|bounds| bounds.trip_count);
        if known.is_some_and(|count| count < FEWEST) {
            return;
        }
        let (ops, loc) = (self.ops, view.loc());
        let (inner, _) = Work::split(body, block);
        let mut b = Builder::before(body, op).with_loc(loc);
        let (zero, one) = (ops.index(&mut b, 0), ops.index(&mut b, 1));
        let count = ops.trip_count(&mut b, lower, upper, step, induction.unsigned);
        let segment = match known {
            Some(count) => {
                let root = count.isqrt();
                ops.index(&mut b, (root + u64::from(root * root < count)).cast_signed())
            }
            None => self.root(&mut b, count),
        };
        let segments = ops.trip_count(&mut b, zero, count, segment, false);
        let results = ops.counted_loop(&mut b, segments, &inits, &mut |b, number, values| {
            let start = ops.index_mul(b, number, segment);
            let rest = ops.index_sub(b, count, start);
            let beyond = ops.index_sub(b, rest, segment);
            let beyond = ops.trip_count(b, zero, beyond, one, false);
            let length = ops.index_sub(b, rest, beyond);
            let results = ops.counted_loop(b, length, values, &mut |b, number, values| {
                let position = ops.index_add(b, start, number);
                let value = ops.induction_value(b, lower, step, position);
                let mut mapping = Mapping::new();
                mapping.map(induction.value, value);
                for (&carried, &value) in carried.iter().zip(values) {
                    mapping.map(carried, value);
                }
                for &op in &inner {
                    let point = b.insertion_point();
                    b.body_mut().clone_op(op, point, &mut mapping);
                }
                yielded.iter().map(|&value| mapping.value(value)).collect()
            });
            if let Some(op) = results.first().and_then(|&result| b.body().defining_op(result)) {
                b.body_mut().set_attr(op, self.ctx.name(SEGMENT), Some(Attr::UNIT));
            }
            results
        });
        body.replace(op, &results);
    }

    /// The square root of a number, rounded up.
    fn root(&self, b: &mut Builder<'_>, number: Value) -> Value {
        let ops = self.ops;
        let [zero, one, two, steps] = [0, 1, 2, ROOT_STEPS].map(|number| ops.index(b, number));
        let first = ops.index_add(b, number, one);
        let last = ops.counted_loop(b, steps, &[first], &mut |b, _, values| {
            let quotient = ops.trip_count(b, zero, number, values[0], false);
            let sum = ops.index_add(b, values[0], quotient);
            vec![ops.trip_count(b, zero, sum, two, false)]
        });
        last[0]
    }

    /// Whether the next value of a loop-carried tensor is the storage of the tensor with other elements.
    pub(super) fn updates_in_place(&self, body: &Body, carried: Value, next: Value) -> bool {
        let mut value = next;
        while value != carried {
            let Some(op) = body.defining_op(value) else { return false };
            let view: OpRef<'_> = body.op(op);
            let result = view.results().position(|result| result == value).unwrap_or(0);
            let aliases = self.aliases.and_then(|table| table.get(view.kind()));
            match aliases.map(|aliases| aliases.alias(view, result)) {
                Some(Alias::UpdateOf(operand)) => value = view.operand(operand),
                _ => return view.n_regions() > 0 && body.ty(value).is_tensor(self.ctx),
            }
        }
        next != carried
    }
}

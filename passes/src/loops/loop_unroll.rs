//! `loop-unroll`: unrolls loops by a factor, or fully.
//!
//! By a factor: innermost loops execute several iterations at a time, and a remainder loop executes the rest. Fully:
//! a loop with a constant trip count is replaced by its iterations, inner loops first. No loop exceeds a size limit.
//! The service [`LoopLike`] provides the copies and the new bounds.

use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Block, Body, Builder, InsertionPoint, Mapping, Op, OpRef, OpState, ServiceTable, Value,
};
use minoan_pass::{Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{ConstantMaterializer, Induction, LoopLike, wrap};

pass_options! {
    /// The options of the pass.
    pub struct LoopUnrollOptions {
        /// Unroll factor
        "unroll-factor" unroll_factor: usize = 4,
        /// Fully unroll loops with a constant trip count, and no others
        "unroll-full" unroll_full: bool = false,
        /// Limit on the size of an unrolled loop, in operations
        "max-operations" max_operations: usize = 20_000,
    }
}

/// Unrolls loops.
#[derive(Default)]
pub struct LoopUnroll {
    /// The options of this pass.
    pub options: LoopUnrollOptions,
}

impl Pass for LoopUnroll {
    fn name(&self) -> &'static str {
        "loop-unroll"
    }

    fn description(&self) -> &'static str {
        "unroll loops by a factor, or in full"
    }

    own_options!();

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-unrolled", "Number of loops unrolled")]
    }

    queries!(LoopLike, ConstantMaterializer);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(loops) = ctx.service_table::<dyn LoopLike>() else { return Ok(()) };
        let done = run.each_body(|body| unroll_all(body, loops, &self.options));
        run.count("num-unrolled", done.into_iter().sum());
        Ok(())
    }
}

fn unroll_all(body: &mut Body, loops: &ServiceTable<dyn LoopLike>, options: &LoopUnrollOptions) -> u64 {
    let order = body.walk();
    let mut innermost = vec![true; body.op_capacity()];
    let found: Vec<Op> = order.into_iter().filter(|&op| loops.get(body.op(op).kind()).is_some()).collect();
    for &op in &found {
        for around in body.op(op).ancestors().skip(1) {
            if !std::mem::replace(&mut innermost[around.id().index()], false) {
                break;
            }
        }
    }
    let mut done = 0;
    for &op in found.iter().rev() {
        let view = body.op(op);
        let Some(service) = loops.get(view.kind()) else { continue };
        let Some((block, inductions)) = countable(view, service) else { continue };
        let (most, last) = (options.max_operations, inductions[inductions.len() - 1]);
        let unrolled = if options.unroll_full {
            in_full(body, op, block, &inductions, service, most)
        } else if innermost[op.index()] {
            u32::try_from(options.unroll_factor)
                .ok()
                .and_then(|factor| by_factor(body, op, block, last, service, factor, most))
        } else {
            None
        };
        done += u64::from(unrolled.is_some());
    }
    done
}

/// The single block of a loop with induction variables.
fn countable(op: OpRef<'_>, service: &dyn LoopLike) -> Option<(Block, Vec<Induction>)> {
    let body = op.body();
    let mut regions = op.own_regions();
    let (Some(region), None) = (regions.next(), regions.next()) else { return None };
    let mut blocks = body.region(region).blocks();
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return None };
    let inductions = service.inductions(op);
    let fits = service.carried(op).len() == op.n_results() && service.yielded(op).len() == op.n_results();
    (fits && !inductions.is_empty() && body.block(block).last().is_some()).then_some((block, inductions))
}

/// Whether `copies` copies of a block are within the size limit.
fn fits(body: &Body, block: Block, copies: u64, most: usize) -> bool {
    let most = most / usize::try_from(copies.max(1)).unwrap_or(usize::MAX);
    let (mut pending, mut count) = (vec![block], 0);
    while let Some(block) = pending.pop() {
        count += body.block(block).len();
        if count > most {
            return false;
        }
        let regions = body.block(block).ops().flat_map(|op| body.op(op).own_regions());
        pending.extend(regions.flat_map(|region| body.region(region).blocks()));
    }
    true
}

/// A copy of one iteration.
struct Iteration<'a> {
    ops: &'a [Op],
    carried: &'a [Value],
    yielded: &'a [Value],
}

impl Iteration<'_> {
    /// Clones the operations, with other values for the induction variables and the loop-carried values; returns the
    /// next loop-carried values.
    fn copy(&self, body: &mut Body, before: Op, counts: &[(Value, Value)], carried: &[Value]) -> Vec<Value> {
        let mut mapping = Mapping::new();
        let carried = self.carried.iter().copied().zip(carried.iter().copied());
        counts.iter().copied().chain(carried).for_each(|(from, to)| mapping.map(from, to));
        for &op in self.ops {
            body.clone_op(op, InsertionPoint::Before(before), &mut mapping);
        }
        self.yielded.iter().map(|&value| mapping.value(value)).collect()
    }
}

/// The operations of a block without its terminator, and the terminator.
fn parts(body: &Body, block: Block) -> (Vec<Op>, Op) {
    let mut ops: Vec<Op> = body.block(block).ops().collect();
    let end = ops.pop().expect("it has a terminator");
    (ops, end)
}

fn in_full(
    body: &mut Body,
    op: Op,
    block: Block,
    inductions: &[Induction],
    service: &dyn LoopLike,
    most: usize,
) -> Option<()> {
    let ctx = body.context().clone();
    let [induction] = inductions else { return None };
    let bounds = induction.constant_bounds(body)?;
    // The terminator of a loop that cannot be scaled may have side effects.
    let view = body.op(op);
    if !fits(body, block, bounds.trip_count, most)
        || (view.n_results() == 0 && body.op(parts(body, block).1).n_operands() > 0)
    {
        return None;
    }
    let (ty, kind, loc) = (body.ty(induction.value), view.kind(), view.loc());
    let constant = |number: u64| -> Option<OpState> {
        let value =
            wrap(bounds.first + i128::from(number) * bounds.step, ty.integer_width(&ctx).unwrap_or(64));
        let value = Attr::integer(&ctx, value, ty);
        <dyn ConstantMaterializer>::constant(&ctx, kind, value, ty)
    };
    constant(0)?;
    let (carried, yielded) = (service.carried(view), service.yielded(view));
    let mut values: Vec<Value> = view.operands().collect::<Vec<_>>()[service.inits(view)].to_vec();
    let (ops, _) = parts(body, block);
    let iteration = Iteration { ops: &ops, carried: &carried, yielded: &yielded };
    for number in 0..bounds.trip_count {
        let state = constant(number).expect("another constant of the type was made");
        let count = body.create(&state.loc(loc), InsertionPoint::Before(op));
        let count = body.op(count).result(0);
        values = iteration.copy(body, op, &[(induction.value, count)], &values);
        // The induction variable may be a loop-carried value.
        if !body.is_used(count) && !values.contains(&count) {
            body.erase(body.defining_op(count).expect("a constant"));
        }
    }
    body.replace(op, &values);
    Some(())
}

fn by_factor(
    body: &mut Body,
    op: Op,
    block: Block,
    induction: Induction,
    service: &dyn LoopLike,
    factor: u32,
    most: usize,
) -> Option<()> {
    if factor < 2 || !fits(body, block, factor.into(), most) {
        return None;
    }
    // Create the remainder loop before the loop contains anything that it must not have.
    let rest = body.clone_op(op, InsertionPoint::After(op), &mut Mapping::new());
    let Some(scaled) = service.scale_step(body, op, factor) else {
        body.erase(rest);
        return None;
    };
    match scaled.remainder {
        None => body.erase(rest),
        Some(from) => continue_with(body, service, op, rest, from),
    }
    let view = body.op(op);
    let (carried, yielded) = (service.carried(view), service.yielded(view));
    let (ops, end) = parts(body, block);
    let iteration = Iteration { ops: &ops, carried: &carried, yielded: &yielded };
    let mut values = yielded.clone();
    for times in 1..factor {
        let loc = body.op(end).loc();
        let mut b = Builder::before(body, end).with_loc(loc);
        let next = service.advance(&mut b, induction, times).expect("a loop that was scaled counts");
        values = iteration.copy(body, end, &[(induction.value, next)], &values);
    }
    if !values.is_empty() {
        body.set_operands(end, &values);
    }
    Some(())
}

/// Makes the remainder loop continue after the unrolled loop.
fn continue_with(body: &mut Body, service: &dyn LoopLike, op: Op, rest: Op, from: Value) {
    service.set_lower_bound(body, rest, from);
    let results: Vec<Value> = body.op(op).results().collect();
    let last: Vec<Value> = body.op(rest).results().collect();
    for (&result, &last) in results.iter().zip(&last) {
        body.replace_all_uses(result, last);
    }
    let inits = service.inits(body.op(rest));
    for (at, &result) in inits.zip(&results) {
        body.set_operand(rest, at, result);
    }
}

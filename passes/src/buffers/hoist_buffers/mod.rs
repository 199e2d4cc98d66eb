//! `hoist-buffers`: hoists temporary buffers out of loops and moves small ones to the stack.
//!
//! A buffer that is allocated and freed in one iteration of a loop, and whose extents are loop-invariant and are
//! those of other buffers or small constants, is allocated before the loop and freed after it. The same holds for a buffer that
//! is allocated or freed in each branch of an operation ([`branches`]), and for one that an iteration passes on to the next,
//! which frees it: it becomes two buffers that alternate ([`rotation`]). The remaining buffers of small static size are moved
//! to the stack frame, where buffers that are not live at the same time share slots; the size is determined by [`DataLayout`]
//! for the target described by the module's `dlti.dl_spec`, if the pass runs on the module. Loops are visited inside out, so a
//! buffer may be hoisted out of several loops. The time is linear in the number of moved operations.

mod branches;
mod rotation;
mod stack;

use minoan_diag::Diagnostics;
use minoan_ir::{Body, Def, InsertionPoint, Op, OpRef, Value};
use minoan_pass::{Pass, PassRun, queries, requires};
use minoan_services::{
    BufferOps, DataLayout, LayoutSpec, LoopLike, RegionExecution, RegionFlow, Speculation, SpeculationTable,
};
use rustc_hash::FxHashMap;

/// The maximum number of nested loops that a buffer is followed into.
const MAX_LEVELS: usize = 32;

/// Hoists temporary buffers and moves small ones to the stack.
pub struct HoistBuffers;

impl Pass for HoistBuffers {
    fn name(&self) -> &'static str {
        "hoist-buffers"
    }

    fn description(&self) -> &'static str {
        "move temporary buffers out of loops, and small ones to the stack"
    }

    requires!(BufferOps);

    queries!(RegionFlow, LoopLike, DataLayout, Speculation);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let Some(buffers) = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>()) else {
            return Ok(());
        };
        let spec = LayoutSpec::of(&ctx, run.op().attrs);
        run.each_body(|body| {
            branches::leave(body, buffers);
            rotation::rotate(body, buffers);
            leave_loops(body, buffers);
            stack::go_to_stack(body, buffers, &spec);
        });
        Ok(())
    }
}

/// An allocation and its only deallocation.
pub(crate) struct Pair {
    pub(crate) alloc: Op,
    pub(crate) dealloc: Op,
}

/// The deallocations of each buffer of a body; those of a buffer that loops hand around are deallocations of the initial one.
fn frees(body: &Body, buffers: &dyn BufferOps) -> FxHashMap<Value, Vec<Op>> {
    let mut frees: FxHashMap<Value, Vec<Op>> = FxHashMap::default();
    for op in body.walk() {
        if buffers.is_dealloc(body.op(op)) {
            let buffer = handed_around(body, body.op(op).operand(0), MAX_LEVELS);
            frees.entry(buffer).or_default().push(op);
        }
    }
    frees
}

/// The allocations of a body with a single deallocation in the same block, in text order.
pub(crate) fn pairs(body: &Body, buffers: &dyn BufferOps) -> Vec<Pair> {
    let frees = frees(body, buffers);
    let allocs = body.walk().into_iter().filter(|&op| buffers.is_alloc(body.op(op)));
    allocs
        .filter_map(|alloc| match frees.get(&body.op(alloc).result(0))?[..] {
            [dealloc] if body.op(dealloc).block() == body.op(alloc).block() => Some(Pair { alloc, dealloc }),
            _ => None,
        })
        .collect()
}

/// Whether two allocations have the same type, extents and alignment.
fn is_same_kind(one: OpRef<'_>, other: OpRef<'_>) -> bool {
    one.operands().eq(other.operands())
        && one.result_types().eq(other.result_types())
        && one.attr_named("alignment") == other.attr_named("alignment")
}

/// The buffer that a loop result refers to: the initial value of a loop-carried buffer that every iteration yields unchanged,
/// followed through at most `levels` nested loops.
pub(crate) fn handed_around(body: &Body, mut buffer: Value, levels: usize) -> Value {
    while let Def::Result(op, index) = body.def(buffer) {
        let view = body.op(op);
        let service = view.context().service::<dyn LoopLike>(view.kind());
        let Some(service) = service.filter(|_| view.n_regions() == 1) else { break };
        let (carried, yielded) = (service.carried(view), service.yielded(view));
        let fits = carried.len() == view.n_results() && yielded.len() == carried.len();
        if !fits || levels == 0 || handed_around(body, yielded[index], levels - 1) != carried[index] {
            break;
        }
        buffer = view.operand(service.inits(view).start + index);
    }
    buffer
}

/// Computes the extents of an allocation from the initial buffers of loops instead of from the loops' results.
fn use_initial_buffers(body: &mut Body, alloc: Op) {
    let sizes: Vec<Op> = body.op(alloc).operands().filter_map(|size| body.defining_op(size)).collect();
    for size in sizes {
        let operands: Vec<Value> = body.op(size).operands().collect();
        for (index, operand) in operands.into_iter().enumerate() {
            let initial = handed_around(body, operand, MAX_LEVELS);
            if initial != operand {
                body.set_operand(size, index, initial);
            }
        }
    }
}

fn leave_loops(body: &mut Body, buffers: &dyn BufferOps) {
    // In order, since the extents of a later buffer may be those of an earlier one.
    for Pair { alloc, dealloc } in pairs(body, buffers) {
        // The loop may have trip count zero, or check the extents first.
        if !buffers.is_always_possible(body, alloc) {
            continue;
        }
        use_initial_buffers(body, alloc);
        while let Some(around) = body.op(alloc).parent() {
            let view = body.op(around);
            let service = view.context().service::<dyn RegionFlow>(view.kind());
            if service.map(|service| service.execution(view)) != Some(RegionExecution::Repeated) {
                break;
            }
            let Some(chain) = movable(body, alloc, around) else { break };
            for op in chain.into_iter().chain([alloc]) {
                if body.try_move_op(op, InsertionPoint::Before(around)).is_err() {
                    return;
                }
            }
            if body.try_move_op(dealloc, InsertionPoint::After(around)).is_err() {
                return;
            }
            let buffer = body.op(alloc).result(0);
            body.set_operand(dealloc, 0, buffer);
        }
    }
}

/// The operations to hoist out of `around` so that the operands of `op` are available before it, in order; `None` if
/// one cannot be hoisted.
fn movable(body: &Body, op: Op, around: Op) -> Option<Vec<Op>> {
    let mut order = Vec::new();
    let mut state: FxHashMap<Op, bool> = FxHashMap::default();
    let mut stack: Vec<(Op, bool)> = Vec::new();
    let push = |stack: &mut Vec<(Op, bool)>, value: Value| match body.defining_op(value) {
        Some(def) if is_inside(body, def, around) => {
            stack.push((def, false));
            true
        }
        Some(_) => true,
        None => {
            let block = body.block_of(value).and_then(|block| body.block(block).parent());
            !block.is_some_and(|owner| owner == around || is_inside(body, owner, around))
        }
    };
    for operand in body.op(op).operands() {
        if !push(&mut stack, operand) {
            return None;
        }
    }
    while let Some((at, expanded)) = stack.pop() {
        if expanded {
            if state.insert(at, true) != Some(true) {
                order.push(at);
            }
            continue;
        }
        if state.contains_key(&at) {
            continue;
        }
        let view = body.op(at);
        if !SpeculationTable::new(body.context()).is_harmless(view) || view.n_regions() > 0 {
            return None;
        }
        state.insert(at, false);
        stack.push((at, true));
        for operand in view.operands() {
            if !push(&mut stack, operand) {
                return None;
            }
        }
    }
    Some(order)
}

fn is_inside(body: &Body, op: Op, around: Op) -> bool {
    op != around && body.op(op).ancestors().any(|outer| outer.id() == around)
}

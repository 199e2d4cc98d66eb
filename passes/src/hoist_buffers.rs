//! `hoist-buffers`: hoists temporary buffers out of loops and moves small ones to the stack.
//!
//! A buffer that is allocated and freed in one iteration of a loop, and whose extents are loop-invariant and are
//! those of other buffers or small constants, is allocated before the loop and freed after it. The remaining buffers
//! of small static size are moved to the stack frame, where those that are not live at the same time share slots; the
//! size is determined by [`DataLayout`] for the target described by the module's `dlti.dl_spec`, if the pass runs on
//! the module. Loops are visited inside out, so a buffer may be hoisted out of several loops. The time is linear in the
//! number of moved operations.

use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Block, Body, Builder, Def, InsertionPoint, Op, ServiceId, Type, Value};
use minoan_pass::{Pass, PassRun};
use minoan_services::{
    BufferOps, DataLayout, LayoutSpec, LoopLike, RegionExecution, RegionFlow, Speculation, SpeculationTable,
};
use rustc_hash::FxHashMap;

/// The maximum size of a buffer on the stack, in bytes.
const MAX_STACK_BUFFER: u64 = 1024;
/// The maximum number of nested loops that a buffer is followed into.
const MAX_LEVELS: usize = 32;
/// The maximum total size of the stack buffers of a function, in bytes.
const MAX_FRAME_SIZE: u64 = 32 * 1024;

/// Hoists temporary buffers and moves small ones to the stack.
pub struct HoistBuffers;

impl Pass for HoistBuffers {
    fn name(&self) -> &'static str {
        "hoist-buffers"
    }

    fn description(&self) -> &'static str {
        "move temporary buffers out of loops, and small ones to the stack"
    }

    fn requires(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn BufferOps>()]
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn RegionFlow>(),
            ServiceId::of::<dyn LoopLike>(),
            ServiceId::of::<dyn DataLayout>(),
            ServiceId::of::<dyn Speculation>(),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let Some(buffers) = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>()) else {
            return Ok(());
        };
        let spec = LayoutSpec::of(&ctx, run.op().attrs);
        run.each_body(|body| {
            leave_loops(body, buffers);
            go_to_stack(body, buffers, &spec);
        });
        Ok(())
    }
}

/// Buffers of the same kind take turns in a slot of the stack: the block of the allocation, the type, and the alignment.
type SlotKind = (Option<Block>, Type, Option<Attr>);

/// An allocation and its only deallocation.
struct Pair {
    alloc: Op,
    dealloc: Op,
}

/// The allocations of a body with a single deallocation in the same block, in text order.
fn pairs(body: &Body, buffers: &dyn BufferOps) -> Vec<Pair> {
    let mut found = Vec::new();
    let ops = body.walk();
    let mut frees: FxHashMap<Value, Vec<Op>> = FxHashMap::default();
    for &op in ops.iter().filter(|&&op| buffers.is_dealloc(body.op(op))) {
        frees.entry(handed_around(body, body.op(op).operand(0), MAX_LEVELS)).or_default().push(op);
    }
    for op in ops {
        if !buffers.is_alloc(body.op(op)) {
            continue;
        }
        if let Some(&[dealloc]) = frees.get(&body.op(op).result(0)).map(Vec::as_slice)
            && body.op(dealloc).block() == body.op(op).block()
        {
            found.push(Pair { alloc: op, dealloc });
        }
    }
    found
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

/// Makes the extents of an allocation those of the buffers that loops hand around, instead of those of the loops' results.
fn ask_initial_buffers(body: &mut Body, alloc: Op) {
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
        ask_initial_buffers(body, alloc);
        while let Some(around) = body.op(alloc).parent() {
            let view = body.op(around);
            let answer = view.context().service::<dyn RegionFlow>(view.kind());
            if answer.map(|service| service.execution(view)) != Some(RegionExecution::Repeated) {
                break;
            }
            let Some(chain) = movable(body, alloc, around) else { break };
            for op in chain.into_iter().chain([alloc]) {
                if body.move_op(op, InsertionPoint::Before(around)).is_err() {
                    return;
                }
            }
            if body.move_op(dealloc, InsertionPoint::After(around)).is_err() {
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

/// Moves small buffers of static size that the function frees itself to the stack. A buffer takes the slot of an equal one that is
/// freed before it in the same block, so a long chain of temporaries has a short frame.
fn go_to_stack(body: &mut Body, buffers: &dyn BufferOps, spec: &LayoutSpec) {
    let ctx = body.context().clone();
    let Some(entry) = body.regions().next().and_then(|region| body.region(region).entry()) else { return };
    let pairs = pairs(body, buffers);
    let frees: FxHashMap<Op, Op> = pairs.iter().map(|pair| (pair.alloc, pair.dealloc)).collect();
    // The slots of buffers that are live, by their deallocations, and those of freed buffers.
    let mut live: FxHashMap<Op, (Value, SlotKind)> = FxHashMap::default();
    let mut free: FxHashMap<SlotKind, Vec<Value>> = FxHashMap::default();
    let mut concurrent = ConcurrentRegions::default();
    let mut frame = 0;
    for op in body.walk() {
        if let Some((slot, kind)) = live.remove(&op) {
            body.erase(op);
            free.entry(kind).or_default().push(slot);
            continue;
        }
        let Some(&dealloc) = frees.get(&op) else { continue };
        let view = body.op(op);
        let loc = view.loc();
        let ty = body.ty(view.result(0));
        let bytes = <dyn DataLayout>::bytes_of_elements(&ctx, ty, spec);
        let Some(bytes) = bytes.filter(|&bytes| bytes <= MAX_STACK_BUFFER) else { continue };
        if view.n_operands() > 0 || concurrent.contains(body, op) {
            continue;
        }
        let kind = (view.block(), ty, view.attr_named("alignment"));
        let slot = match free.get_mut(&kind).and_then(Vec::pop) {
            Some(slot) => slot,
            None if frame + bytes > MAX_FRAME_SIZE => continue,
            None => {
                frame += bytes;
                let mut b = Builder::new(body, InsertionPoint::Start(entry)).with_loc(loc);
                buffers.alloc_on_stack(&mut b, op)
            }
        };
        live.insert(dealloc, (slot, kind));
        body.replace(op, &[slot]);
    }
}

/// Which operations are nested in regions that may execute concurrently.
#[derive(Default)]
struct ConcurrentRegions {
    /// The answers for operations with regions.
    known: FxHashMap<Op, bool>,
}

impl ConcurrentRegions {
    /// Whether an operation is nested in a region that may execute concurrently with itself. Time is amortized over the
    /// operations with regions.
    fn contains(&mut self, body: &Body, op: Op) -> bool {
        let mut path = Vec::new();
        let mut at = body.op(op).parent();
        let answer = loop {
            let Some(around) = at else { break false };
            if let Some(&known) = self.known.get(&around) {
                break known;
            }
            path.push(around);
            let view = body.op(around);
            let flow = view.context().service::<dyn RegionFlow>(view.kind());
            if flow.is_some_and(|flow| flow.execution(view) == RegionExecution::Parallel) {
                break true;
            }
            at = view.parent();
        };
        self.known.extend(path.into_iter().map(|around| (around, answer)));
        answer
    }
}

//! Moves small buffers to the stack frame of their function.

use super::pairs;
use minoan_ir::{Attr, Block, Body, Builder, InsertionPoint, Op, Type, Value};
use minoan_services::{BufferOps, DataLayout, LayoutSpec, RegionExecution, RegionFlow};
use rustc_hash::FxHashMap;

/// The maximum size of a buffer on the stack, in bytes.
const MAX_STACK_BUFFER: u64 = 1024;
/// The maximum total size of the stack buffers of a function, in bytes.
const MAX_FRAME_SIZE: u64 = 32 * 1024;

/// The block of the allocation, the type and the alignment of a buffer. Buffers of the same kind can share a slot of the stack.
type SlotKind = (Option<Block>, Type, Option<Attr>);

/// Moves small buffers of static size that the function frees itself to the stack. A buffer takes the slot of an equal one that
/// is freed before it in the same block, so a long chain of temporaries has a short frame.
pub(super) fn go_to_stack(body: &mut Body, buffers: &dyn BufferOps, spec: &LayoutSpec) {
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

/// The operations nested in regions that may execute concurrently.
#[derive(Default)]
struct ConcurrentRegions {
    /// Cached results, by operation with regions.
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

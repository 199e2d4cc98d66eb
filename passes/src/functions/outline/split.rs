//! `outline{max-operations=N}`: cuts long blocks into functions.
//!
//! LLVM takes superlinear time for large functions: for the uses of one register, for the number of loops, for the length of
//! a block. A block with more than `N` operations, nested ones included, keeps calls of functions of up to `N` operations.
//! A loop in [`DEPTH`] others counts as [`DEEP_LOOP`] operations more, because LLVM's loop passes take superlinear time in the
//! depth of a nest. A call counts as one operation more for each argument: a buffer is passed as its pointers, extents and
//! strides, and LLVM's register allocator takes superlinear time in the number of calls that pass the same buffer. Cuts are made where few values are live, and constants are copied, so little is passed. The functions are
//! not to be inlined again.

use super::{Captures, Outliner, Part, has_required_parent, is_copied, used_outside};
use minoan_ir::{Block, Body, Def, InsertionPoint, Op, SymbolTable, Traits, Value};
use minoan_services::{Alias, AliasModel, BufferOps, Calls, RegionExecution, RegionFlow};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nests up to this depth occur in programs that were not written to be deep.
const DEPTH: usize = 8;

/// Operations that a loop at a greater depth counts as, in addition.
const DEEP_LOOP: usize = 16;

/// Upper bound on the number of arguments, and of results, of a function.
const MAX_VALUES: usize = 64;

impl<'c> Outliner<'c> {
    /// Cuts the blocks of `body` that have more than `self.most` operations. Inner blocks come first.
    pub(super) fn split(&mut self, body: &mut Body, symbols: &SymbolTable) -> Vec<Part<'c>> {
        let order = body.walk();
        let points = self.points(body, &order);
        let mut inside = self.extra_weights(body, &order);
        let mut parts = Vec::new();
        if order.len() + inside.iter().sum::<usize>() <= self.most {
            return parts;
        }
        let roots: Vec<Block> = body.regions().flat_map(|region| body.region(region).blocks()).collect();
        let mut live_ins = LiveIns::default();
        for &op in order.iter().rev() {
            let regions: Vec<_> = body.op(op).own_regions().collect();
            let blocks: Vec<Block> =
                regions.into_iter().flat_map(|region| body.region(region).blocks()).collect();
            let contents = Contents::of(body, &blocks);
            for block in blocks {
                inside[op.index()] += match points[op.index()] {
                    true => body.block(block).ops().map(|inner| 1 + inside[inner.index()]).sum(),
                    false => self.split_block(body, block, (&inside, &live_ins), symbols, &mut parts),
                };
            }
            live_ins.enclose(op, contents);
        }
        for block in roots {
            self.split_block(body, block, (&inside, &live_ins), symbols, &mut parts);
        }
        parts
    }

    /// For each operation, what it counts as in addition to itself, without what is nested in it. `order` is pre-order.
    fn extra_weights(&self, body: &Body, order: &[Op]) -> Vec<usize> {
        let mut depths = vec![0usize; body.op_capacity()];
        let mut weights = vec![0usize; body.op_capacity()];
        for &op in order {
            let view = body.op(op);
            let around = view.parent().map_or(0, |parent| depths[parent.index()]);
            let flow = self.ctx.service::<dyn RegionFlow>(view.kind());
            let is_loop = flow.is_some_and(|flow| flow.execution(view) == RegionExecution::Repeated);
            depths[op.index()] = around + usize::from(is_loop);
            weights[op.index()] = match self.ctx.service::<dyn Calls>(view.kind()) {
                Some(calls) => calls.args(view).len(),
                None if is_loop && around >= DEPTH => DEEP_LOOP,
                None => 0,
            };
        }
        weights
    }

    /// Cuts a block; returns the number of remaining operations. `inside` is the number of operations nested in each, and the
    /// values that they use from outside.
    fn split_block(
        &mut self,
        body: &mut Body,
        block: Block,
        (inside, live_ins): (&[usize], &LiveIns),
        symbols: &SymbolTable,
        parts: &mut Vec<Part<'c>>,
    ) -> usize {
        let ops: Vec<Op> = body.block(block).ops().collect();
        let weight = |op: Op| 1 + inside[op.index()];
        let total: usize = ops.iter().map(|&op| weight(op)).sum();
        if total <= self.most {
            return total;
        }
        let live = live_across(body, block, &ops);
        let mut left = total;
        let mut start = 0;
        while start < ops.len() {
            let end = self.end_of_piece(body, &ops, start, (&live, live_ins), weight);
            let moved: Vec<Op> =
                ops[start..end].iter().copied().filter(|&op| !is_copied(body.op(op))).collect();
            let removed: usize = moved.iter().map(|&op| weight(op)).sum();
            if moved.len() > 1 && removed > self.most / 8 && self.piece(body, &moved, symbols, parts) {
                left -= removed - 1;
            }
            start = end + usize::from(ops.get(end).is_some_and(|&op| stays(body, op)));
        }
        left
    }

    /// The end of the piece that begins at `start`: where the fewest values are live among the cuts that leave at least half of
    /// the largest size, or where the piece would capture too many values.
    fn end_of_piece(
        &self,
        body: &Body,
        ops: &[Op],
        start: usize,
        (live, live_ins): (&[usize], &LiveIns),
        weight: impl Fn(Op) -> usize,
    ) -> usize {
        let (mut size, mut best) = (0, (usize::MAX, start));
        let (mut own, mut captured) = (FxHashSet::default(), FxHashSet::default());
        for (at, &op) in ops.iter().enumerate().skip(start) {
            if stays(body, op) {
                return at;
            }
            size += weight(op);
            captured.extend(live_ins.of(body, op).filter(|value| !own.contains(value)));
            own.extend(body.op(op).results());
            if captured.len() > MAX_VALUES && best.1 == start {
                return at.max(start + 1);
            }
            if (size > self.most || captured.len() > MAX_VALUES) && best.1 > start {
                return best.1;
            }
            if size * 2 >= self.most && live[at] <= best.0 {
                best = (live[at], at + 1);
            }
        }
        ops.len()
    }

    /// Moves operations of one block to a function; whether that could be done.
    fn piece(
        &mut self,
        body: &mut Body,
        ops: &[Op],
        symbols: &SymbolTable,
        parts: &mut Vec<Part<'c>>,
    ) -> bool {
        let given = used_outside(body, ops);
        let captured = Captures::collect(body, ops, std::iter::empty());
        let inside: FxHashSet<Op> = ops.iter().copied().collect();
        if given.len() > MAX_VALUES
            || captured.values.len() > MAX_VALUES
            || given.iter().any(|&value| !may_leave(body, value, |op| inside.contains(&op)))
        {
            return false;
        }
        let Some((mut part, captured)) = self.part(body, ops, &given, symbols) else { return false };
        part.is_out_of_line = true;
        let last = *ops.last().expect("a piece is not empty");
        let results = part.call(self.ctx, body, &captured, InsertionPoint::After(last));
        given.iter().zip(results).for_each(|(&given, result)| body.replace_all_uses(given, result));
        ops.iter().rev().for_each(|&op| body.erase(op));
        parts.push(part);
        true
    }
}

/// The values that the blocks of an operation use and define.
struct Contents {
    /// The operands of the operations, without those that are copied.
    used: Vec<Value>,
    /// The arguments of the blocks and the results of the operations.
    defined: Vec<Value>,
    /// The operations with regions.
    nested: Vec<Op>,
}

impl Contents {
    fn of(body: &Body, blocks: &[Block]) -> Self {
        let mut contents = Self { used: Vec::new(), defined: Vec::new(), nested: Vec::new() };
        for &block in blocks {
            contents.defined.extend(body.block(block).args());
            for op in body.block(block).ops() {
                let view = body.op(op);
                contents.used.extend(view.operands().filter(|&value| !is_copy(body, value)));
                contents.defined.extend(view.results());
                if view.n_regions() > 0 {
                    contents.nested.push(op);
                }
            }
        }
        contents
    }
}

/// The values that the regions of operations use and do not define, without those that are copied.
#[derive(Default)]
struct LiveIns(FxHashMap<Op, FxHashSet<Value>>);

impl LiveIns {
    /// The values that an operation uses, and those that its regions use from outside.
    fn of(&self, body: &Body, op: Op) -> impl Iterator<Item = Value> {
        let inside = self.0.get(&op).into_iter().flatten().copied();
        let operands: Vec<Value> = body.op(op).operands().filter(|&value| !is_copy(body, value)).collect();
        operands.into_iter().chain(inside)
    }

    /// Adds an operation whose blocks have these contents. This consumes the contents: the largest of the sets is extended by the
    /// others, so that each value is moved a logarithmic number of times.
    fn enclose(&mut self, op: Op, contents: Contents) {
        let mut sets: Vec<_> = contents.nested.iter().filter_map(|inner| self.0.remove(inner)).collect();
        let largest = (0..sets.len()).max_by_key(|&at| sets[at].len());
        let mut values = largest.map(|at| sets.swap_remove(at)).unwrap_or_default();
        values.extend(sets.into_iter().flatten().chain(contents.used));
        contents.defined.iter().for_each(|value| _ = values.remove(value));
        if !values.is_empty() {
            self.0.insert(op, values);
        }
    }
}

/// Whether the operation that defines a value is copied to its uses.
fn is_copy(body: &Body, value: Value) -> bool {
    body.defining_op(value).is_some_and(|op| is_copied(body.op(op)))
}

/// For each position in a block, the number of values defined up to it and used after it. Constants do not count, since
/// they are copied.
fn live_across(body: &Body, block: Block, ops: &[Op]) -> Vec<usize> {
    let mut positions = vec![0; body.op_capacity()];
    ops.iter().enumerate().for_each(|(at, op)| positions[op.index()] = at);
    let mut change = vec![0isize; ops.len() + 1];
    for (at, &op) in ops.iter().enumerate().filter(|(_, op)| !is_copied(body.op(**op))) {
        for result in body.op(op).results() {
            let position = |user: Op| {
                let mut around = body.op(user).ancestors();
                around.find(|op| op.block() == Some(block)).map_or(at, |op| positions[op.id().index()])
            };
            let last = body.uses(result).map(|user| position(user.op)).max().unwrap_or(at);
            change[at] += 1;
            change[last] -= 1;
        }
    }
    let mut live = 0;
    let sum = |change: isize| {
        live += change;
        usize::try_from(live).unwrap_or(0)
    };
    change.into_iter().map(sum).collect()
}

/// Whether an operation must stay in its function.
fn stays(body: &Body, op: Op) -> bool {
    let view = body.op(op);
    let is_on_stack = || {
        let ctx = body.context();
        let mut memory = view.results().filter(|&result| body.ty(result).is_memref(ctx));
        memory.any(|value| !may_leave(body, value, |_| true)) && view.n_operands() == 0
    };
    view.has_trait(Traits::TERMINATOR)
        || view.has_trait(Traits::SYMBOL)
        || has_required_parent(view)
        || (!is_copied(view) && is_on_stack())
}

/// Whether a function with some operations may return a value: its storage must not be in the stack frame of the function. It
/// may be on the heap, or from elsewhere, such as a temporary in the frame of `plan-frame`.
fn may_leave(body: &Body, mut value: Value, is_inside: impl Fn(Op) -> bool) -> bool {
    let ctx = body.context();
    let is_heap = |op: Op| {
        let buffers = ctx.dialects_with::<dyn BufferOps>().filter_map(|it| it.service::<dyn BufferOps>());
        buffers.into_iter().any(|buffers| buffers.is_alloc(body.op(op)))
    };
    while body.ty(value).is_memref(ctx)
        && let Def::Result(op, result) = body.def(value)
        && is_inside(op)
        && !is_heap(op)
    {
        let view = body.op(op);
        let alias = ctx.service::<dyn AliasModel>(view.kind()).map(|model| model.alias(view, result));
        let Some(Alias::ViewOf(base)) = alias else { return false };
        value = view.operand(base);
    }
    true
}

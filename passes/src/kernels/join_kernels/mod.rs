//! `join-kernels`: joins pointwise kernels on buffers with the kernels whose results they read.
//!
//! A kernel that reads a temporary buffer at the points at which the kernel before it writes the buffer becomes a part of that
//! kernel, and the buffer is not allocated. On tensors that is not always possible: a sequence of updates of different rows of
//! a tensor, as the reverse sweep of a derivative has, is a chain in which each update depends on the one before.
//!
//! ```text
//! schedule.kernel ins(%x) outs(%a, %b) plan <for i/8 { exp[i:8v] mulf[i:8v] }>
//! %row = memref.subview %sums[%r, 0] ..
//! schedule.kernel ins(%a) outs(%row) plan <for i/8 { addf[i:8v] }>
//! memref.dealloc %a
//! ```
//! becomes
//! ```text
//! %row = memref.subview %sums[%r, 0] ..
//! schedule.kernel ins(%x) outs(%b, %row) plan <for i/8 { exp[i:8v] addf[i:8v] mulf[i:8v] }>
//! ```
//!
//! * Both plans are a loop over one axis, or a parallel one and a loop inside of it, around the leaves of all statements.
//! * What the second kernel writes shares no storage with what the first one, or an operation between them, accesses: the
//!   buffers have different origins ([`StorageClasses`]), or are parts of one buffer that do not overlap ([`disjoint`]). The
//!   same holds for what the second kernel reads and those write, apart from the results of the first one.
//! * A buffer that is used again remains an output of the joined kernel.
//! * The time is linear in the number of operations: the operands of a joined kernel and the operations between the kernels are
//!   limited.

mod disjoint;

use crate::analysis::kernels;
use crate::analysis::storage_classes::{StorageClasses, has_plain_types};
use minoan_diag::Diagnostics;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Block, Body, Builder, Context, InsertionPoint, Mapping, Op, ServiceTable, Type, Value};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_schedule::{Kernel, Leaf, Loop, Node, Plan, Source, resolve};
use minoan_services::{
    AliasModel, BufferOps, EffectSet, Effects, EffectsTable, IndexTerms, KernelOps, KernelParts, LayoutSpec,
    RegionFlow, TensorOps,
};
use rustc_hash::FxHashSet;

/// Upper bound on the operands of a joined kernel.
const MAX_OPERANDS: usize = 64;

/// Upper bound on the statements of a joined kernel.
const MAX_STATEMENTS: usize = 64;

/// Upper bound on the accesses of memory between two kernels that are joined.
const MAX_ACCESSED: usize = 16;

/// Upper bound on the operations between them.
const MAX_DISTANCE: usize = 256;

/// Joins kernels on buffers.
pub struct JoinKernels;

impl Pass for JoinKernels {
    fn name(&self) -> &'static str {
        "join-kernels"
    }

    fn description(&self) -> &'static str {
        "join pointwise kernels on buffers with the kernels whose results they read"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-joined", "Number of kernels that became a part of another one")]
    }

    queries!(KernelOps, BufferOps, AliasModel, RegionFlow, Effects, IndexTerms, TensorOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        // Offsets are compared as numbers of 64 bits.
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let Some(tables) = Tables::of(&ctx) else { return Ok(()) };
        let mut joined = 0;
        kernels::each_function(run.module_mut(), |body| joined += tables.join_all(body));
        run.count("num-joined", joined);
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    ctx: &'c Context,
    kernels: &'c dyn KernelOps,
    buffers: &'c dyn BufferOps,
    tensors: &'c dyn TensorOps,
    effects: EffectsTable<'c>,
    terms: Option<&'c ServiceTable<dyn IndexTerms>>,
}

/// A kernel that has one axis and no reductions.
struct Pointwise {
    op: Op,
    parts: KernelParts,
    contents: Kernel,
    plan: Plan,
}

/// A result of one kernel that another reads at the points at which it is written.
struct Passed {
    /// The number of the output.
    output: usize,
    buffer: Value,
    /// If nothing else uses the buffer, its allocation and deallocation.
    lifetime: Option<(Op, Option<Op>)>,
}

/// A kernel that following ones may join.
struct Last {
    kernel: Pointwise,
    /// The buffers that the operations after it access.
    accessed: Vec<Value>,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        let dialect = ctx.dialects_with::<dyn BufferOps>().next()?;
        Some(Self {
            ctx,
            kernels: <dyn KernelOps>::any(ctx)?,
            buffers: dialect.service::<dyn BufferOps>()?,
            tensors: <dyn TensorOps>::any(ctx)?,
            effects: EffectsTable::new(ctx),
            terms: ctx.service_table(),
        })
    }

    /// Joins the kernels of a function; returns how many became a part of another.
    fn join_all(&self, body: &mut Body) -> u64 {
        if kernels::kernels(body, self.kernels).len() < 2 {
            return 0;
        }
        let classes = StorageClasses::of(body, self.ctx, self.buffers);
        let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
        let regions: Vec<_> = body.regions().chain(inner).collect();
        let blocks: Vec<Block> =
            regions.into_iter().flat_map(|region| body.region(region).blocks()).collect();
        blocks.into_iter().map(|block| self.join_in(body, block, &classes)).sum()
    }

    fn join_in(&self, body: &mut Body, block: Block, classes: &StorageClasses) -> u64 {
        let mut joined = 0;
        let mut last: Option<Last> = None;
        for op in body.block(block).ops().collect::<Vec<Op>>() {
            // The deallocation of a temporary may have been erased.
            if !body.contains(op) {
                continue;
            }
            if self.kernels.kernel(body.op(op)).is_none() {
                last = last.and_then(|last| self.past(body, last, op));
                continue;
            }
            let second = self.pointwise(body, op);
            last = match (last, second) {
                (Some(first), Some(second)) => match self.join(body, &first, &second, classes) {
                    Some(kernel) => {
                        joined += 1;
                        Some(Last { kernel, ..first })
                    }
                    None => Some(Last { kernel: second, accessed: Vec::new() }),
                },
                (_, second) => second.map(|kernel| Last { kernel, accessed: Vec::new() }),
            };
        }
        joined
    }

    /// The last kernel, if kernels after `op` may still join it: `op` accesses no memory but buffers that are known, which are
    /// added to those before.
    fn past(&self, body: &Body, mut last: Last, op: Op) -> Option<Last> {
        let memory = EffectSet::READ.and(EffectSet::WRITE);
        let effects = self.effects.all(body.op(op));
        if effects.intersects(EffectSet::OUTSIDE) {
            return None;
        }
        let mut pending = if effects.intersects(memory) { vec![op] } else { Vec::new() };
        while let Some(op) = pending.pop() {
            let view = body.op(op);
            if self.effects.own(view).intersects(memory) {
                let buffers = view.operands().filter(|&value| body.ty(value).is_memref(self.ctx));
                let known = last.accessed.len();
                last.accessed.extend(buffers);
                let is_known = last.accessed.len() > known && has_plain_types(view, self.ctx);
                if !is_known || last.accessed.len() > MAX_ACCESSED {
                    return None;
                }
            }
            let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
            pending.extend(blocks.flat_map(|block| body.block(block).ops()));
        }
        Some(last)
    }

    /// The kernel of an operation, if it is pointwise and on buffers.
    fn pointwise(&self, body: &Body, op: Op) -> Option<Pointwise> {
        let view = body.op(op);
        let parts = self.kernels.kernel(view)?;
        let contents = kernels::contents(view, &parts).ok()?;
        let plan: Plan = parts.plan.as_ref()?.parse().ok()?;
        let is_pointwise = contents.axis_names.len() == 1
            && contents.statements.iter().all(|statement| statement.reduction.is_none() && !statement.pads())
            && view.operand_types().all(|ty| !ty.is_tensor(self.ctx))
            && leaves(&plan).is_some();
        is_pointwise.then_some(Pointwise { op, parts, contents, plan })
    }

    /// Makes `second` a part of `first`; returns the whole.
    fn join(
        &self,
        body: &mut Body,
        Last { kernel: first, accessed }: &Last,
        second: &Pointwise,
        classes: &StorageClasses,
    ) -> Option<Pointwise> {
        let passed = self.passed(body, first, second);
        let count = body.op(first.op).n_operands() + body.op(second.op).n_operands();
        let statements = first.contents.statements.len() + second.contents.statements.len();
        if passed.is_empty()
            || count > MAX_OPERANDS
            || statements > MAX_STATEMENTS
            || !self.are_independent(body, (first, accessed), second, &passed, classes)
        {
            return None;
        }
        let moved = self.moved(body, first.op, second.op)?;
        for op in moved {
            body.try_move_op(op, InsertionPoint::Before(first.op)).ok()?;
        }
        let whole = self.create(body, first, second, &passed)?;
        let Some(joined) = self.planned(body, whole, first, second) else {
            body.erase(whole);
            return None;
        };
        body.erase(second.op);
        body.erase(first.op);
        for (alloc, dealloc) in passed.into_iter().filter_map(|it| it.lifetime) {
            dealloc.into_iter().for_each(|dealloc| body.erase(dealloc));
            body.erase(alloc);
        }
        Some(joined)
    }

    /// The results of `first` that `second` reads, if it reads each at the points at which it is written.
    fn passed(&self, body: &Body, first: &Pointwise, second: &Pointwise) -> Vec<Passed> {
        let is_at_point = |map: &AffineMap| *map == AffineMap::identity(1);
        let outputs = body.op(first.op).operands().enumerate().skip(first.parts.inputs);
        let passed = |(number, buffer): (usize, Value)| {
            let output = number - first.parts.inputs;
            let inputs = body.op(second.op).operands().take(second.parts.inputs).enumerate();
            let reads: FxHashSet<usize> =
                inputs.filter(|&(_, input)| input == buffer).map(|(at, _)| at).collect();
            let accesses = second.contents.statements.iter().flat_map(|statement| &statement.reads);
            let mut own = accesses
                .filter(|access| matches!(access.source, Source::Argument(at) if reads.contains(&at)));
            let written = &first.contents.statements[first.contents.results[output]];
            let fits = !reads.is_empty()
                && own.all(|access| is_at_point(&access.map))
                && is_at_point(&written.write);
            fits.then(|| Passed {
                output,
                buffer,
                lifetime: self.lifetime(body, buffer, first.op, second.op),
            })
        };
        outputs.filter_map(passed).collect()
    }

    /// The allocation and the deallocation of a buffer that only two kernels use.
    fn lifetime(&self, body: &Body, buffer: Value, first: Op, second: Op) -> Option<(Op, Option<Op>)> {
        let alloc = body.defining_op(buffer).filter(|&op| self.buffers.is_alloc(body.op(op)))?;
        let others = body.uses(buffer).map(|place| place.op).filter(|&op| op != first && op != second);
        let others: Vec<Op> = others.take(2).collect();
        match others[..] {
            [] => Some((alloc, None)),
            [op] => self.buffers.is_dealloc(body.op(op)).then_some((alloc, Some(op))),
            _ => None,
        }
    }

    /// Whether the points of both kernels can be computed one after the other, before the accesses between the kernels.
    fn are_independent(
        &self,
        body: &Body,
        (first, accessed): (&Pointwise, &[Value]),
        second: &Pointwise,
        passed: &[Passed],
        classes: &StorageClasses,
    ) -> bool {
        let buffers = |kernel: &Pointwise| -> Vec<(Value, bool)> {
            let operands = body.op(kernel.op).operands().enumerate();
            let operands = operands.filter(|&(_, value)| body.ty(value).is_memref(self.ctx));
            operands.map(|(at, value)| (value, at >= kernel.parts.inputs)).collect()
        };
        let mut before = buffers(first);
        before.extend(accessed.iter().map(|&value| (value, true)));
        let mut after = buffers(second);
        after.retain(|&(value, is_written)| is_written || passed.iter().all(|it| it.buffer != value));
        let is_unchanged = |it: &Passed| accessed.iter().all(|&value| !classes.may_share(value, it.buffer));
        passed.iter().all(is_unchanged)
            && before.iter().all(|&(one, is_written)| {
                after.iter().all(|&(other, is_written_too)| {
                    !(is_written || is_written_too)
                        || !classes.may_share(one, other)
                        || self.are_disjoint(body, one, other)
                })
            })
    }

    /// The operations after `first` that compute operands of `second`, in order; `None` if they cannot be moved.
    fn moved(&self, body: &Body, first: Op, second: Op) -> Option<Vec<Op>> {
        let mut needed: FxHashSet<Op> = FxHashSet::default();
        let mut between: Vec<Op> = Vec::new();
        let mut op = body.op(first).next()?;
        while op != second {
            if between.len() == MAX_DISTANCE {
                return None;
            }
            between.push(op);
            op = body.op(op).next()?;
        }
        let mut pending = vec![second];
        let later: FxHashSet<Op> = between.iter().copied().collect();
        while let Some(op) = pending.pop() {
            for def in body.op(op).operands().filter_map(|operand| body.defining_op(operand)) {
                if later.contains(&def) && needed.insert(def) {
                    let view = body.op(def);
                    let effects = self.effects.all(view);
                    // An allocation may precede the kernel, too.
                    if view.n_regions() > 0 || effects.and(EffectSet::ALLOCATE) != EffectSet::ALLOCATE {
                        return None;
                    }
                    pending.push(def);
                }
            }
        }
        between.retain(|op| needed.contains(op));
        Some(between)
    }

    /// Creates the joined kernel before `first`, without a plan.
    fn create(
        &self,
        body: &mut Body,
        first: &Pointwise,
        second: &Pointwise,
        passed: &[Passed],
    ) -> Option<Op> {
        let temporaries: Vec<(Value, Op)> =
            passed.iter().filter_map(|it| Some((it.buffer, it.lifetime?.0))).collect();
        let is_temporary = |value: &Value| temporaries.iter().any(|(buffer, _)| buffer == value);
        let is_passed = |value: &Value| passed.iter().any(|it| it.buffer == *value);
        let operands = |kernel: &Pointwise| -> (Vec<Value>, Vec<Value>) {
            let all: Vec<Value> = body.op(kernel.op).operands().collect();
            let (ins, outs) = all.split_at(kernel.parts.inputs);
            (ins.to_vec(), outs.to_vec())
        };
        let ((first_ins, first_outs), (second_ins, second_outs)) = (operands(first), operands(second));
        let sizes: Vec<Vec<Value>> =
            temporaries.iter().map(|&(_, alloc)| body.op(alloc).operands().collect()).collect();
        let mut ins: Vec<Value> = Vec::new();
        let others = second_ins.iter().filter(|value| !is_passed(value));
        for &value in first_ins.iter().chain(others).chain(sizes.iter().flatten()) {
            if !ins.contains(&value) {
                ins.push(value);
            }
        }
        let outs: Vec<Value> =
            first_outs.iter().filter(|it| !is_temporary(it)).chain(&second_outs).copied().collect();
        let sources = [first, second].map(|kernel| body.op(kernel.op).nested().map(Body::duplicate));
        let [Some(first_body), Some(second_body)] = sources else { return None };
        let loc = body.op(first.op).loc();
        let mut b = Builder::new(body, InsertionPoint::Before(first.op)).with_loc(loc);
        Some(self.kernels.create(&mut b, &ins, &outs, &mut |b, args| {
            let (in_args, out_args) = args.split_at(ins.len());
            let mut out_args = out_args.iter().copied();
            let mut output = || out_args.next().expect("an argument for each output");
            let input = |value: &Value| {
                let at = ins.iter().position(|input| input == value);
                in_args[at.expect("an argument for each input")]
            };
            let mut args: Vec<Value> = first_ins.iter().map(input).collect();
            for (at, value) in first_outs.iter().enumerate() {
                args.push(match temporaries.iter().position(|(buffer, _)| buffer == value) {
                    Some(temporary) => {
                        let sizes: Vec<Value> = sizes[temporary].iter().map(input).collect();
                        self.tensors.empty(b, argument_type(&first_body, first_ins.len() + at), &sizes)
                    }
                    None => output(),
                });
            }
            let computed = inline(b, &first_body, &args);
            let mut args: Vec<Value> = Vec::new();
            for value in &second_ins {
                let from_first = passed.iter().find(|it| it.buffer == *value);
                args.push(from_first.map_or_else(|| input(value), |it| computed[it.output]));
            }
            args.extend(second_outs.iter().map(|_| output()));
            let kept = first_outs.iter().zip(computed).filter(|(value, _)| !is_temporary(value));
            let mut results: Vec<Value> = kept.map(|(_, value)| value).collect();
            results.extend(inline(b, &second_body, &args));
            results
        }))
    }

    /// Sets the plan of a joined kernel: that of `first`, with each leaf of `second` after the last one that it depends on.
    fn planned(&self, body: &mut Body, op: Op, first: &Pointwise, second: &Pointwise) -> Option<Pointwise> {
        let parts = self.kernels.kernel(body.op(op))?;
        let contents = kernels::contents(body.op(op), &parts).ok()?;
        let of_first = first.contents.statements.len();
        if contents.axis_names.len() != 1
            || contents.statements.len() != of_first + second.contents.statements.len()
        {
            return None;
        }
        let axis = contents.axis_names[0].clone();
        // The leaves by the number of their statement in the whole.
        let numbered = |kernel: &Pointwise, offset: usize| -> Option<Vec<(usize, Leaf)>> {
            let number =
                |leaf: &&Leaf| Some((kernel.contents.statement(&leaf.statement)? + offset, (*leaf).clone()));
            leaves(&kernel.plan)?.iter().map(number).collect()
        };
        let mut order = numbered(first, 0)?;
        let tile = order.first()?.1.tile.clone();
        for (number, leaf) in numbered(second, of_first)? {
            let reads = contents.statements[number].reads.iter().map(|read| read.source);
            let sources: Vec<Source> = reads.chain([contents.statements[number].init]).collect();
            let precedes = |(other, _): &(usize, Leaf)| sources.contains(&Source::Statement(*other));
            let at = order.iter().rposition(precedes).map_or(order.len(), |at| at + 1);
            order.insert(at, (number, Leaf { tile: tile.clone(), ..leaf }));
        }
        let mut plan = first.plan.clone();
        let renamed = order.into_iter().map(|(number, mut leaf)| {
            leaf.statement.clone_from(&contents.statements[number].name);
            leaf.tile.iter_mut().for_each(|dim| dim.axis.clone_from(&axis));
            Node::Leaf(leaf)
        });
        let inner = innermost(&mut plan, &axis)?;
        *inner = renamed.collect();
        resolve(&plan, &contents).ok()?;
        self.kernels.set_plan(body, op, Some(&plan.to_string()));
        self.pointwise(body, op)
    }
}

/// The type of an argument of the body of a kernel.
fn argument_type(body: &Body, number: usize) -> Type {
    let block = body.region(body.root(0)).entry().expect("a kernel has a block");
    body.ty(body.block(block).arg(number))
}

/// Copies the body of a kernel with these arguments; returns its results.
fn inline(b: &mut Builder<'_>, source: &Body, args: &[Value]) -> Vec<Value> {
    let block = source.region(source.root(0)).entry().expect("a kernel has a block");
    let mut mapping = Mapping::new();
    source.block(block).args().zip(args).for_each(|(from, &to)| mapping.map(from, to));
    let mut ops: Vec<Op> = source.block(block).ops().collect();
    let last = ops.pop().expect("a kernel has a terminator");
    for op in ops {
        let at = b.insertion_point();
        b.body_mut().clone_op_from(source, op, at, &mut mapping);
    }
    source.op(last).operands().map(|result| mapping.value(result)).collect()
}

/// The leaves of a plan that is a loop around them, or a loop around such a loop.
fn leaves<'p>(plan: &'p Plan) -> Option<Vec<&'p Leaf>> {
    let mut nodes = &plan.nodes;
    for _ in 0..2 {
        if let [Node::Loop(Loop { body, .. })] = &nodes[..] {
            nodes = body;
        }
    }
    let leaf = |node: &'p Node| if let Node::Leaf(leaf) = node { Some(leaf) } else { None };
    let leaves: Vec<&Leaf> = nodes.iter().map(leaf).collect::<Option<_>>()?;
    let (first, rest) = leaves.split_first()?;
    let is_same = |leaf: &&Leaf| leaf.tile == first.tile && !leaf.nontemporal;
    (!std::ptr::eq(nodes, &plan.nodes) && !first.nontemporal && rest.iter().all(is_same)).then_some(leaves)
}

/// The nodes in the innermost loop of such a plan, whose loops are renamed to be over `axis`.
fn innermost<'p>(plan: &'p mut Plan, axis: &str) -> Option<&'p mut Vec<Node>> {
    let mut nodes = &mut plan.nodes;
    while matches!(nodes[..], [Node::Loop(_)]) {
        let Some(Node::Loop(around)) = nodes.first_mut() else { return None };
        axis.clone_into(&mut around.axis);
        nodes = &mut around.body;
    }
    Some(nodes)
}

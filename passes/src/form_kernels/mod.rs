//! `form-kernels`: groups computations over iteration domains into kernels.
//!
//! The operations of a block are visited from the last to the first. An operation joins the kernel of its consumers if all
//! its uses are in that one kernel, and the kernel with it still has a vectorized plan and shares outer axes;
//! otherwise it starts a kernel of its own. A contraction is joined by pointwise consumers only. Each operation is
//! tried once, and the number of operations of a kernel is bounded, so the time is linear. Pointwise operations on the same shape
//! join without an analysis of the kernel. Then kernels that compute rows are merged with the contraction of these.
//!
//! An operation with several results, and a reduction in a fixed order of terms with mathematical functions, is split into
//! operations that have kernels ([`split`]). They are grouped as one.
//!
//! Operations that only give initial contents, such as fills and uninitialized tensors, are copied into each kernel
//! that uses them, and so are constants. Other initial contents that are one value become fills first ([`initial`]). The uninitialized tensor that a result is written to remains outside, as an output.

use crate::analysis::captures::captures;
use crate::analysis::kernels;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{
    Block, Body, Builder, Context, InsertionPoint, Mapping, Op, OpRef, ServiceId, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, RemarkKind, own_options, pass_options};
use minoan_scheduling::{Kernel, choose};
use minoan_services::{
    Alias, AliasModel, Cost, Domain, DomainOps, EffectSet, EffectsTable, Expand, Extent, IterationDomain,
    IteratorType, KernelOps, MachineModel, TensorOps,
};
use rustc_hash::{FxHashMap, FxHashSet};
use split::Splitter;
use std::cell::Cell;
use std::rc::Rc;

pub(crate) mod initial;
mod split;

pass_options! {
    /// The options of the pass.
    pub struct FormKernelsOptions {
        /// Limit on the operations of a kernel
        "max-operations" max_operations: usize = 32,
        /// Number of points below which an operation is left alone; one of a mathematical function counts as 16
        "min-points" min_points: i64 = 256,
        /// Emit a remark for each operation that is not grouped with its consumers, with the reason
        "explain" explain: bool = false,
    }
}

/// Forms kernels.
#[derive(Default)]
pub struct FormKernels {
    /// The options of this pass.
    pub options: FormKernelsOptions,
}

impl Pass for FormKernels {
    fn name(&self) -> &'static str {
        "form-kernels"
    }

    fn description(&self) -> &'static str {
        "group computations over iteration domains into kernels"
    }

    own_options!();

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    fn asks(&self) -> Vec<ServiceId> {
        vec![
            ServiceId::of::<dyn KernelOps>(),
            ServiceId::of::<dyn IterationDomain>(),
            ServiceId::of::<dyn AliasModel>(),
            ServiceId::of::<dyn Expand>(),
            ServiceId::of::<dyn Cost>(),
            ServiceId::of::<dyn DomainOps>(),
            ServiceId::of::<dyn TensorOps>(),
        ]
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-kernels", "Number of kernels"),
            ("num-grouped", "Number of operations in kernels"),
            ("num-analyses", "Number of kernels that were analyzed to group operations"),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let explains = self.options.explain || run.wants_remarks();
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(service) = <dyn KernelOps>::any(&ctx) else { return Ok(()) };
        let machine = kernels::machine(module);
        let former = Former {
            ctx: &ctx,
            service,
            machine: &machine,
            options: &self.options,
            explains,
            analyses: Cell::new(0),
        };
        let (mut made, mut grouped) = (0, 0);
        let (mut remarks, mut formed) = (Diagnostics::new(), Vec::new());
        kernels::each_function(module, |body| {
            let inner = body.walk().into_iter().flat_map(|op| body.op(op).own_regions());
            let regions: Vec<_> = body.regions().chain(inner).collect();
            let blocks: Vec<Block> = regions.into_iter().flat_map(|at| body.region(at).blocks()).collect();
            for block in blocks {
                // The regions of grouped operations are in the kernel.
                if !body.contains_block(block) {
                    continue;
                }
                let groups = former.groups(body, block, &mut remarks);
                made += groups.len() as u64;
                for group in groups {
                    grouped += group.len() as u64;
                    if explains {
                        formed.push(former.formed(body, &group));
                    }
                    former.wrap(body, &group);
                }
            }
        });
        run.count("num-kernels", made);
        run.count("num-grouped", grouped);
        run.count("num-analyses", former.analyses.get());
        formed.into_iter().for_each(|remark| run.remark(RemarkKind::Passed, remark));
        for remark in remarks {
            run.remark(RemarkKind::Missed, remark.clone());
            if self.options.explain {
                run.emit(remark);
            }
        }
        Ok(())
    }
}

/// The number of points of cheap operations that take as long as one of a function such as `tanh`.
const FUNCTION_POINTS: i64 = 16;

/// The number of operations that may follow a reduction in its kernel although they have few points.
const MAX_STEPS: usize = 4;

struct Former<'c> {
    ctx: &'c Context,
    service: &'c dyn KernelOps,
    machine: &'c MachineModel,
    options: &'c FormKernelsOptions,
    /// Whether remarks are wanted.
    explains: bool,
    analyses: Cell<u64>,
}

/// The operands and results of a kernel to be made.
struct Contents {
    /// The operations that are copied, in program order.
    ops: Vec<Op>,
    ins: Vec<Value>,
    outs: Vec<Value>,
    results: Vec<Value>,
}

impl Former<'_> {
    /// The remark for a group that becomes a kernel.
    fn formed(&self, body: &Body, group: &[Op]) -> Diagnostic {
        let names: Vec<&str> = group.iter().map(|&op| body.op(op).name()).collect();
        let place = group.last().map(|&op| body.op(op).loc().place(self.ctx)).unwrap_or_default();
        Diagnostic::remark(format!("kernel of {}: {}", names.len(), names.join(", "))).at(place)
    }

    /// Makes initial contents of the operations of a block fills, where they are one value.
    fn fill(&self, body: &mut Body, block: Block) {
        let Some(fills) = initial::Fills::of(self.ctx) else { return };
        let ops: Vec<Op> = body.block(block).ops().collect();
        for op in ops {
            if self.is_candidate(body.op(op)).is_some() {
                fills.fill(body, op);
            }
        }
    }

    /// Splits the operations of a block that have a kernel only if they are split; returns the operations that each became, by all of them.
    fn split(&self, body: &mut Body, block: Block) -> FxHashMap<Op, Rc<Vec<Op>>> {
        let mut units = FxHashMap::default();
        let Some(splitter) = Splitter::of(self.ctx) else { return units };
        let ops: Vec<Op> = body.block(block).ops().collect();
        for op in ops {
            let view = body.op(op);
            let Some(domain) = self.is_candidate(view) else { continue };
            let is_one = view.n_results() == 1;
            let reduces = domain.iterator_types.contains(&IteratorType::Reduction);
            if is_one && !(reduces && choose::has_function(body, op) && self.kernel(body, &[op]).is_none()) {
                continue;
            }
            for in_order in [false, true] {
                if in_order && !reduces || !in_order && is_one {
                    continue;
                }
                let Some(split) = splitter.split(body, op, in_order) else { continue };
                if self.kernel(body, &split.parts).is_some() {
                    let unit = Rc::new(split.parts);
                    units.extend(unit.iter().map(|&part| (part, Rc::clone(&unit))));
                    body.erase(op);
                    break;
                }
                split.undo(body, op);
            }
        }
        units
    }

    /// The kernel that operations make, if it has a vectorized plan.
    fn kernel(&self, body: &Body, members: &[Op]) -> Option<Kernel> {
        self.analyses.set(self.analyses.get() + 1);
        let kernel = self.contents(body, members).and_then(|contents| kernel_of(body, &contents)).ok()?;
        (choose::choose(&kernel, body, self.machine).family != choose::Family::Plain).then_some(kernel)
    }

    /// The groups of a block, each in program order.
    fn groups(&self, body: &mut Body, block: Block, remarks: &mut Diagnostics) -> Vec<Vec<Op>> {
        self.fill(body, block);
        let units = self.split(body, block);
        let body = &*body;
        let ops: Vec<Op> = body.block(block).ops().collect();
        let mut groups: Vec<Vec<Op>> = Vec::new();
        // By group: the number of outer axes that its operations share.
        let mut shared: Vec<usize> = Vec::new();
        // By group: the shape of its operations, if all are pointwise.
        let mut pointwise: Vec<Option<Vec<i64>>> = Vec::new();
        let mut group_of: FxHashMap<Op, usize> = FxHashMap::default();
        for &op in ops.iter().rev() {
            let view = body.op(op);
            let unit: &[Op] = match units.get(&op) {
                // The operations of a unit are visited together, where the last one of them is.
                Some(unit) if unit.last() != Some(&op) => continue,
                Some(unit) => unit,
                None if !self.is_member(view) => continue,
                None => &[op],
            };
            let mut users: FxHashSet<Option<usize>> = FxHashSet::default();
            for &member in unit {
                let uses = body.op(member).results().flat_map(|result| body.uses(result));
                let outside = uses.filter(|at| !unit.contains(&at.op));
                users.extend(outside.map(|at| group_of.get(&at.op).copied()));
            }
            let target = match users.len() {
                1 => users.into_iter().next().flatten(),
                _ => None,
            };
            let mut shapes = unit.iter().map(|&member| self.pointwise_shape(body, body.op(member)));
            let first = shapes.next().flatten();
            let shape = first.filter(|first| shapes.all(|shape| shape.as_ref() == Some(first)));
            let joined = match target {
                Some(target)
                    if shape.is_some()
                        && pointwise[target] == shape
                        && groups[target].len() + unit.len() <= self.options.max_operations =>
                {
                    Ok((target, shared[target]))
                }
                Some(target) => {
                    self.joins(body, unit, &groups[target], shared[target]).map(|axes| (target, axes))
                }
                None => Err("its uses are not in one kernel".to_owned()),
            };
            match joined {
                Ok((target, axes)) => {
                    groups[target].splice(0..0, unit.iter().copied());
                    shared[target] = axes;
                    if pointwise[target] != shape {
                        pointwise[target] = None;
                    }
                    group_of.extend(unit.iter().map(|&member| (member, target)));
                }
                Err(reason) => {
                    if self.explains {
                        let message = format!("'{}' starts a kernel: {reason}", view.name());
                        remarks.push(Diagnostic::remark(message).at(view.loc().place(self.ctx)));
                    }
                    // A padding has no destination, so it only joins kernels.
                    if update_of(view).is_none() {
                        continue;
                    }
                    if let Some(kernel) = self.kernel(body, unit) {
                        group_of.extend(unit.iter().map(|&member| (member, groups.len())));
                        groups.push(unit.to_vec());
                        shared.push(choose::shared_axes(&kernel));
                        pointwise.push(shape);
                    }
                }
            }
        }
        self.chain(body, &ops, groups)
    }

    /// Merges each group into the one that uses its results if both make a chain, that is a contraction of rows.
    fn chain(&self, body: &Body, ops: &[Op], mut groups: Vec<Vec<Op>>) -> Vec<Vec<Op>> {
        let order: FxHashMap<Op, usize> = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let mut group_of: FxHashMap<Op, usize> = FxHashMap::default();
        for (at, group) in groups.iter().enumerate() {
            group_of.extend(group.iter().map(|&op| (op, at)));
        }
        // The consumers come first.
        for at in 0..groups.len() {
            let mut users: FxHashSet<Option<usize>> = FxHashSet::default();
            for &op in &groups[at] {
                let uses = body.uses(body.op(op).result(0)).map(|at| group_of.get(&at.op).copied());
                users.extend(uses.filter(|user| *user != Some(at)));
            }
            let mut users = users.into_iter();
            let (Some(Some(target)), None) = (users.next(), users.next()) else { continue };
            if groups[at].len() + groups[target].len() > self.options.max_operations {
                continue;
            }
            let mut members: Vec<Op> = groups[target].iter().chain(&groups[at]).copied().collect();
            members.sort_by_key(|op| order.get(op));
            let kernel = self.contents(body, &members).and_then(|contents| kernel_of(body, &contents));
            let is_chain = kernel.is_ok_and(|kernel| {
                choose::choose(&kernel, body, self.machine).family == choose::Family::Chain
            });
            if is_chain {
                group_of.extend(groups[at].iter().map(|&op| (op, target)));
                groups[target] = members;
                groups[at].clear();
            }
        }
        let is_large =
            |&op: &Op| domain_of_all(body.op(op)).is_some_and(|of| !self.is_small(body.op(op), &of));
        groups.retain(|group| group.iter().any(is_large));
        groups
    }

    /// The domain of an operation that may be in a kernel: it computes one tensor, has no effects, and is no mere
    /// initialization.
    fn is_member(&self, op: OpRef<'_>) -> bool {
        let is_update = |domain: &Domain| update_of(op).is_some() || domain.has_padding();
        op.n_results() == 1 && self.is_candidate(op).as_ref().is_some_and(is_update)
    }

    /// The domain of an operation that computes tensors from others, and has no effects.
    fn is_candidate(&self, op: OpRef<'_>) -> Option<Domain> {
        let ctx = self.ctx;
        let domain = domain_of_all(op)?;
        let is_tensor = |operand: usize| op.body().ty(op.operand(operand)).is_tensor(ctx);
        let is_candidate = op.result_types().all(|ty| ty.is_tensor(ctx))
            && op.block().is_some()
            && EffectsTable::new(ctx).all(op) == EffectSet::NONE
            && domain.reads.iter().any(|read| is_tensor(read.operand))
            && (!self.is_small(op, &domain) || self.finishes_reduction(op, MAX_STEPS));
        is_candidate.then_some(domain)
    }

    /// Whether an operation is among the first `steps` that are computed from the elements of a reduction over many points, such as a
    /// bias that is added to the product of a row and a matrix. They belong to the kernel of the reduction, however few points they have.
    fn finishes_reduction(&self, op: OpRef<'_>, steps: usize) -> bool {
        op.operands().filter_map(|operand| op.body().defining_op(operand)).any(|from| {
            let from = op.body().op(from);
            domain_of_all(from).is_some_and(|domain| {
                let reduces = domain.iterator_types.contains(&IteratorType::Reduction);
                match self.is_small(from, &domain) {
                    false => reduces,
                    true => !reduces && steps > 1 && self.finishes_reduction(from, steps - 1),
                }
            })
        })
    }

    /// The shape of a result whose elements are computed from those of the operands at the same place, and from scalars. Any number
    /// of such operations on one shape is a kernel with a vectorized plan.
    fn pointwise_shape(&self, body: &Body, op: OpRef<'_>) -> Option<Vec<i64>> {
        let domain = domain(op)?;
        let dims: Vec<u32> = (0..domain.iterator_types.len() as u32).collect();
        let identity = AffineMap::projection(dims.len() as u32, &dims);
        let is_whole = |ty: Type| choose::bits(self.ctx, ty.element_or_self(self.ctx)).is_multiple_of(8);
        let reads = domain.reads.iter().all(|read| {
            let value = op.operand(read.operand);
            let ty = body.ty(value);
            let is_scalar = !ty.is_tensor(self.ctx);
            let is_defined = body.defining_op(value).is_none_or(|op| !creates_tensor(body.op(op)));
            let same = read.map == identity && is_whole(ty) && update_of(op) != Some(read.operand);
            read.outside.is_none() && (is_scalar || same && is_defined)
        });
        let result = op.result_types().next()?;
        let plain = domain.iterator_types.iter().all(|&iterator| iterator == IteratorType::Parallel)
            && domain.writes[..] == [identity.clone()]
            && is_whole(result)
            && !dims.is_empty()
            && captures(body, op.id()).is_empty()
            && choose::without_vector_form(body, op.id()).is_none();
        (plain && reads).then(|| result.shape(self.ctx).map(<[i64]>::to_vec)).flatten()
    }

    /// Whether the static extents are too small for a kernel to pay.
    fn is_small(&self, op: OpRef<'_>, domain: &Domain) -> bool {
        let extent = |extent: &Extent| match *extent {
            Extent::Known(known) => Some(known),
            Extent::Of { operand, dim } => {
                let shape = op.body().ty(op.operand(operand)).shape(self.ctx)?;
                shape.get(dim).copied().filter(|&extent| extent != minoan_ir::DYNAMIC)
            }
            Extent::Value(_) => None,
        };
        let points = domain.extents.iter().map(extent).try_fold(1i64, |all, extent| all.checked_mul(extent?));
        let weight = if choose::has_function(op.body(), op.id()) { FUNCTION_POINTS } else { 1 };
        points.is_some_and(|points| points.saturating_mul(weight) < self.options.min_points)
    }

    /// Checks that operations can join a group whose operations share `axes` outer axes; gives the number of outer axes
    /// that are shared with them.
    fn joins(&self, body: &Body, unit: &[Op], group: &[Op], axes: usize) -> Result<usize, String> {
        if group.len() + unit.len() > self.options.max_operations {
            return Err(format!("the kernel has {} operations", group.len()));
        }
        // A padding is computed before its readers, over a domain of its own.
        let pads = unit.iter().any(|&op| domain(body.op(op)).is_some_and(|domain| domain.has_padding()));
        let in_windows =
            |&reader: &Op| unit.iter().any(|&op| reads_window(body, reader, body.op(op).result(0)));
        if !pads && group.iter().any(in_windows) {
            return Err("its elements are read in windows".to_owned());
        }
        self.analyses.set(self.analyses.get() + 1);
        let members: Vec<Op> = unit.iter().chain(group).copied().collect();
        let kernel = self.contents(body, &members).and_then(|contents| kernel_of(body, &contents))?;
        let shared = choose::shared_axes(&kernel);
        if !pads && shared == 0 && axes > 0 {
            return Err("it shares no outer axis with the kernel".to_owned());
        }
        let choice = choose::choose(&kernel, body, self.machine);
        let contracts = kernel.statements.iter().any(choose::is_contraction);
        match choice.family {
            choose::Family::Plain => Err(choice.reasons.join("; ")),
            choose::Family::Rows if contracts => Err(choice.reasons.join("; ")),
            _ => Ok(shared),
        }
    }

    /// The operands, results and operations of a group.
    fn contents(&self, body: &Body, members: &[Op]) -> Result<Contents, String> {
        let set: FxHashSet<Op> = members.iter().copied().collect();
        let mut contents =
            Contents { ops: Vec::new(), ins: Vec::new(), outs: Vec::new(), results: Vec::new() };
        let mut seen: FxHashSet<Op> = FxHashSet::default();
        for &member in members {
            let view = body.op(member);
            let updated = update_of(view);
            for (index, operand) in view.operands().enumerate() {
                let is_init = updated == Some(index) && !reads_init(view, index);
                self.visit(body, &set, operand, is_init, &mut contents, &mut seen)?;
            }
            for captured in captures(body, member) {
                let ty = body.ty(captured);
                if ty.is_tensor(self.ctx) || ty.is_memref(self.ctx) {
                    // An operand of a kernel with a shape is a tensor in its body.
                    return Err(format!("'{}' captures a tensor or buffer", view.name()));
                }
                self.visit(body, &set, captured, false, &mut contents, &mut seen)?;
            }
            contents.ops.push(member);
            let result = view.result(0);
            if body.uses(result).any(|at| !set.contains(&at.op)) {
                contents.results.push(result);
            }
        }
        for &result in &contents.results {
            let out = self.destination(body, &set, result)?;
            contents.outs.push(out);
        }
        Ok(contents)
    }

    /// Adds the definition of an operand: an input, or an operation that is copied.
    fn visit(
        &self,
        body: &Body,
        members: &FxHashSet<Op>,
        value: Value,
        is_init: bool,
        contents: &mut Contents,
        seen: &mut FxHashSet<Op>,
    ) -> Result<(), String> {
        let op = body.defining_op(value).map(|op| body.op(op));
        if op.is_some_and(|op| members.contains(&op.id())) {
            return Ok(());
        }
        let copied = op.filter(|&op| {
            let is_constant = op.has_trait(Traits::CONSTANT_LIKE) && !body.ty(value).is_tensor(self.ctx);
            is_constant || is_fill(op) || (is_init && creates_tensor(op))
        });
        match copied {
            Some(op) => {
                if seen.insert(op.id()) {
                    let updated = update_of(op);
                    for (index, operand) in op.operands().enumerate() {
                        self.visit(body, members, operand, updated == Some(index), contents, seen)?;
                    }
                    contents.ops.push(op.id());
                }
            }
            None => {
                if !contents.ins.contains(&value) {
                    contents.ins.push(value);
                }
            }
        }
        Ok(())
    }

    /// The tensor that a result is written to, outside of the group.
    fn destination(&self, body: &Body, members: &FxHashSet<Op>, result: Value) -> Result<Value, String> {
        let mut value = result;
        loop {
            let op = body.defining_op(value).map(|op| body.op(op));
            let inside = op.filter(|&op| members.contains(&op.id()) || is_fill(op));
            match inside.and_then(|op| Some((op, update_of(op)?))) {
                Some((op, updated)) => value = op.operand(updated),
                None => return Ok(value),
            }
        }
    }

    /// Replaces a group by a kernel.
    fn wrap(&self, body: &mut Body, members: &[Op]) {
        let (Ok(contents), Some(&last)) = (self.contents(body, members), members.last()) else { return };
        let Contents { ops, mut ins, outs, results } = contents;
        let mut made = Body::new(self.ctx, 1);
        let types: Vec<Type> = ins.iter().chain(&outs).map(|&value| body.ty(value)).collect();
        let root = made.root(0);
        let block = made.add_block(root, &types);
        let args: Vec<Value> = made.block(block).args().collect();
        let (in_args, out_args) = args.split_at(ins.len());
        let mut mapping = Mapping::new();
        // An argument that is both an input and an output denotes the old contents of the output.
        outs.iter().zip(out_args).for_each(|(&value, &arg)| mapping.map(value, arg));
        ins.iter().zip(in_args).for_each(|(&value, &arg)| mapping.map(value, arg));
        for &op in &ops {
            made.clone_op_from(body, op, InsertionPoint::End(block), &mut mapping);
        }
        let yielded: Vec<Value> = results.iter().map(|&result| mapping.value(result)).collect();
        for (&result, &out) in yielded.iter().zip(out_args) {
            write_to(&mut made, result, out);
        }
        let copies: Vec<Op> = made.block(block).ops().collect();
        for op in copies.into_iter().rev() {
            let view = made.op(op);
            if view.results().all(|result| !made.is_used(result) && !yielded.contains(&result)) {
                made.erase(op);
            }
        }
        for at in (0..ins.len()).rev() {
            let arg = made.block(block).arg(at);
            if !made.is_used(arg) {
                made.erase_arg(block, at);
                ins.remove(at);
            }
        }
        let from: Vec<Value> = made.block(block).args().collect();
        let mut b = Builder::before(body, last);
        let kernel = self.service.create(&mut b, &ins, &outs, &mut |b, args| {
            let mut mapping = Mapping::new();
            from.iter().zip(args).for_each(|(&from, &to)| mapping.map(from, to));
            for op in made.block(block).ops() {
                let point = b.insertion_point();
                b.body_mut().clone_op_from(&made, op, point, &mut mapping);
            }
            yielded.iter().map(|&value| mapping.value(value)).collect()
        });
        let new: Vec<Value> = body.op(kernel).results().collect();
        for (&old, &new) in results.iter().zip(&new) {
            body.replace_all_uses(old, new);
        }
        for &op in members.iter().rev() {
            body.erase(op);
        }
    }
}

/// Makes a result of a kernel an update of an output, with a copy of the fill that initializes it.
fn write_to(body: &mut Body, result: Value, out: Value) {
    let mut value = result;
    while let Some(op) = body.defining_op(value) {
        let Some(updated) = update_of(body.op(op)) else { return };
        let init = body.op(op).operand(updated);
        let from = body.defining_op(init).map(|from| body.op(from));
        match from {
            Some(from) if is_fill(from) => {
                let Some(index) = update_of(from) else { return };
                let fill = from.id();
                let copy = body.clone_op(fill, InsertionPoint::Before(op), &mut Mapping::new());
                body.set_operand(copy, index, out);
                let filled = body.op(copy).result(0);
                return body.set_operand(op, updated, filled);
            }
            Some(from) if domain(from).is_some() && update_of(from).is_some() => value = init,
            _ => return body.set_operand(op, updated, out),
        }
    }
}

/// The domain of an operation with one result.
fn domain(op: OpRef<'_>) -> Option<Domain> {
    domain_of_all(op).filter(|_| op.n_results() == 1)
}

/// The domain of an operation with any number of results.
fn domain_of_all(op: OpRef<'_>) -> Option<Domain> {
    let domain = op.context().service::<dyn IterationDomain>(op.kind())?.domain(op)?;
    (!op.has_trait(Traits::CONSTANT_LIKE)).then_some(domain)
}

/// Whether an operation reads a value with a padding, or in windows, whose indices are sums: not at the points that it computes.
fn reads_window(body: &Body, op: Op, value: Value) -> bool {
    let Some(domain) = domain(body.op(op)) else { return false };
    domain.reads.iter().any(|read| {
        let is_plain = |expr: &AffineExpr| matches!(expr, AffineExpr::Dim(_) | AffineExpr::Constant(_));
        body.op(op).operand(read.operand) == value
            && (read.outside.is_some() || !read.map.results.iter().all(is_plain))
    })
}

/// The operand that the result is an update of.
fn update_of(op: OpRef<'_>) -> Option<usize> {
    if op.n_results() != 1 {
        return None;
    }
    match op.context().service::<dyn AliasModel>(op.kind())?.alias(op, 0) {
        Alias::UpdateOf(operand) => Some(operand),
        _ => None,
    }
}

/// Whether the old contents of an updated operand are read.
fn reads_init(op: OpRef<'_>, operand: usize) -> bool {
    let alias = op.context().service::<dyn AliasModel>(op.kind());
    alias.is_none_or(|alias| alias.reads_updated(op, operand))
}

/// Whether an operation sets all elements from scalars that are its operands.
fn is_fill(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    let Some(domain) = domain(op) else { return false };
    let scalars = |read: &minoan_services::Read| !op.body().ty(op.operand(read.operand)).is_tensor(ctx);
    let parallel = domain.iterator_types.iter().all(|&iterator| iterator == IteratorType::Parallel);
    parallel
        && domain.reads.iter().all(scalars)
        && update_of(op).is_some()
        && captures(op.body(), op.id()).is_empty()
}

/// Whether an operation creates a tensor from no other.
pub(crate) fn creates_tensor(op: OpRef<'_>) -> bool {
    let ctx = op.context();
    op.has_trait(Traits::PURE)
        && op.n_regions() == 0
        && op.n_results() == 1
        && op.operand_types().all(|ty| !ty.is_tensor(ctx))
        && op.result_types().all(|ty| ty.is_tensor(ctx))
}

/// An uninitialized tensor with an element for each point of the domain of an operation.
fn empty_over(
    b: &mut Builder<'_>,
    tensor_ops: &dyn TensorOps,
    op: Op,
    domain: &Domain,
    element: Type,
) -> Value {
    let (ctx, mut shape, mut sizes) = (b.context(), Vec::new(), Vec::new());
    for extent in &domain.extents {
        shape.push(extent.in_shape());
        match *extent {
            Extent::Known(_) => {}
            Extent::Of { operand, dim } => {
                let operand = b.body().op(op).operand(operand);
                sizes.push(tensor_ops.extent(b, operand, dim));
            }
            Extent::Value(value) => sizes.push(value),
        }
    }
    let ty = Type::tensor(&ctx, &shape, element);
    tensor_ops.empty(b, ty, &sizes)
}

/// The kernel that the operations of a group make.
fn kernel_of(body: &Body, contents: &Contents) -> Result<Kernel, String> {
    let args: Vec<Value> = contents.ins.iter().chain(&contents.outs).copied().collect();
    let kernel = Kernel::of_ops(body, &args, contents.ins.len(), &contents.ops, &contents.results);
    kernel.map_err(|(at, message)| match at {
        Some(at) => format!("'{}' {message}", body.op(at).name()),
        None => message,
    })
}

//! Groups of operations that become kernels.

use super::Former;
use super::predicates::{creates_tensor, domain, domain_of_all, update_of};
use super::wrap::kernel_of;
use crate::analysis::captures::captures;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Block, Body, Op, OpRef, Value};
use minoan_schedule::choose;
use minoan_services::{Domain, EffectSet, EffectsTable, Extent, IteratorType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// The cost of a point of a function such as `tanh`, in points of cheap operations.
const FUNCTION_POINTS: i64 = 16;

/// The number of operations that may follow a reduction in its kernel although they have few points.
const MAX_STEPS: usize = 4;

/// Operations that become one kernel.
pub(super) struct Group {
    /// The operations in program order.
    pub ops: Vec<Op>,
    /// The number of outer axes that the operations share.
    shared_axes: usize,
    /// The shape of the results, if all operations are pointwise.
    pointwise: Option<Vec<i64>>,
}

/// The reason why operations do not join the kernel of their consumers.
enum Separate {
    /// The consumers are in several kernels, or not all of them are in a kernel.
    Uses,
    /// The kernel has this number of operations, and must not have more.
    Full(usize),
    /// The kernel reads the elements in windows.
    Windows,
    /// The operations together are not the body of a kernel.
    NotAKernel(String),
    /// The operations share no outer axis with the kernel.
    NoSharedAxis,
    /// The operations together have no suitable plan.
    Plan(Vec<String>),
}

impl fmt::Display for Separate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Separate::Uses => f.write_str("its uses are not in one kernel"),
            Separate::Full(count) => write!(f, "the kernel has {count} operations"),
            Separate::Windows => f.write_str("its elements are read in windows"),
            Separate::NotAKernel(message) => f.write_str(message),
            Separate::NoSharedAxis => f.write_str("it shares no outer axis with the kernel"),
            Separate::Plan(reasons) => f.write_str(&reasons.join("; ")),
        }
    }
}

impl Former<'_> {
    /// The groups of a block.
    pub(super) fn groups(&self, body: &mut Body, block: Block, remarks: &mut Diagnostics) -> Vec<Group> {
        self.fill(body, block);
        let units = self.split(body, block);
        let body = &*body;
        let ops: Vec<Op> = body.block(block).ops().collect();
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: FxHashMap<Op, usize> = FxHashMap::default();
        for &op in ops.iter().rev() {
            let view = body.op(op);
            let unit: &[Op] = match units.get(&op) {
                // The operations of a unit are visited together, at the position of the last one.
                Some(unit) if unit.last() != Some(&op) => continue,
                Some(unit) => unit,
                None if !self.is_member(view) => continue,
                None => &[op],
            };
            let target = only_consumer(body, unit, &group_of, |user| unit.contains(&user));
            let mut shapes = unit.iter().map(|&member| self.pointwise_shape(body, body.op(member)));
            let first = shapes.next().flatten();
            let shape = first.filter(|first| shapes.all(|shape| shape.as_ref() == Some(first)));
            let joined = target.ok_or(Separate::Uses).and_then(|target| {
                let axes = self.joins(body, unit, shape.as_deref(), &groups[target])?;
                Ok((target, axes))
            });
            match joined {
                Ok((target, shared_axes)) => {
                    let group = &mut groups[target];
                    group.ops.splice(0..0, unit.iter().copied());
                    group.shared_axes = shared_axes;
                    group.pointwise = group.pointwise.take().filter(|own| Some(own) == shape.as_ref());
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
                        let shared_axes = choose::shared_axes(&kernel);
                        groups.push(Group { ops: unit.to_vec(), shared_axes, pointwise: shape });
                    }
                }
            }
        }
        self.chain(body, &ops, groups)
    }

    /// Merges each group into the group that uses its results if both form a chain, that is, a contraction of rows.
    fn chain(&self, body: &Body, order: &[Op], mut groups: Vec<Group>) -> Vec<Group> {
        let order: FxHashMap<Op, usize> = order.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let mut group_of: FxHashMap<Op, usize> = FxHashMap::default();
        for (at, group) in groups.iter().enumerate() {
            group_of.extend(group.ops.iter().map(|&op| (op, at)));
        }
        // The consumers come first.
        for at in 0..groups.len() {
            let ops = &groups[at].ops;
            let is_own = |user: Op| group_of.get(&user) == Some(&at);
            let Some(target) = only_consumer(body, ops, &group_of, is_own) else { continue };
            if ops.len() + groups[target].ops.len() > self.options.max_operations {
                continue;
            }
            let mut members: Vec<Op> = groups[target].ops.iter().chain(ops).copied().collect();
            members.sort_by_key(|op| order.get(op));
            let kernel = self.contents(body, &members).and_then(|contents| kernel_of(body, &contents));
            let is_chain = kernel.is_ok_and(|kernel| {
                choose::choose(&kernel, body, self.machine).family == choose::Family::Chain
            });
            if is_chain {
                let merged = std::mem::take(&mut groups[at].ops);
                group_of.extend(merged.into_iter().map(|op| (op, target)));
                groups[target].ops = members;
            }
        }
        let is_large =
            |&op: &Op| domain_of_all(body.op(op)).is_some_and(|of| !self.is_small(body.op(op), &of));
        groups.retain(|group| group.ops.iter().any(is_large));
        groups
    }

    /// The domain of an operation that may be in a kernel: it computes one tensor, has no effects, and does more than provide
    /// initial contents.
    fn is_member(&self, op: OpRef<'_>) -> bool {
        let is_update = |domain: &Domain| update_of(op).is_some() || domain.has_padding();
        op.n_results() == 1 && self.is_candidate(op).as_ref().is_some_and(is_update)
    }

    /// The domain of an operation that computes tensors from others, and has no effects.
    pub(super) fn is_candidate(&self, op: OpRef<'_>) -> Option<Domain> {
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

    /// Whether an operation is among the first `steps` that are computed from the elements of a reduction over many points,
    /// such as a bias that is added to the product of a row and a matrix. They belong to the kernel of the reduction, however
    /// few points they have.
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

    /// The shape of a result whose elements are computed from those of the operands at the same place, and from scalars. Any
    /// number of such operations on one shape is a kernel with a vectorized plan.
    fn pointwise_shape(&self, body: &Body, op: OpRef<'_>) -> Option<Vec<i64>> {
        let domain = domain(op)?;
        let dims: Vec<u32> = (0..domain.iterator_types.len() as u32).collect();
        let identity = AffineMap::projection(dims.len() as u32, &dims);
        let reads = domain.reads.iter().all(|read| {
            let value = op.operand(read.operand);
            let ty = body.ty(value);
            let is_scalar = !ty.is_tensor(self.ctx);
            let is_defined = body.defining_op(value).is_none_or(|op| !creates_tensor(body.op(op)));
            let same = read.map == identity && update_of(op) != Some(read.operand);
            read.outside.is_none() && (is_scalar || same && is_defined)
        });
        let result = op.result_types().next()?;
        let plain = domain.iterator_types.iter().all(|&iterator| iterator == IteratorType::Parallel)
            && domain.writes[..] == [identity.clone()]
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
            Extent::Plus { .. } | Extent::Value(_) => None,
        };
        let points = domain.extents.iter().map(extent).try_fold(1i64, |all, extent| all.checked_mul(extent?));
        let weight = if choose::has_function(op.body(), op.id()) { FUNCTION_POINTS } else { 1 };
        points.is_some_and(|points| points.saturating_mul(weight) < self.options.min_points)
    }

    /// Checks that operations can join a group. `shape` is theirs, if they are pointwise. Returns the number of outer axes that
    /// the group shares with them.
    fn joins(
        &self,
        body: &Body,
        unit: &[Op],
        shape: Option<&[i64]>,
        group: &Group,
    ) -> Result<usize, Separate> {
        if group.ops.len() + unit.len() > self.options.max_operations {
            return Err(Separate::Full(group.ops.len()));
        }
        if shape.is_some() && group.pointwise.as_deref() == shape {
            return Ok(group.shared_axes);
        }
        // A padding is computed before its readers, over a separate domain.
        let pads = unit.iter().any(|&op| domain(body.op(op)).is_some_and(|domain| domain.has_padding()));
        let in_windows =
            |&reader: &Op| unit.iter().any(|&op| reads_window(body, reader, body.op(op).result(0)));
        if !pads && group.ops.iter().any(in_windows) {
            return Err(Separate::Windows);
        }
        self.analyses.set(self.analyses.get() + 1);
        let members: Vec<Op> = unit.iter().chain(&group.ops).copied().collect();
        let kernel = self.contents(body, &members).and_then(|contents| kernel_of(body, &contents));
        let kernel = kernel.map_err(Separate::NotAKernel)?;
        let shared = choose::shared_axes(&kernel);
        if !pads && shared == 0 && group.shared_axes > 0 {
            return Err(Separate::NoSharedAxis);
        }
        let choice = choose::choose(&kernel, body, self.machine);
        let contracts = kernel.statements.iter().any(choose::is_contraction);
        match choice.family {
            choose::Family::Plain => Err(Separate::Plan(choice.reasons)),
            choose::Family::Rows if contracts => Err(Separate::Plan(choice.reasons)),
            _ => Ok(shared),
        }
    }
}

/// The group of all users of operations, except for `is_own` ones; `None` if there is not exactly one, or a user is in no group.
fn only_consumer(
    body: &Body,
    ops: &[Op],
    group_of: &FxHashMap<Op, usize>,
    is_own: impl Fn(Op) -> bool,
) -> Option<usize> {
    let results = ops.iter().flat_map(|&op| body.op(op).results());
    let users = results.flat_map(|result| body.uses(result)).map(|at| at.op).filter(|&user| !is_own(user));
    let groups: FxHashSet<Option<usize>> = users.map(|user| group_of.get(&user).copied()).collect();
    let mut groups = groups.into_iter();
    groups.next().flatten().filter(|_| groups.next().is_none())
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

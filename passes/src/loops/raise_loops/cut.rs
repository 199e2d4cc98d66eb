//! Cutting a nest at the nests in it.

use super::Tables;
use super::emit::{Init, Plan};
use super::nest::{Dim, Nest, Output, within};
use super::slice::{Hoisted, Slice, indices, slice};
use crate::analysis::extents::Key;
use crate::analysis::extents::Size;
use minoan_ir::{Body, Builder, InsertionPoint, Op, Value};
use minoan_services::{EffectSet, LoopLike, Order};
use rustc_hash::{FxHashMap, FxHashSet};

/// Raises the nest of `op` after the nests in it; returns how many were raised, and how many of them cut out.
pub(super) fn root(tables: &Tables<'_>, body: &mut Body, op: Op) -> (u64, u64) {
    let Some(mut nest) = Nest::of(tables, body, op) else { return (0, 0) };
    nest.dims = within(&[], &nest.dims);
    let mut cutting = Cutting {
        hoisted: Hoisted::new(tables, op),
        tables,
        root: op,
        lane: lane(tables, body, &nest),
        is_raised: false,
        asserts: false,
        transposed: FxHashMap::default(),
        clamped: FxHashMap::default(),
        parts: FxHashMap::default(),
        cut: 0,
    };
    cutting.is_raised = cutting.raisable(body, &nest);
    cutting.assertions(body, &nest.dims, &nest);
    cutting.asserts = tables.effects.all(body.op(op)) != EffectSet::NONE;
    cutting.inside(body, &nest.dims, &nest, cutting.is_raised);
    let cut = cutting.cut;
    let raised = cutting.raise_root(body);
    (cut + u64::from(raised), cut)
}

/// The minimum number of iterations whose values are computed as vectors.
const LANES: i64 = 16;

/// The index of the last dimension of a nest if it becomes the innermost dimension of the tensors computed for it: sums and
/// folds in the nest that have to be computed in order are then vectorized across iterations.
fn lane(tables: &Tables<'_>, body: &Body, nest: &Nest) -> Option<Value> {
    let last = nest.dims.last().filter(|dim| dim.below.is_none())?;
    if matches!(last.size, Size::Known(size) if size < LANES) {
        return None;
    }
    let in_order = |output: &Output| match output {
        Output::Fold { .. } => true,
        Output::Combine { combine, .. } => {
            let view = body.op(*combine);
            let monoid = tables.algebra.and_then(|table| table.get(view.kind())?.monoid(view));
            monoid.is_none_or(|monoid| monoid.order == Order::Fixed)
        }
        Output::Element(_) | Output::Insert { .. } => false,
    };
    let levels: FxHashSet<Op> = nest.blocks.iter().filter_map(|&level| body.block(level).parent()).collect();
    let mut pending: Vec<Op> = vec![nest.op];
    while let Some(op) = pending.pop() {
        let inner = Nest::with_folds(tables, body, op).filter(|_| !levels.contains(&op));
        if inner.is_some_and(|nest| nest.outputs.iter().any(in_order)) {
            return Some(last.index);
        }
        let view = body.op(op);
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()));
    }
    None
}

pub(super) struct Cutting<'t, 'c> {
    pub tables: &'t Tables<'c>,
    pub root: Op,
    pub hoisted: Hoisted<'t, 'c>,
    /// The index of the dimension of the root that is the last dimension of the tensors computed before it.
    pub lane: Option<Value>,
    /// Whether the root becomes an operation over a domain.
    is_raised: bool,
    /// Whether the root has assertions on values of an iteration.
    pub asserts: bool,
    /// Tensors from outside with their dimensions in another order.
    pub transposed: FxHashMap<(Value, Vec<u32>), Value>,
    /// The extents of dimensions, by their indices, that are clamped to those of tensors.
    pub clamped: FxHashMap<Value, Size>,
    /// Slices of tensors, by their extents where these are not those of the tensor.
    pub parts: FxHashMap<(Value, Vec<Option<Size>>), Value>,
    cut: u64,
}

impl Cutting<'_, '_> {
    /// Cuts out the nests in a nest; `dims` are the dimensions of the nest and of the enclosing ones, and `raised` whether the
    /// nest itself becomes an operation over a domain. If it does not, parts that depend on all dimensions are not cut out:
    /// storing them for all iterations would only take memory.
    fn inside(&mut self, body: &mut Body, dims: &[Dim], nest: &Nest, raised: bool) {
        for (op, _) in self.nests_in(body, dims, nest) {
            // Cutting out a nest replaces the reads of its tensor in those after it.
            let Some(inner) = self.nest(body, dims, op) else { continue };
            let all = [dims, &inner.dims].concat();
            let cut = self.raisable(body, &inner) && (raised || self.keeps_fewer(body, dims, &inner));
            self.inside(body, &all, &inner, cut);
            if cut && self.part(body, dims, op).is_some() {
                self.cut += 1;
            }
        }
    }

    /// The nests directly in a nest, whose dimensions are the last of `dims`.
    pub(super) fn nests_in(&self, body: &Body, dims: &[Dim], nest: &Nest) -> Vec<(Op, Nest)> {
        let levels: FxHashSet<Op> =
            nest.blocks[1..].iter().filter_map(|&level| body.block(level).parent()).collect();
        let ops = nest.blocks.iter().flat_map(|&block| body.block(block).ops());
        ops.filter(|op| !levels.contains(op))
            .filter_map(|op| Some((op, self.nest(body, dims, op)?)))
            .collect()
    }

    /// The nest of an operation inside of others.
    fn nest(&self, body: &Body, around: &[Dim], op: Op) -> Option<Nest> {
        let mut nest = Nest::with_folds(self.tables, body, op)?;
        nest.dims = within(around, &nest.dims);
        for dim in &mut nest.dims {
            dim.size = self.clamped.get(&dim.index).copied().unwrap_or(dim.size);
        }
        Some(nest)
    }

    /// Whether a nest can become an operation over a domain once the nests in it are cut out.
    fn raisable(&self, body: &Body, nest: &Nest) -> bool {
        let none = FxHashSet::default();
        let mut pending = vec![(nest.clone(), nest.dims.clone())];
        while let Some((nest, dims)) = pending.pop() {
            let levels: FxHashSet<Op> =
                nest.blocks[1..].iter().filter_map(|&level| body.block(level).parent()).collect();
            for &block in &nest.blocks {
                let last = body.block(block).last();
                for op in body.block(block).ops().filter(|&op| Some(op) != last && !levels.contains(&op)) {
                    let view = body.op(op);
                    let asserts =
                        self.tables.assertions.is_some_and(|table| table.get(view.kind()).is_some());
                    let access = self.tables.accesses.and_then(|table| table.get(view.kind())?.access(view));
                    if asserts || access.is_some_and(|access| access.stored.is_some()) {
                        continue;
                    }
                    let Some(inner) = self.nest(body, &dims, op) else {
                        if !super::emit::is_scalar(body, op) {
                            return false;
                        }
                        continue;
                    };
                    let is_regular = |dim: &Dim| match self.tables.extents.of_size(body, dim.size) {
                        Key::Known(_) => true,
                        Key::Of(tensor, _) => <dyn LoopLike>::is_outside(body, self.root, tensor),
                        Key::Value(value) => slice(body, self.root, &[value], &none, &none).is_some(),
                    };
                    // The rows of a tensor have the same extent.
                    let is_ragged = |output: &Output| {
                        matches!(output, Output::Element(_))
                            && inner.dims.iter().any(|dim| dim.below.is_some())
                    };
                    let inserts = inner.outputs.iter().any(|output| matches!(output, Output::Insert { .. }));
                    if inserts || inner.outputs.iter().any(is_ragged) || !inner.dims.iter().all(is_regular) {
                        return false;
                    }
                    let all = [&dims[..], &inner.dims].concat();
                    pending.push((inner, all));
                }
            }
        }
        true
    }

    /// Whether a nest does not depend on all of the dimensions around it.
    fn keeps_fewer(&self, body: &Body, around: &[Dim], nest: &Nest) -> bool {
        let all = [around, &nest.dims].concat();
        let slice = slice(body, self.root, &nest.computed(body), &indices(&all), &nest.carried());
        slice.is_some_and(|slice| around.iter().any(|dim| !slice.indices.contains(&dim.index)))
    }

    /// An extent that is available before the root.
    pub(super) fn size(&mut self, body: &mut Body, size: Size) -> Option<Size> {
        match size {
            Size::Known(_) => Some(size),
            Size::Value(value) => self.hoisted.value(body, value).map(Size::Value),
        }
    }

    /// Computes the nest of `op` before the root, over the dimensions of `around` that it depends on and its own.
    fn part(&mut self, body: &mut Body, around: &[Dim], op: Op) -> Option<()> {
        let nest = self.nest(body, around, op)?;
        let is_tensor = matches!(nest.outputs[..], [Output::Element(_)]);
        if nest.outputs.iter().any(|output| matches!(output, Output::Insert { .. }))
            || !self.only_scalars(body, op)
            || is_tensor && !self.only_elements_are_used(body, op)
            || self.tables.effects.all(body.op(op)) != EffectSet::NONE
        {
            return None;
        }
        let all = [around, &nest.dims].concat();
        let (all, nest) = match self.clamp(body, &all, &nest) {
            Some(()) => {
                let nest = self.nest(body, around, op)?;
                ([around, &nest.dims].concat(), nest)
            }
            None => (all, nest),
        };
        let given = nest.carried();
        self.gather(body, &all, &nest.computed(body), &given);
        // A gathered element may be an output.
        let nest = self.nest(body, around, op)?;
        let mut computed = slice(body, self.root, &nest.computed(body), &indices(&all), &given)?;
        computed.indices.extend(nest.dims.iter().filter_map(|dim| dim.below));
        let starts = self.starts(body, around, &nest)?;
        for start in &starts {
            if let Start::Computed(_, own) = start {
                computed.indices.extend(own.indices.iter().copied());
            }
        }
        let keep: Vec<Dim> =
            around.iter().filter(|dim| computed.indices.contains(&dim.index)).copied().collect();
        // A reduction over all dimensions around it would be kept for each of their points only to be read once.
        if keep.len() == around.len() && !self.is_raised && self.root_reduces(body) && !is_tensor {
            return None;
        }
        let (last, first): (Vec<Dim>, Vec<Dim>) = keep.iter().partition(|dim| self.lane == Some(dim.index));
        let kept = [&first[..], &last].concat();
        let dims = match is_tensor {
            true => [&first[..], &nest.dims, &last].concat(),
            false => [&kept[..], &nest.dims].concat(),
        };
        let mut plan = Plan::new(self.tables, body, self.root, &dims, keep.len(), &nest, computed)?;
        let init_plans = self.init_plans(body, op, starts, &kept)?;
        let harmless =
            |&op: &Op| super::emit::is_scalar(body, op) && self.tables.speculation.is_harmless(body.op(op));
        let is_partial = keep.len() < around.len() || all.iter().any(|dim| dim.below.is_some());
        let plans = || init_plans.iter().filter_map(InitPlan::computed).chain([&plan]);
        if is_partial && !plans().all(|plan| plan.computed().all(harmless)) {
            return None;
        }
        // Everything that can fail comes before the first change, except for copies of harmless operations.
        let sizes = self.sizes(body, &dims)?;
        let kept_sizes = self.sizes(body, &kept)?;
        let mut inits = Vec::new();
        for init in init_plans {
            inits.push(match init {
                InitPlan::Known(init) => init,
                InitPlan::Computed(plan) => {
                    Init::Tensor(plan.emit(self.tables, body, self.root, &kept_sizes, &[Init::None])?[0])
                }
            });
        }
        self.transpose(body, &mut plan, &dims, &sizes);
        let tensors = plan.emit(self.tables, body, self.root, &sizes, &inits)?;
        if is_tensor {
            self.read_elements(body, op, tensors[0], &nest.dims, &dims, &sizes);
        } else {
            self.read_results(body, op, &tensors, &kept);
        }
        body.erase(op);
        Some(())
    }

    /// The initial values of the outputs of a nest inside of `around`. Those that depend on an iteration are computed for each.
    fn starts(&mut self, body: &mut Body, around: &[Dim], nest: &Nest) -> Option<Vec<Start>> {
        let none = FxHashSet::default();
        let mut starts = Vec::new();
        for output in &nest.outputs {
            starts.push(match output.init() {
                None => Start::None,
                Some(init) => match self.hoisted.value(body, init) {
                    Some(init) => Start::Value(init),
                    None => Start::Computed(init, slice(body, self.root, &[init], &indices(around), &none)?),
                },
            });
        }
        Some(starts)
    }

    /// The plans of initial values over the dimensions `kept`; `None` if one cannot be computed before the root.
    fn init_plans(&self, body: &Body, op: Op, starts: Vec<Start>, kept: &[Dim]) -> Option<Vec<InitPlan>> {
        let plan = |start| match start {
            Start::None => Some(InitPlan::Known(Init::None)),
            Start::Value(value) => Some(InitPlan::Known(Init::Splat(value))),
            Start::Computed(..) if kept.is_empty() => None,
            Start::Computed(value, own) => {
                let element = Nest::element(op, value);
                let plan = Plan::new(self.tables, body, self.root, kept, kept.len(), &element, own)?;
                Some(InitPlan::Computed(plan))
            }
        };
        starts.into_iter().map(plan).collect()
    }

    /// Replaces the results of a reduction by elements of tensors over the dimensions `kept`.
    fn read_results(&self, body: &mut Body, op: Op, tensors: &[Value], kept: &[Dim]) {
        let at: Vec<Value> = kept.iter().map(|dim| dim.index).collect();
        let results: Vec<Value> = body.op(op).results().collect();
        for (result, &tensor) in results.into_iter().zip(tensors) {
            let loc = body.op(op).loc();
            let mut b = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc);
            let element = self.tables.tensor_ops.extract(&mut b, tensor, &at);
            body.replace_all_uses(result, element);
        }
    }

    /// The extents of dimensions, available before the root.
    pub(super) fn sizes(&mut self, body: &mut Body, dims: &[Dim]) -> Option<Vec<Size>> {
        dims.iter().map(|dim| self.size(body, dim.size)).collect()
    }

    /// Whether the root is a reduction.
    fn root_reduces(&self, body: &Body) -> bool {
        Nest::of(self.tables, body, self.root)
            .is_some_and(|nest| nest.outputs.iter().any(|output| matches!(output, Output::Combine { .. })))
    }

    /// Whether the results of a nest are scalars, or one computed tensor.
    fn only_scalars(&self, body: &Body, op: Op) -> bool {
        let ctx = body.context();
        let computed = Nest::of(self.tables, body, op)
            .is_some_and(|nest| matches!(nest.outputs[..], [Output::Element(_)]));
        computed || body.op(op).result_types().all(|ty| ty.shape(ctx).is_none())
    }

    /// Whether only elements and extents of the result of `op` are used.
    fn only_elements_are_used(&self, body: &Body, op: Op) -> bool {
        let result = body.op(op).result(0);
        body.uses(result).all(|user| {
            let view = body.op(user.op);
            let read = self.tables.accesses.and_then(|table| table.get(view.kind())?.access(view));
            read.is_some_and(|access| access.stored.is_none() && access.container == user.index)
                || self.tables.extents.dimension(body, user.op).is_some_and(|(tensor, _)| tensor == result)
        })
    }

    /// Replaces reads of the tensor of `op`, whose dimensions are `own`, by reads of `tensor`, whose dimensions are `dims`.
    fn read_elements(
        &self,
        body: &mut Body,
        op: Op,
        tensor: Value,
        own: &[Dim],
        dims: &[Dim],
        sizes: &[Size],
    ) {
        let place = |dim: &Dim| own.iter().position(|own| own.index == dim.index);
        let users: FxHashSet<Op> = body.uses(body.op(op).result(0)).map(|user| user.op).collect();
        let mut users: Vec<Op> = users.into_iter().collect();
        users.sort_unstable_by_key(|op| op.index());
        for user in users {
            let view = body.op(user);
            let loc = view.loc();
            let access = self.tables.accesses.and_then(|table| table.get(view.kind())?.access(view));
            let given: Vec<Value> = access.map_or_else(Vec::new, |access| {
                view.operands().skip(access.indices.start).take(access.indices.len()).collect()
            });
            let dimension = self.tables.extents.dimension(body, user);
            let mut b = Builder::new(body, InsertionPoint::Before(user)).with_loc(loc);
            let value = match dimension {
                Some((_, dim)) => {
                    let size = dims.iter().zip(sizes).find(|(other, _)| place(other) == Some(dim));
                    emit_size(self.tables, &mut b, *size.expect("a dimension of the tensor").1)
                }
                None => {
                    let at = dims.iter().map(|dim| place(dim).map_or(dim.index, |place| given[place]));
                    self.tables.tensor_ops.extract(&mut b, tensor, &at.collect::<Vec<_>>())
                }
            };
            body.replace(user, &[value]);
        }
    }

    /// Replaces the root by an operation over its domain.
    fn raise_root(&mut self, body: &mut Body) -> bool {
        let root = self.root;
        let Some(nest) = self.nest(body, &[], root).filter(|nest| !nest.folds()) else { return false };
        // The remaining assertions depend on the iteration, so they cannot be hoisted.
        if self.tables.effects.all(body.op(self.root)) != EffectSet::NONE {
            return false;
        }
        let _ = self.clamp(body, &nest.dims, &nest);
        let Some(nest) = self.nest(body, &[], root) else { return false };
        self.gather(body, &nest.dims, &nest.computed(body), &nest.carried());
        let Some(nest) = self.nest(body, &[], root) else { return false };
        let Some(mut slice) =
            slice(body, self.root, &nest.computed(body), &indices(&nest.dims), &nest.carried())
        else {
            return false;
        };
        slice.indices.extend(nest.dims.iter().filter_map(|dim| dim.below));
        let is_whole = nest.dims.iter().all(|dim| dim.below.is_none());
        if !is_whole && nest.outputs.iter().any(|output| !matches!(output, Output::Combine { .. })) {
            return false;
        }
        let Some(plan) = Plan::new(self.tables, body, self.root, &nest.dims, 0, &nest, slice) else {
            return false;
        };
        if !is_whole && !plan.computed().all(|&op| self.tables.speculation.is_harmless(body.op(op))) {
            return false;
        }
        let Some(sizes) = self.sizes(body, &nest.dims) else { return false };
        let inits: Vec<Init> = nest
            .outputs
            .iter()
            .map(|output| match output {
                Output::Element(_) => Init::None,
                Output::Combine { init, .. } | Output::Fold { init, .. } => Init::Splat(*init),
                Output::Insert { init, .. } => Init::Tensor(*init),
            })
            .collect();
        let whole = plan.copied(body);
        let Some(tensors) = whole
            .map(|tensor| vec![tensor])
            .or_else(|| plan.emit(self.tables, body, self.root, &sizes, &inits))
        else {
            return false;
        };
        let results: Vec<Value> = body.op(self.root).results().collect();
        for ((result, tensor), output) in results.into_iter().zip(tensors).zip(&nest.outputs) {
            let value = match output {
                Output::Combine { .. } => {
                    let loc = body.op(self.root).loc();
                    let mut b = Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc);
                    self.tables.tensor_ops.extract(&mut b, tensor, &[])
                }
                _ => tensor,
            };
            body.replace_all_uses(result, value);
        }
        body.erase(self.root);
        true
    }
}

/// The initial value of an output.
enum Start {
    /// Undefined.
    None,
    /// A value from before the root.
    Value(Value),
    /// A value of each iteration, with its slice.
    Computed(Value, Slice),
}

/// The creation of the initial elements of an output.
enum InitPlan {
    /// From values before the root.
    Known(Init),
    /// By a nest of their own, for each iteration.
    Computed(Plan),
}

impl InitPlan {
    fn computed(&self) -> Option<&Plan> {
        match self {
            InitPlan::Known(_) => None,
            InitPlan::Computed(plan) => Some(plan),
        }
    }
}

/// An extent of a new tensor from the bound of a loop. A bound may be negative where a loop has no iterations, and is clamped to
/// 0 unless it is the extent of a tensor.
pub(super) fn emit_extent(tables: &Tables<'_>, b: &mut Builder<'_>, size: Size) -> Value {
    let value = emit_size(tables, b, size);
    match tables.extents.of_value(b.body(), value) {
        Key::Value(bound) if tables.unclamped(b.body(), bound).is_none() => {
            let zero = tables.index_ops.index(b, 0);
            tables.index_ops.max(b, value, zero)
        }
        _ => value,
    }
}

/// The bound of a loop as a value.
pub(super) fn emit_size(tables: &Tables<'_>, b: &mut Builder<'_>, size: Size) -> Value {
    match size {
        Size::Known(size) => tables.index_ops.index(b, size),
        Size::Value(value) => value,
    }
}

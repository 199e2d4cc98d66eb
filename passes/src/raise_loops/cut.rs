//! Cutting a nest at the nests in it.

use super::Tables;
use super::emit::Plan;
use super::extents::Key;
use super::nest::{Dim, Nest, Output, Size};
use super::slice::{Hoisted, indices, slice};
use minoan_ir::{Body, Builder, InsertionPoint, Mapping, Op, Value};
use minoan_services::LoopLike;
use rustc_hash::FxHashSet;

/// Raises the nest of `op` after the nests in it; returns how many were raised, and how many of them cut out.
pub(super) fn root(tables: &Tables<'_>, body: &mut Body, op: Op) -> (u64, u64) {
    let Some(nest) = Nest::of(tables, body, op) else { return (0, 0) };
    let mut cutting = Cutting { hoisted: Hoisted::new(tables, op), tables, root: op, cut: 0 };
    let raised = cutting.raisable(body, &nest);
    cutting.inside(body, &nest.dims, &nest, raised);
    let cut = cutting.cut;
    let raised = cutting.raise_root(body);
    (cut + u64::from(raised), cut)
}

struct Cutting<'t, 'c> {
    tables: &'t Tables<'c>,
    root: Op,
    hoisted: Hoisted<'t, 'c>,
    cut: u64,
}

impl Cutting<'_, '_> {
    /// Hoists the assertions in a nest and cuts out the nests in it; `dims` are those of the nest and around it, and
    /// `raised` tells whether the nest itself becomes an operation over a domain. If it does not, what depends on all of
    /// them stays where it is: to keep it for all iterations would only take memory.
    fn inside(&mut self, body: &mut Body, dims: &[Dim], nest: &Nest, raised: bool) {
        for &block in &nest.blocks {
            let ops: Vec<Op> = body.block(block).ops().collect();
            for op in ops {
                // A read of a nest that was cut out.
                if body.try_op(op).is_err() {
                    continue;
                }
                if self.tables.assertions.is_some_and(|table| table.get(body.op(op).kind()).is_some()) {
                    self.hoist_assertion(body, dims, op);
                } else if !nest.blocks[1..].iter().any(|&level| body.block(level).parent() == Some(op))
                    && let Some(inner) = Nest::of(self.tables, body, op)
                {
                    let all = [dims, &inner.dims].concat();
                    let cut = self.raisable(body, &inner) && (raised || self.keeps_fewer(body, dims, &inner));
                    self.inside(body, &all, &inner, cut);
                    if cut && self.part(body, dims, op).is_some() {
                        self.cut += 1;
                    }
                }
            }
        }
    }

    /// Whether a nest can become an operation over a domain once the nests in it are cut out.
    fn raisable(&self, body: &Body, nest: &Nest) -> bool {
        let none = FxHashSet::default();
        let mut pending = vec![nest.clone()];
        while let Some(nest) = pending.pop() {
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
                    let Some(inner) = Nest::of(self.tables, body, op) else {
                        if !super::emit::is_scalar(body, op) {
                            return false;
                        }
                        continue;
                    };
                    let is_regular = |dim: &Dim| match self.tables.key(body, dim.size) {
                        Key::Known(_) => true,
                        Key::Of(tensor, _) => <dyn LoopLike>::is_outside(body, self.root, tensor),
                        Key::Value(value) => slice(body, self.root, &[value], &none, &none).is_some(),
                    };
                    let inserts = inner.outputs.iter().any(|output| matches!(output, Output::Insert { .. }));
                    if inserts || !inner.dims.iter().all(is_regular) {
                        return false;
                    }
                    pending.push(inner);
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

    /// Checks an assertion on values from outside once, if no dimension is empty.
    fn hoist_assertion(&mut self, body: &mut Body, dims: &[Dim], op: Op) {
        let Some(index) = self.tables.assertions.and_then(|table| table.get(body.op(op).kind())) else {
            return;
        };
        let condition = body.op(op).operand(index.condition(body.op(op)));
        let Some(condition) = self.hoisted.value(body, condition) else { return };
        let sizes: Option<Vec<Size>> = dims.iter().map(|dim| self.size(body, dim.size)).collect();
        let Some(sizes) = sizes else { return };
        let at = InsertionPoint::Before(self.root);
        let loc = body.op(op).loc();
        let mut b = Builder::new(body, at).with_loc(loc);
        let ops = self.tables.index_ops;
        let holds = ops.constant(&mut b, minoan_ir::Attr::TRUE);
        let mut checked = condition;
        for size in sizes {
            let (none, size) = (ops.index(&mut b, 0), emit_size(self.tables, &mut b, size));
            let some = ops.less(&mut b, none, size);
            checked = ops.select(&mut b, some, checked, holds);
        }
        let mut mapping = Mapping::new();
        mapping.map(body.op(op).operand(index.condition(body.op(op))), checked);
        body.clone_op(op, at, &mut mapping);
        body.erase(op);
    }

    /// An extent that is available before the root.
    fn size(&mut self, body: &mut Body, size: Size) -> Option<Size> {
        match size {
            Size::Known(_) => Some(size),
            Size::Value(value) => self.hoisted.value(body, value).map(Size::Value),
        }
    }

    /// Computes the nest of `op` before the root, over the dimensions of `around` that it depends on and its own.
    fn part(&mut self, body: &mut Body, around: &[Dim], op: Op) -> Option<()> {
        let nest = Nest::of(self.tables, body, op)?;
        if nest.outputs.iter().any(|output| matches!(output, Output::Insert { .. }))
            || !self.only_scalars(body, op)
        {
            return None;
        }
        let all = [around, &nest.dims].concat();
        let carried = nest.carried();
        let slice = slice(body, self.root, &nest.computed(body), &indices(&all), &carried)?;
        let keep: Vec<Dim> =
            around.iter().filter(|dim| slice.indices.contains(&dim.index)).copied().collect();
        if let [Output::Element(_)] = nest.outputs[..]
            && !self.only_elements_are_used(body, op)
        {
            return None;
        }
        // A reduction over all dimensions around it would be kept for each of their points only to be read once.
        if keep.len() == around.len()
            && self.root_reduces(body)
            && !matches!(nest.outputs[0], Output::Element(_))
        {
            return None;
        }
        let dims = [&keep[..], &nest.dims].concat();
        let plan = Plan::new(self.tables, body, self.root, &dims, keep.len(), &nest, slice)?;
        let harmless =
            |&op: &Op| body.op(op).n_regions() == 0 && self.tables.speculation.is_harmless(body.op(op));
        if keep.len() < around.len() && !plan.computed().all(harmless) {
            return None;
        }
        // Everything that can fail comes before the first change, except for copies of harmless operations.
        let mut sizes = Vec::new();
        for dim in &dims {
            sizes.push(self.size(body, dim.size)?);
        }
        let mut inits = Vec::new();
        for output in &nest.outputs {
            inits.push(match output {
                Output::Combine { init, .. } => Some(self.hoisted.value(body, *init)?),
                _ => None,
            });
        }
        let tensors = plan.emit(self.tables, body, self.root, &sizes, &inits)?;
        let kept: Vec<Value> = keep.iter().map(|dim| dim.index).collect();
        match nest.outputs[0] {
            Output::Element(_) => self.read_elements(body, op, tensors[0], &kept, &sizes[keep.len()..]),
            _ => {
                let results: Vec<Value> = body.op(op).results().collect();
                for (result, tensor) in results.into_iter().zip(tensors) {
                    let loc = body.op(op).loc();
                    let mut b = Builder::new(body, InsertionPoint::Before(op)).with_loc(loc);
                    let element = self.tables.tensor_ops.extract(&mut b, tensor, &kept);
                    body.replace_all_uses(result, element);
                }
            }
        }
        body.erase(op);
        Some(())
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
                || self.dimension(body, user.op).is_some_and(|(tensor, _)| tensor == result)
        })
    }

    fn dimension(&self, body: &Body, op: Op) -> Option<(Value, usize)> {
        let view = body.op(op);
        self.tables.extents?.get(view.kind())?.dimension(view)
    }

    /// Replaces reads of the tensor of `op` by reads of `tensor`, which has further dimensions before its own.
    fn read_elements(&self, body: &mut Body, op: Op, tensor: Value, kept: &[Value], sizes: &[Size]) {
        let users: FxHashSet<Op> = body.uses(body.op(op).result(0)).map(|user| user.op).collect();
        let mut users: Vec<Op> = users.into_iter().collect();
        users.sort_unstable_by_key(|op| op.index());
        for user in users {
            let view = body.op(user);
            let loc = view.loc();
            let access = self.tables.accesses.and_then(|table| table.get(view.kind())?.access(view));
            let own: Vec<Value> = access.map_or_else(Vec::new, |access| {
                view.operands().skip(access.indices.start).take(access.indices.len()).collect()
            });
            let dimension = self.dimension(body, user);
            let mut b = Builder::new(body, InsertionPoint::Before(user)).with_loc(loc);
            let value = match dimension {
                Some((_, dim)) => emit_size(self.tables, &mut b, sizes[dim]),
                None => self.tables.tensor_ops.extract(&mut b, tensor, &[kept, &own].concat()),
            };
            body.replace(user, &[value]);
        }
    }

    /// Replaces the root by an operation over its domain.
    fn raise_root(&mut self, body: &mut Body) -> bool {
        let Some(nest) = Nest::of(self.tables, body, self.root) else { return false };
        // What remains of the assertions depends on the iteration.
        if self.tables.effects.all(body.op(self.root)) != minoan_services::EffectSet::NONE {
            return false;
        }
        let Some(slice) = slice(body, self.root, &nest.computed(body), &indices(&nest.dims), &nest.carried())
        else {
            return false;
        };
        let Some(plan) = Plan::new(self.tables, body, self.root, &nest.dims, 0, &nest, slice) else {
            return false;
        };
        let mut sizes = Vec::new();
        for dim in &nest.dims {
            match self.size(body, dim.size) {
                Some(size) => sizes.push(size),
                None => return false,
            }
        }
        let inits: Vec<Option<Value>> = nest
            .outputs
            .iter()
            .map(|output| match output {
                Output::Element(_) => None,
                Output::Combine { init, .. } | Output::Insert { init, .. } => Some(*init),
            })
            .collect();
        let whole = plan.copied(self.tables, body);
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

impl Nest {
    /// The arguments that hold combinations so far.
    fn carried(&self) -> FxHashSet<Value> {
        let carried = |output: &Output| match output {
            Output::Combine { carried, .. } => Some(*carried),
            _ => None,
        };
        self.outputs.iter().filter_map(carried).collect()
    }
}

/// An extent as a value.
pub(super) fn emit_size(tables: &Tables<'_>, b: &mut Builder<'_>, size: Size) -> Value {
    match size {
        Size::Known(size) => tables.index_ops.index(b, size),
        Size::Value(value) => value,
    }
}

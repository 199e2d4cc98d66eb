//! Recognition of nests: a computed tensor, or perfectly nested loops, with what each iteration contributes.

use super::Tables;
use crate::analysis::computed_tensor::ComputedTensor;
use crate::analysis::extents::Size;
use minoan_ir::{Block, Body, Op, Type, Value};
use minoan_services::Bound;
use rustc_hash::FxHashSet;

/// A dimension of a nest: indices from 0 in steps of 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dim {
    /// The index, an argument of a block of the nest.
    pub index: Value,
    /// The extent, or of a dimension with another bound the extent of the outermost dimension that bounds it.
    pub size: Size,
    /// The index of the dimension that bounds this one.
    pub below: Option<Value>,
}

/// Dimensions within others. An extent that is the index of a dimension becomes a bound.
pub(super) fn within(around: &[Dim], dims: &[Dim]) -> Vec<Dim> {
    let mut all = around.to_vec();
    for &dim in dims {
        let bound = |other: &&Dim| dim.size == Size::Value(other.index);
        let bound = all.iter().find(bound).copied();
        all.push(bound.map_or(dim, |bound| Dim { size: bound.size, below: Some(bound.index), ..dim }));
    }
    all.split_off(around.len())
}

/// The result of a loop nest.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// The element at the indices of the iteration.
    Element(Value),
    /// The combination of `term` with `init`.
    Combine {
        /// The argument that holds the combination so far.
        carried: Value,
        /// The operation that combines them.
        combine: Op,
        init: Value,
    },
    /// The scalar `next` after the last iteration.
    Fold {
        /// The argument that holds the scalar so far.
        carried: Value,
        next: Value,
        init: Value,
    },
    /// The tensor `init` with elements replaced.
    Insert {
        /// The element.
        stored: Value,
        indices: Vec<Value>,
        init: Value,
    },
}

impl Output {
    /// The value before the first iteration.
    pub(super) fn init(&self) -> Option<Value> {
        match *self {
            Output::Element(_) => None,
            Output::Combine { init, .. } | Output::Fold { init, .. } | Output::Insert { init, .. } => {
                Some(init)
            }
        }
    }
}

/// A nest.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// The outermost operation, whose results are those of the nest.
    pub op: Op,
    pub dims: Vec<Dim>,
    /// The block of each level; the last one computes the outputs.
    pub blocks: Vec<Block>,
    /// One for each result.
    pub outputs: Vec<Output>,
}

impl Nest {
    /// The nest that begins with an operation, without folds.
    pub(super) fn of(tables: &Tables<'_>, body: &Body, op: Op) -> Option<Nest> {
        Nest::with_folds(tables, body, op).filter(|nest| !nest.folds())
    }

    /// The nest that begins with an operation.
    pub(super) fn with_folds(tables: &Tables<'_>, body: &Body, op: Op) -> Option<Nest> {
        match tables.loops.get(body.op(op).kind()) {
            Some(_) => Nest::of_loops(tables, body, op),
            None => Nest::of_tensor(tables, body, op),
        }
    }

    /// The computation of a value for each iteration around an operation.
    pub(super) fn element(op: Op, value: Value) -> Nest {
        Nest { op, dims: Vec::new(), blocks: Vec::new(), outputs: vec![Output::Element(value)] }
    }

    /// The arguments that hold scalars so far.
    pub(super) fn carried(&self) -> FxHashSet<Value> {
        let carried = |output: &Output| match output {
            Output::Combine { carried, .. } | Output::Fold { carried, .. } => Some(*carried),
            Output::Element(_) | Output::Insert { .. } => None,
        };
        self.outputs.iter().filter_map(carried).collect()
    }

    /// Whether a result is computed in the order of the iterations, by anything but a monoid.
    pub(super) fn folds(&self) -> bool {
        self.outputs.iter().any(|output| matches!(output, Output::Fold { .. }))
    }

    /// A tensor whose elements are computed from their indices.
    fn of_tensor(tables: &Tables<'_>, body: &Body, op: Op) -> Option<Nest> {
        let tensor = ComputedTensor::of(tables.domains, body.op(op))?;
        let dims = tensor.dims.into_iter().map(|(index, size)| Dim { index, size, below: None }).collect();
        let outputs = vec![Output::Element(tensor.element)];
        Some(Nest { op, dims, blocks: vec![tensor.block], outputs })
    }

    fn of_loops(tables: &Tables<'_>, body: &Body, op: Op) -> Option<Nest> {
        let inits: Vec<Value> = {
            let range = tables.loops.get(body.op(op).kind())?.inits(body.op(op));
            body.op(op).operands().skip(range.start).take(range.len()).collect()
        };
        if inits.is_empty() || inits.len() != body.op(op).n_results() {
            return None;
        }
        let mut nest = Nest { op, dims: Vec::new(), blocks: Vec::new(), outputs: Vec::new() };
        let mut level = op;
        loop {
            let view = body.op(level);
            let service = tables.loops.get(view.kind())?;
            let &[induction] = &service.inductions(view)[..] else { return None };
            let known = |bound: Bound| bound.constant(body)?.as_i64(body.context());
            if known(induction.lower) != Some(0) || known(induction.step) != Some(1) {
                return None;
            }
            if body.ty(induction.value) != Type::INDEX {
                return None;
            }
            let size = match induction.upper {
                Bound::Value(value) => Size::of(body, value),
                Bound::Constant(attr) => Size::Known(attr.as_i64(body.context()).filter(|&size| size >= 0)?),
            };
            nest.dims.push(Dim { index: induction.value, size, below: None });
            let block = body.block_of(induction.value)?;
            nest.blocks.push(block);
            let (carried, yielded) = (service.carried(view), service.yielded(view));
            if carried.len() != inits.len() || yielded.len() != inits.len() {
                return None;
            }
            if let Some(inner) = inner_level(tables, body, block, &carried, &yielded) {
                level = inner;
                continue;
            }
            for ((&carried, &yielded), &init) in carried.iter().zip(&yielded).zip(&inits) {
                nest.outputs.push(output(tables, body, block, carried, yielded, init)?);
            }
            return Some(nest);
        }
    }
}

/// The loop in a block that continues the nest: it starts with the carried values, and its results are yielded.
fn inner_level(
    tables: &Tables<'_>,
    body: &Body,
    block: Block,
    carried: &[Value],
    yielded: &[Value],
) -> Option<Op> {
    let inner = body.defining_op(*yielded.first()?)?;
    let view = body.op(inner);
    let service = tables.loops.get(view.kind())?;
    let range = service.inits(view);
    let starts = view.operands().skip(range.start).take(range.len()).eq(carried.iter().copied());
    let ends = view.results().eq(yielded.iter().copied());
    let only = carried.iter().all(|&value| body.only_use(value).is_some());
    (view.block() == Some(block) && starts && ends && only && service.inductions(view).len() == 1)
        .then_some(inner)
}

fn output(
    tables: &Tables<'_>,
    body: &Body,
    block: Block,
    carried: Value,
    yielded: Value,
    init: Value,
) -> Option<Output> {
    let op = body.defining_op(yielded)?;
    let view = body.op(op);
    if view.block() != Some(block) {
        return None;
    }
    let is_scalar = body.ty(carried).shape(body.context()).is_none();
    let fold = is_scalar.then_some(Output::Fold { carried, next: yielded, init });
    if body.only_use(carried).is_none_or(|used| used.op != op) || body.only_use(yielded).is_none() {
        return fold;
    }
    if let Some(access) = tables.accesses.and_then(|table| table.get(view.kind())?.access(view)) {
        let Some(stored) = access.stored else { return fold };
        let updates = view.operand(access.container) == carried;
        let indices = view.operands().skip(access.indices.start).take(access.indices.len()).collect();
        return updates.then_some(Output::Insert { stored: view.operand(stored), indices, init });
    }
    let is_monoid = tables
        .algebra
        .is_some_and(|table| table.get(view.kind()).is_some_and(|algebra| algebra.monoid(view).is_some()));
    match is_monoid && view.n_operands() == 2 && view.n_results() == 1 {
        true => Some(Output::Combine { carried, combine: op, init }),
        false => fold,
    }
}

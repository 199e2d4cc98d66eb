//! Slices of a loop nest: the operations and dimensions that a part of its body depends on.

use super::Tables;
use super::nest::{Dim, Nest, Output};
use crate::analysis::captures::free_values;
use minoan_ir::{Body, Op, Value};
use minoan_services::LoopLike;
use rustc_hash::{FxHashMap, FxHashSet};

/// The operations that values of a nest depend on, inside of a root.
#[derive(Default)]
pub(crate) struct Slice {
    /// In topological order: definitions precede uses.
    pub ops: Vec<Op>,
    /// The indices that they depend on.
    pub indices: FxHashSet<Value>,
}

/// Collects the slice of `values` inside of `root`. `indices` may be used, and `given` are not looked into; `None` if
/// the values depend on anything else that is an argument inside of the root.
pub(crate) fn slice(
    body: &Body,
    root: Op,
    values: &[Value],
    indices: &FxHashSet<Value>,
    given: &FxHashSet<Value>,
) -> Option<Slice> {
    let mut slice = Slice::default();
    let mut seen: FxHashSet<Op> = FxHashSet::default();
    // Pairs of an operation and whether its operands have been visited.
    let mut pending: Vec<(Op, bool)> = Vec::new();
    let visit = |value: Value, slice: &mut Slice, pending: &mut Vec<(Op, bool)>| {
        if indices.contains(&value) {
            slice.indices.insert(value);
        } else if !given.contains(&value) && !<dyn LoopLike>::is_outside(body, root, value) {
            pending.push((body.defining_op(value)?, false));
        }
        Some(())
    };
    for &value in values {
        visit(value, &mut slice, &mut pending)?;
        while let Some((op, done)) = pending.pop() {
            if done {
                slice.ops.push(op);
                continue;
            }
            if !seen.insert(op) {
                continue;
            }
            pending.push((op, true));
            // The stack is last in, first out: operands are visited in order.
            for value in free_values(body, op).into_iter().rev() {
                visit(value, &mut slice, &mut pending)?;
            }
        }
    }
    Some(slice)
}

impl Nest {
    /// The values that the outputs are computed from in each iteration.
    pub(super) fn computed(&self, body: &Body) -> Vec<Value> {
        let mut values = Vec::new();
        for output in &self.outputs {
            match output {
                Output::Element(value) => values.push(*value),
                Output::Combine { carried, combine, .. } => {
                    values.extend(body.op(*combine).operands().filter(|value| value != carried));
                }
                Output::Fold { next, .. } => values.push(*next),
                Output::Insert { stored, .. } => values.push(*stored),
            }
        }
        values
    }
}

/// The values that an operation before the root may use instead of values inside of it.
pub(super) struct Hoisted<'t, 'c> {
    pub tables: &'t Tables<'c>,
    pub root: Op,
    values: FxHashMap<Value, Value>,
}

impl<'t, 'c> Hoisted<'t, 'c> {
    pub(super) fn new(tables: &'t Tables<'c>, root: Op) -> Self {
        Self { tables, root, values: FxHashMap::default() }
    }

    /// A value before the root that is equal to `value`, by copies of what it depends on; `None` if it depends on an
    /// iteration, or on an operation that cannot be executed speculatively.
    pub(super) fn value(&mut self, body: &mut Body, value: Value) -> Option<Value> {
        if <dyn LoopLike>::is_outside(body, self.root, value) {
            return Some(value);
        }
        if let Some(&known) = self.values.get(&value) {
            return Some(known);
        }
        let none = FxHashSet::default();
        let slice = slice(body, self.root, &[value], &none, &none)?;
        let harmless =
            |&op: &Op| body.op(op).n_regions() == 0 && self.tables.speculation.is_harmless(body.op(op));
        if !slice.ops.iter().all(harmless) {
            return None;
        }
        let mut mapping = minoan_ir::Mapping::new();
        for (&from, &to) in &self.values {
            mapping.map(from, to);
        }
        for op in slice.ops {
            let old: Vec<Value> = body.op(op).results().collect();
            if old.iter().all(|result| self.values.contains_key(result)) {
                continue;
            }
            let new = body.clone_op(op, minoan_ir::InsertionPoint::Before(self.root), &mut mapping);
            let new: Vec<Value> = body.op(new).results().collect();
            self.values.extend(old.into_iter().zip(new));
        }
        self.values.get(&value).copied()
    }
}

/// The indices of dimensions.
pub(super) fn indices(dims: &[Dim]) -> FxHashSet<Value> {
    dims.iter().map(|dim| dim.index).collect()
}

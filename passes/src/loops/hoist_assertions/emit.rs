//! The checks before a nest.

use super::{Check, Dim, NestReader, Premise, Tables};
use crate::analysis::extents::Size;
use crate::analysis::linear::{Form, Linear};
use minoan_ir::{Attr, Block, Body, Builder, InsertionPoint, Mapping, Op, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// With numbers below these limits, no sum of a linear form overflows: at most six terms of less than 2^59, and a base of
/// less than 2^60.
const MOST_SIZE: i64 = 1 << 31;
const MOST_FACTOR: i64 = 1 << 28;
const MOST_BASE: i64 = 1 << 60;

/// Removes an assertion with the comparison and the values of its message that it alone uses.
pub(super) fn erase(body: &mut Body, tables: &Tables<'_>, op: Op) {
    let mut pending: Vec<Value> = body.op(op).operands().collect();
    body.erase(op);
    while let Some(value) = pending.pop() {
        let Some(op) = body.defining_op(value).filter(|_| !body.is_used(value)) else { continue };
        let view = body.op(op);
        if view.n_results() == 1 && view.n_regions() == 0 && tables.speculation.is_harmless(view) {
            pending.extend(view.operands());
            body.erase(op);
        }
    }
}

/// Replaces assertions in a nest by one check before it; returns how many were replaced.
pub(super) fn check_before(
    body: &mut Body,
    tables: &Tables<'_>,
    root: Op,
    nest: &NestReader<'_, '_>,
    dims: &[Dim],
    open: Vec<&Check>,
) -> u64 {
    // The dialect's constants may be too large for the limits below.
    let checks: Vec<&Check> = open.into_iter().filter(|check| is_small(&check.premise)).collect();
    if checks.is_empty() {
        return 0;
    }
    let mut emitter = Emitter { tables, nest, root, moved: FxHashMap::default() };
    let mut holds: Option<Value> = None;
    let mut done: FxHashSet<&Premise> = FxHashSet::default();
    for check in &checks {
        if done.insert(&check.premise) {
            let inside = match &check.premise {
                Premise::Below { index, extent } => emitter.below(body, index, *extent),
                &Premise::Invariant { value, expected } => emitter.invariant(body, value, expected),
            };
            let mut b = emitter.builder(body);
            holds = Some(match holds {
                None => inside,
                Some(before) => tables.both(&mut b, before, inside),
            });
        }
    }
    let Some(holds) = holds else { return 0 };
    let is_loop = tables.loops.get(body.op(root).kind()).is_some();
    let sizes: Vec<(Value, Value)> = match is_loop {
        true => Vec::new(),
        false => dims.iter().map(|dim| (dim.index, emitter.size(body, dim.size))).collect(),
    };
    let entry = body.region(body.op(root).region(0)).entry();
    let mut b = emitter.builder(body);
    tables.loop_ops.choose(&mut b, holds, &[], &mut |_| Vec::new(), &mut |b| {
        let mut mapping = Mapping::new();
        match entry {
            Some(entry) if !is_loop => iterate(b, tables, &sizes, entry, &mut mapping),
            _ => {
                let at = b.insertion_point();
                b.body_mut().clone_op(root, at, &mut mapping);
            }
        }
        Vec::new()
    });
    for check in &checks {
        erase(body, tables, check.op);
    }
    checks.len() as u64
}

/// Loops that execute the operations of a computed tensor's region without its terminator.
fn iterate(
    b: &mut Builder<'_>,
    tables: &Tables<'_>,
    dims: &[(Value, Value)],
    block: Block,
    mapping: &mut Mapping,
) {
    let Some((&(index, size), inner)) = dims.split_first() else {
        let ops: Vec<Op> = b.body().block(block).ops().collect();
        for &op in ops.split_last().map_or(&[][..], |(_, ops)| ops) {
            let at = b.insertion_point();
            b.body_mut().clone_op(op, at, mapping);
        }
        return;
    };
    let (zero, one) = (tables.index_ops.index(b, 0), tables.index_ops.index(b, 1));
    tables.loop_ops.repeat(b, [zero, size, one], &[], &mut |b, at, _| {
        mapping.map(index, at);
        iterate(b, tables, inner, block, mapping);
        Vec::new()
    });
}

fn is_small(premise: &Premise) -> bool {
    let Premise::Below { index, .. } = premise else { return true };
    let below = |number: i64, most: i64| number.unsigned_abs() < most.unsigned_abs();
    below(index.constant, MOST_BASE) && index.terms.iter().all(|term| below(term.constant, MOST_FACTOR))
}

impl Tables<'_> {
    /// `lhs && rhs`.
    fn both(&self, b: &mut Builder<'_>, lhs: Value, rhs: Value) -> Value {
        let no = self.index_ops.constant(b, Attr::FALSE);
        self.index_ops.select(b, lhs, rhs, no)
    }

    /// `least <= number < most`.
    fn between(&self, b: &mut Builder<'_>, least: i64, number: Value, most: i64) -> Value {
        let (before, after) = (self.index_ops.index(b, least - 1), self.index_ops.index(b, most));
        let (low, high) = (self.index_ops.less(b, before, number), self.index_ops.less(b, number, after));
        self.both(b, low, high)
    }
}

struct Emitter<'n, 't, 'c> {
    tables: &'n Tables<'c>,
    nest: &'n NestReader<'t, 'c>,
    root: Op,
    /// The copies before the nest of numbers that are computed in it.
    moved: FxHashMap<Value, Value>,
}

impl Emitter<'_, '_, '_> {
    fn builder<'b>(&self, body: &'b mut Body) -> Builder<'b> {
        let loc = body.op(self.root).loc();
        Builder::new(body, InsertionPoint::Before(self.root)).with_loc(loc)
    }

    /// A number before the nest, of type `index`.
    fn number(&mut self, body: &mut Body, value: Value) -> Value {
        let value = self.outside(body, value);
        let mut b = self.builder(body);
        if b.ty(value) == Type::INDEX {
            value
        } else {
            self.tables.index_ops.cast(&mut b, value, Type::INDEX)
        }
    }

    /// A value before the nest that is equal to one that is the same in all iterations.
    fn outside(&mut self, body: &mut Body, value: Value) -> Value {
        let mut pending = vec![value];
        while let Some(&value) = pending.last() {
            let is_inside = self.nest.forms.get(&value) == Some(&Form::Invariant);
            let op = body.defining_op(value).filter(|_| is_inside && !self.moved.contains_key(&value));
            let Some(op) = op else {
                pending.pop();
                continue;
            };
            let inside = |operand: &Value| {
                self.nest.forms.get(operand) == Some(&Form::Invariant) && !self.moved.contains_key(operand)
            };
            let missing: Vec<Value> = body.op(op).operands().filter(inside).collect();
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let mut mapping = Mapping::new();
            for operand in body.op(op).operands() {
                if let Some(&moved) = self.moved.get(&operand) {
                    mapping.map(operand, moved);
                }
            }
            let copy = body.clone_op(op, InsertionPoint::Before(self.root), &mut mapping);
            let (old, new) = (body.op(op).results(), body.op(copy).results());
            self.moved.extend(old.zip(new).collect::<Vec<_>>());
            pending.pop();
        }
        self.moved.get(&value).copied().unwrap_or(value)
    }

    fn size(&mut self, body: &mut Body, size: Size) -> Value {
        match size {
            Size::Known(size) => {
                let mut b = self.builder(body);
                self.tables.index_ops.index(&mut b, size)
            }
            Size::Value(value) => self.number(body, value),
        }
    }

    /// Whether a condition that is the same in all iterations is `expected`.
    fn invariant(&mut self, body: &mut Body, value: Value, expected: bool) -> Value {
        let value = self.outside(body, value);
        if expected {
            return value;
        }
        let (mut b, ops) = (self.builder(body), self.tables.index_ops);
        let [yes, no] = [Attr::TRUE, Attr::FALSE].map(|attr| ops.constant(&mut b, attr));
        ops.select(&mut b, value, no, yes)
    }

    /// Whether an index is in bounds in all iterations, and all numbers are below the limits.
    fn below(&mut self, body: &mut Body, index: &Linear, extent: Size) -> Value {
        let (tables, ops) = (self.tables, self.tables.index_ops);
        let mut b = self.builder(body);
        let mut base = ops.index(&mut b, index.constant);
        for &(constant, value) in &index.invariants {
            let value = self.number(body, value);
            let mut b = self.builder(body);
            let constant = ops.index(&mut b, constant);
            let product = ops.mul(&mut b, value, constant);
            base = ops.add(&mut b, base, product);
        }
        let mut b = self.builder(body);
        let mut holds = tables.between(&mut b, -MOST_BASE, base, MOST_BASE);
        let (mut first, mut last) = (base, base);
        let mut empty: Option<Value> = None;
        for term in &index.terms {
            let size = self.size(body, self.nest.sizes[&term.index]);
            let factor = term.factor.map(|factor| self.number(body, factor));
            let mut b = self.builder(body);
            let most = ops.index(&mut b, MOST_SIZE);
            let small = ops.less(&mut b, size, most);
            holds = tables.both(&mut b, holds, small);
            let one = ops.index(&mut b, 1);
            let none = ops.less(&mut b, size, one);
            empty = Some(match empty {
                None => none,
                Some(before) => {
                    let yes = ops.constant(&mut b, Attr::TRUE);
                    ops.select(&mut b, before, yes, none)
                }
            });
            let most = ops.sub(&mut b, size, one);
            let constant = ops.index(&mut b, term.constant);
            let mut reach = ops.mul(&mut b, most, constant);
            if let Some(factor) = factor {
                // Together with the constant, the factor must be below the limit.
                let most = MOST_FACTOR / term.constant.abs().max(1);
                let small = tables.between(&mut b, 0, factor, most);
                holds = tables.both(&mut b, holds, small);
                reach = ops.mul(&mut b, reach, factor);
            }
            if term.constant < 0 {
                first = ops.add(&mut b, first, reach);
            } else {
                last = ops.add(&mut b, last, reach);
            }
        }
        let extent = self.size(body, extent);
        let mut b = self.builder(body);
        let before = ops.index(&mut b, -1);
        let (low, high) = (ops.less(&mut b, before, first), ops.less(&mut b, last, extent));
        let inside = tables.both(&mut b, low, high);
        holds = tables.both(&mut b, holds, inside);
        match empty {
            None => holds,
            Some(empty) => {
                let yes = ops.constant(&mut b, Attr::TRUE);
                ops.select(&mut b, empty, yes, holds)
            }
        }
    }
}

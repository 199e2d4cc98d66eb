//! The interface through which operations generate themselves in a random function.

use crate::kinds::Candidate;
use crate::{Choices, Limits, values};
use minoan_ir::{Attr, Builder, Context, Op, OpKind, OpState, ServiceTable, Type, Value};
use minoan_services::{ConstantMaterializer, FunctionMaterializer, Generate, Inside, Maker, Scalar};
use std::ops::Range;

/// A function that can be called.
#[derive(Clone, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) inputs: Vec<Type>,
    pub(crate) results: Vec<Type>,
    /// Whether the function is recursive, bounded by its first argument.
    pub(crate) counts_down: bool,
    /// Upper bound on the operations executed by one call.
    pub(crate) cost: usize,
}

/// The initial recursion bound of a function with [`Function::counts_down`].
pub(crate) const CALLS: i64 = 4;

/// The module generated so far, and the current function.
pub(crate) struct State<'a, 'c> {
    pub(crate) ctx: &'a Context,
    pub(crate) choices: &'a mut Choices<'c>,
    pub(crate) limits: Limits,
    pub(crate) candidates: Vec<Vec<Candidate>>,
    pub(crate) services: &'a ServiceTable<dyn Generate>,
    pub(crate) functions: &'a dyn FunctionMaterializer,
    pub(crate) types: Vec<Type>,
    /// The preceding functions.
    pub(crate) known: Vec<Function>,
    pub(crate) current: Function,
    pub(crate) countdown: Option<Value>,
    /// The operation kind being generated, for its dialect's constants.
    pub(crate) kind: OpKind,
    /// The values available at the insertion point.
    pub(crate) values: Vec<Value>,
    pub(crate) promises: Vec<(Value, Range<i64>)>,
    pub(crate) scope: Scope,
    /// The remaining number of operations to generate.
    pub(crate) fuel: usize,
}

/// The scope of the insertion point.
#[derive(Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) depth: usize,
    /// Upper bound on its executions per call.
    pub(crate) times: usize,
    pub(crate) effects: bool,
    pub(crate) blocks: bool,
}

/// Upper bound on the operations executed by one call of a function.
const MAX_WORK: usize = 5_000;

/// The number of candidates to try for one operation.
const TRIES: usize = 6;

impl State<'_, '_> {
    /// Generates operations at the insertion point.
    pub(crate) fn make(&mut self, b: &mut Builder<'_>, count: usize) {
        for _ in 0..count {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            let made = (0..TRIES).find_map(|_| self.one(b));
            if let Some(op) = made {
                self.values.extend(b.body().op(op).results());
                self.current.cost += self.scope.times;
            }
        }
    }

    fn one(&mut self, b: &mut Builder<'_>) -> Option<Op> {
        let scope = self.scope;
        let fits = |one: &&Candidate| {
            (!one.nests || scope.depth < self.limits.depth)
                && (!one.branches || scope.blocks)
                && (one.pure || scope.effects)
        };
        let dialect = self.candidates.get(self.choices.below(self.candidates.len()))?;
        let fitting: Vec<Candidate> = dialect.iter().filter(fits).copied().collect();
        let mut at = self.choices.below(fitting.iter().map(|one| one.weight).sum());
        let chosen = fitting.iter().find(|one| match at.checked_sub(one.weight) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        })?;
        let before = std::mem::replace(&mut self.kind, chosen.kind);
        let op = self.services.get(chosen.kind)?.generate(chosen.kind, b, self);
        self.kind = before;
        op
    }

    fn constant_of(&self, attr: Attr, ty: Type) -> Option<OpState> {
        // There are no constants of buffer types.
        if ty.is_memref(self.ctx) {
            return None;
        }
        <dyn ConstantMaterializer>::constant(self.ctx, self.kind, attr, ty)
    }

    fn constant(&self, b: &mut Builder<'_>, attr: Attr, ty: Type) -> Option<Value> {
        let op = b.create(self.constant_of(attr, ty)?);
        Some(b.body().op(op).result(0))
    }

    /// Whether there are constants of a type.
    pub(crate) fn has_constants(&self, ty: Type) -> bool {
        let value = values::datum(self.ctx, ty, &mut Choices::bytes(&[]));
        let attr = value.and_then(|value| value.to_attr(self.ctx, ty));
        attr.is_some_and(|attr| self.constant_of(attr, ty).is_some())
    }

    /// Operands for a function's arguments, starting at index `from`.
    fn args(&mut self, b: &mut Builder<'_>, inputs: &[Type]) -> Option<Vec<Value>> {
        inputs.iter().map(|&ty| self.value(b, ty)).collect()
    }
}

impl Maker for State<'_, '_> {
    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn existing(&mut self, b: &Builder<'_>, fits: &dyn Fn(Type) -> bool) -> Option<Value> {
        let fitting: Vec<Value> = self.values.iter().copied().filter(|&value| fits(b.ty(value))).collect();
        let recent = if self.choices.below(4) == 0 { fitting.len() } else { fitting.len().min(3) };
        let back = self.choices.below(recent);
        fitting.iter().rev().nth(back).copied()
    }

    fn value(&mut self, b: &mut Builder<'_>, ty: Type) -> Option<Value> {
        let existing = self.existing(b, &|other| other == ty);
        if let Some(value) = existing.filter(|_| self.choices.below(6) > 0) {
            return Some(value);
        }
        let datum = if self.has_constants(ty) { values::datum(self.ctx, ty, self.choices) } else { None };
        let attr = datum.and_then(|datum| datum.to_attr(self.ctx, ty));
        attr.and_then(|attr| self.constant(b, attr, ty)).or(existing)
    }

    fn number(&mut self, b: &mut Builder<'_>, number: i64, ty: Type) -> Option<Value> {
        let scalar = Scalar::of(self.ctx, ty).ok()?;
        let datum = scalar.integer(number.into()).ok()?;
        let attr = datum.to_attr(self.ctx, ty).or_else(|| datum.to_splat(self.ctx, ty))?;
        self.constant(b, attr, ty)
    }

    fn index_in(&mut self, b: &mut Builder<'_>, range: Range<i64>) -> Option<Value> {
        let is_in = |(_, known): &&(Value, Range<i64>)| known.start >= range.start && known.end <= range.end;
        let known: Vec<Value> = self.promises.iter().filter(is_in).map(|&(value, _)| value).collect();
        if !known.is_empty() && self.choices.below(3) > 0 {
            return Some(self.choices.pick(&known));
        }
        let width = usize::try_from(range.end - range.start).ok().filter(|&width| width > 0)?;
        let number = range.start + self.choices.below(width) as i64;
        self.number(b, number, Type::INDEX)
    }

    fn add(&mut self, value: Value) {
        self.values.push(value);
    }

    fn promise(&mut self, value: Value, range: Range<i64>) {
        self.promises.push((value, range));
    }

    fn ty(&mut self, fits: &dyn Fn(Type) -> bool) -> Option<Type> {
        let fitting: Vec<Type> = self.types.iter().copied().filter(|&ty| fits(ty)).collect();
        (!fitting.is_empty()).then(|| self.choices.pick(&fitting))
    }

    fn types(&mut self, b: &Builder<'_>, most: usize) -> Vec<Type> {
        let mut found = Vec::new();
        for _ in 0..self.choices.below(most + 1) {
            let ctx = self.ctx;
            let existing = self.existing(b, &|ty| !ty.is_memref(ctx)).map(|value| b.ty(value));
            let any = || self.ty(&|ty| !ty.is_memref(ctx)).filter(|&ty| self.has_constants(ty));
            found.extend(existing.or_else(any));
        }
        found
    }

    fn inside(&mut self, b: &mut Builder<'_>, inside: &Inside<'_>) -> Vec<Value> {
        let (values, promises, outside) = (self.values.len(), self.promises.len(), self.scope);
        self.values.extend_from_slice(inside.args);
        self.promises.extend_from_slice(inside.ranges);
        self.scope = Scope {
            depth: outside.depth + 1,
            times: outside.times.saturating_mul(inside.times),
            effects: outside.effects && inside.effects,
            blocks: inside.blocks,
        };
        let count = self.choices.below(self.limits.operations);
        self.make(b, count);
        let given = inside.gives.iter().map(|&ty| self.value(b, ty));
        let given = given.map(|value| value.expect("a type of which there are values")).collect();
        self.values.truncate(values);
        self.promises.truncate(promises);
        self.scope = outside;
        given
    }

    fn may_branch(&self) -> bool {
        self.scope.blocks
    }

    fn depth(&self) -> usize {
        self.scope.depth
    }

    fn call(&mut self, b: &mut Builder<'_>) -> Option<(String, Vec<Value>, Vec<Type>)> {
        let (spent, times) = (self.current.cost, self.scope.times);
        let cheap = |function: &&Function| spent + times.saturating_mul(function.cost) < MAX_WORK;
        let callable: Vec<Function> = self.known.iter().filter(cheap).cloned().collect();
        let callee = if callable.is_empty() { None } else { Some(self.choices.pick(&callable)) }?;
        let operands = if callee.counts_down {
            let count = self.index_in(b, 0..CALLS)?;
            let rest = self.args(b, &callee.inputs[1..])?;
            [vec![count], rest].concat()
        } else {
            self.args(b, &callee.inputs)?
        };
        self.current.cost += times * callee.cost;
        Some((callee.name, operands, callee.results))
    }

    fn countdown(&self) -> Option<Value> {
        self.countdown
    }

    fn again(&mut self, b: &mut Builder<'_>, countdown: Value) -> Option<Vec<Value>> {
        self.countdown?;
        let current = self.current.clone();
        let rest = self.args(b, &current.inputs[1..])?;
        let operands = [vec![countdown], rest].concat();
        let op = b.create(self.functions.call(self.ctx, &current.name, &operands, &current.results));
        self.countdown = None;
        Some(b.body().op(op).results().collect())
    }

    fn results(&self) -> Vec<Type> {
        self.current.results.clone()
    }
}

//! Lowers an expression with all stages inside its loops.

use super::build::{assert_same, cast, dim, place};
use super::generic;
use super::nest::{Nest, Tile};
use crate::plan::Plan;
use crate::stages::Stages;
use minoan_arith as arith;
use minoan_ir::{Builder, DYNAMIC, Loc, Op, Type, Value};
use minoan_tensor::FromElements;
use rustc_hash::FxHashMap;

/// The source of an input's elements.
pub(super) enum Source<'a> {
    /// A tensor.
    Tensor(Value),
    /// A stage, computed inside the loops of the expression.
    Staged(Box<Instance<'a>>),
}

/// An instance of an expression; an expression that is staged twice has two instances.
pub(super) struct Instance<'a> {
    pub(super) op: Op,
    pub(super) plan: &'a Plan,
    pub(super) loc: Loc,
    /// The element type of the result.
    pub(super) element: Type,
    pub(super) sources: Vec<Source<'a>>,
    /// The extent of each axis.
    pub(super) extents: Vec<Value>,
}

impl Instance<'_> {
    /// A result type with these extents; dynamic if `shape` is empty.
    pub(super) fn tensor(&self, b: &Builder<'_>, shape: Vec<Option<i64>>) -> Type {
        let shape: Vec<i64> = shape.into_iter().map(|extent| extent.unwrap_or(DYNAMIC)).collect();
        Type::tensor(b.body().context(), &shape, self.element)
    }
}

/// The lowering of one expression.
pub(super) struct Kernel<'a> {
    stages: &'a Stages,
    /// Constants and extents, created before all loops.
    constants: FxHashMap<i64, Value>,
    dims: FxHashMap<(Value, usize), Value>,
    known: &'a mut KnownExtents,
}

/// The extents of results that were lowered before: consumers use these instead of `tensor.dim`, so that the tensor
/// can be fused away.
pub(super) type KnownExtents = FxHashMap<Value, Vec<Value>>;

impl<'a> Kernel<'a> {
    pub(super) fn new(stages: &'a Stages, known: &'a mut KnownExtents) -> Self {
        Self { stages, constants: FxHashMap::default(), dims: FxHashMap::default(), known }
    }

    /// Lowers an expression before `op`; returns the replacement of its result.
    pub(super) fn lower(mut self, b: &mut Builder<'_>, op: Op) -> Value {
        let result = b.body().op(op).result(0);
        let ty = b.ty(result);
        let instance = self.instance(b, op);
        let value = self.value(b, &instance, ty);
        // A forwarded operand is defined before the extents and may be used where they are not available.
        if !b.body().op(op).operands().any(|operand| operand == value) {
            let extents = instance.extents[..instance.plan.rank()].to_vec();
            self.known.insert(value, extents);
        }
        value
    }

    fn value(&mut self, b: &mut Builder<'_>, instance: &Instance<'_>, ty: Type) -> Value {
        let ctx = b.context();
        if instance.plan.expr.schedule.is_none() {
            return generic::lower(b, instance, ty);
        }
        self.prepare(b, instance);
        let tile = Nest::of(self, instance, Vec::new()).compute(b);
        match tile {
            Tile { value, .. } if b.ty(value).is_tensor(&ctx) => cast(b, value, ty),
            Tile { value, .. } => FromElements::build(b, &[value], ty).result(b.body()),
        }
    }

    /// Creates the instance of an expression and its stages, with checks of the extents.
    fn instance(&mut self, b: &mut Builder<'_>, op: Op) -> Instance<'a> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            let stages = self.stages;
            let plan = &stages.plans[&op];
            let operands: Vec<Value> = b.body().op(op).operands().collect();
            let mut sources = Vec::with_capacity(operands.len());
            for (input, &operand) in operands.iter().enumerate() {
                sources.push(match stages.producer(op, input) {
                    Some(producer) => Source::Staged(Box::new(self.instance(b, producer))),
                    None => Source::Tensor(operand),
                });
            }
            let ctx = b.context();
            let view = b.body().op(op);
            let (loc, result) = (view.loc(), view.result(0));
            let element = b.ty(result).element_or_self(&ctx);
            let outside = b.set_loc(loc);
            let extents = self.extents(b, plan, &sources, loc);
            b.set_loc(outside);
            Instance { op, plan, loc, element, sources, extents }
        })
    }

    fn extents(&mut self, b: &mut Builder<'_>, plan: &Plan, sources: &[Source<'_>], loc: Loc) -> Vec<Value> {
        let mut extents: Vec<Option<Value>> = vec![None; plan.axes.len()];
        for (input, (axes, source)) in plan.inputs.iter().zip(sources).enumerate() {
            for (dimension, &axis) in axes.iter().enumerate() {
                let extent = match source {
                    Source::Staged(staged) => staged.extents[dimension],
                    &Source::Tensor(tensor) => match self.known.get(&tensor) {
                        Some(known) => known[dimension],
                        None => {
                            *self.dims.entry((tensor, dimension)).or_insert_with(|| dim(b, tensor, dimension))
                        }
                    },
                };
                match extents[axis] {
                    None => extents[axis] = Some(extent),
                    Some(first) => {
                        let message =
                            different_extents(plan, axis, (input, dimension), place(&b.context(), loc));
                        assert_same(b, first, extent, &message);
                    }
                }
            }
        }
        extents.into_iter().flatten().collect()
    }

    /// Creates the constants of the loops before them.
    fn prepare(&mut self, b: &mut Builder<'_>, root: &Instance<'_>) {
        let mut numbers = vec![0, 1];
        let mut pending = vec![root];
        while let Some(instance) = pending.pop() {
            let plan = instance.plan;
            numbers.extend(plan.factors.iter().flatten());
            numbers.extend(plan.loops.iter().map(|&part| plan.stride(part)));
            pending.extend(instance.sources.iter().filter_map(|source| match source {
                Source::Staged(staged) => Some(&**staged),
                Source::Tensor(_) => None,
            }));
        }
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let value = arith::constant_index(b, number);
            self.constants.insert(number, value);
        }
    }

    pub(super) fn number(&self, b: &mut Builder<'_>, number: i64) -> Value {
        self.constants.get(&number).copied().unwrap_or_else(|| arith::constant_index(b, number))
    }
}

/// The message for an index with inconsistent extents, given its first occurrence and another one.
pub(crate) fn different_extents(
    plan: &Plan,
    axis: usize,
    (input, dimension): (usize, usize),
    at: Option<String>,
) -> String {
    let (first, first_dimension) = plan.first_place(axis);
    let message = format!(
        "`{}`: index `{}` has different extents in dimension {first_dimension} of input {first} and in dimension {dimension} of input {input}",
        plan.expr.semantics(),
        plan.axes[axis]
    );
    match at {
        Some(at) => format!("{at}: {message}"),
        None => message,
    }
}

/// Whether an expression returns its input unchanged.
pub(super) fn is_no_op(plan: &Plan) -> bool {
    let moves = plan.expr.operator.is_none_or(crate::Operator::is_unary_no_op);
    plan.expr.inputs.len() == 1 && moves && plan.expr.inputs[0] == plan.expr.output
}

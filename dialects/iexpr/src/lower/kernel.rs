//! Lowers an expression with all stages inside its loops.

use super::build::{assert_same, cast, dim};
use super::generic;
use super::nest::{Nest, Tile};
use super::online::Progress;
use crate::plan::Plan;
use crate::program::Program;
use crate::stages::Stages;
use minoan_arith as arith;
use minoan_ir::{Builder, DYNAMIC, Loc, Op, Type, Value};
use minoan_tensor::FromElements;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The source of an input's elements.
pub(super) enum Source {
    /// A tensor.
    Tensor(Value),
    /// A stage, the node of the program.
    Staged(usize),
}

/// A node of the program with its values.
pub(super) struct Instance<'a> {
    pub(super) plan: &'a Plan,
    pub(super) loc: Loc,
    /// The element type of the result.
    pub(super) element: Type,
    pub(super) sources: Vec<Source>,
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
    pub(super) program: Program,
    /// By node.
    pub(super) instances: Vec<Option<Instance<'a>>>,
    pub(super) progress: RefCell<Progress>,
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
        Self {
            stages,
            program: Program::default(),
            instances: Vec::new(),
            progress: RefCell::default(),
            constants: FxHashMap::default(),
            dims: FxHashMap::default(),
            known,
        }
    }

    pub(super) fn at(&self, node: usize) -> &Instance<'a> {
        self.instances[node].as_ref().expect("the instance of a node has been created")
    }

    /// Lowers an expression before `op`; returns the replacement of its result.
    pub(super) fn lower(mut self, b: &mut Builder<'_>, op: Op) -> Value {
        let result = b.body().op(op).result(0);
        let ty = b.ty(result);
        self.program = Program::of(self.stages, op).unwrap_or_default();
        self.instances.resize_with(self.program.nodes.len(), || None);
        self.instance(b, 0);
        let value = self.value(b, ty);
        // A forwarded operand is defined before the extents and may be used where they are not available.
        if !b.body().op(op).operands().any(|operand| operand == value) {
            let instance = self.at(0);
            let extents = instance.extents[..instance.plan.rank()].to_vec();
            self.known.insert(value, extents);
        }
        value
    }

    fn value(&mut self, b: &mut Builder<'_>, ty: Type) -> Value {
        let ctx = b.context();
        if self.at(0).plan.expr.schedule.is_none() {
            return generic::lower(b, self.at(0), ty);
        }
        self.prepare(b);
        let tile = Nest::of(self, 0).compute(b);
        match tile {
            Tile { value, .. } if b.ty(value).is_tensor(&ctx) => cast(b, value, ty),
            Tile { value, .. } => FromElements::build(b, &[value], ty).result(b.body()),
        }
    }

    /// Creates the instance of a node and its stages, with checks of the extents.
    fn instance(&mut self, b: &mut Builder<'_>, node: usize) {
        if self.instances[node].is_some() {
            return;
        }
        minoan_ir::with_stack(|| {
            let stages = self.stages;
            let op = self.program.nodes[node].op;
            let plan = &stages.plans[&op];
            let operands: Vec<Value> = b.body().op(op).operands().collect();
            let mut sources = Vec::with_capacity(operands.len());
            for (input, &operand) in operands.iter().enumerate() {
                sources.push(match self.program.nodes[node].inputs[input] {
                    Some(producer) => {
                        self.instance(b, producer);
                        Source::Staged(producer)
                    }
                    None => Source::Tensor(operand),
                });
            }
            let ctx = b.context();
            let view = b.body().op(op);
            let (loc, result) = (view.loc(), view.result(0));
            let element = b.ty(result).element_or_self(&ctx);
            let outside = b.set_loc(loc);
            let extents = self.extents(b, plan, &sources);
            b.set_loc(outside);
            self.instances[node] = Some(Instance { plan, loc, element, sources, extents });
        });
    }

    fn extents(&mut self, b: &mut Builder<'_>, plan: &Plan, sources: &[Source]) -> Vec<Value> {
        let mut extents: Vec<Option<Value>> = vec![None; plan.axes.len()];
        for (input, (axes, source)) in plan.inputs.iter().zip(sources).enumerate() {
            for (dimension, &axis) in axes.iter().enumerate() {
                let extent = match *source {
                    Source::Staged(staged) => self.at(staged).extents[dimension],
                    Source::Tensor(tensor) => match self.known.get(&tensor) {
                        Some(known) => known[dimension],
                        None => {
                            *self.dims.entry((tensor, dimension)).or_insert_with(|| dim(b, tensor, dimension))
                        }
                    },
                };
                match extents[axis] {
                    None => extents[axis] = Some(extent),
                    Some(first) => {
                        let message = different_extents(plan, axis, (input, dimension), ["{}"; 2]);
                        assert_same(b, first, extent, &message);
                    }
                }
            }
        }
        extents.into_iter().flatten().collect()
    }

    /// Creates the constants of the loops before them.
    fn prepare(&mut self, b: &mut Builder<'_>) {
        let mut numbers = vec![0, 1];
        for instance in self.instances.iter().flatten() {
            let plan = instance.plan;
            numbers.extend(plan.factors.iter().flatten());
            numbers.extend(plan.loops.iter().map(|&part| plan.stride(part)));
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
    [first_extent, extent]: [impl std::fmt::Display; 2],
) -> String {
    let (first, first_dimension) = plan.first_place(axis);
    format!(
        "`{}`: index `{}` has different extents in dimension {first_dimension} of input {first} and in dimension {dimension} of input {input}: {first_extent} and {extent}",
        plan.expr.semantics(),
        plan.axes[axis]
    )
}

/// Whether an expression returns its input unchanged.
pub(super) fn is_no_op(plan: &Plan) -> bool {
    let moves = plan.expr.operator.is_none_or(crate::Operator::is_unary_no_op);
    plan.expr.inputs.len() == 1 && moves && plan.expr.inputs[0] == plan.expr.output
}

//! Derivatives of operations over iteration domains, as operations over iteration domains.
//!
//! The scalar computation of a point is differentiated like the operations of a block, inside of a new operation over the same
//! domain. So the derivative of a contraction consists of contractions, and is fused and scheduled like any other.
//!
//! * *Reverse mode*, for an operand that is read at `map(p)`: an operation that accumulates at `map(p)` the derivative of the
//!   point, weighted by the cotangents of the written elements. A dimension that the map drops becomes a reduction. Operands
//!   whose maps keep the same dimensions share an operation.
//! * *Forward mode*: an operation that computes the tangents of the elements. An operation with a reduction is linear in its
//!   summands, and has one operation for each operand.
//! * A reduction that is not a sum is expanded to a loop in reverse mode ([`expand`](super::expand)); in forward mode its
//!   tangents are reduced together with its values.
//!
//! For an operand that is read in windows, the cotangent sums over the windows that contain an element ([`windows`]).
//!
//! The computation of a point may use the computed element, so that an exponential is not computed twice.

mod costly;
mod forward;
mod masks;
mod reverse;
mod windows;

pub(super) use masks::Mask;

use super::work::{Work, nested};
use super::{Engine, updated_operands};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Block, Body, Builder, Context, DYNAMIC, InsertionPoint, Op, Traits, Type, Value};
use minoan_services::{Domain, Extent, IterationDomain, IteratorType, Read, permutation};
use rustc_hash::FxHashSet;

/// An operation over an iteration domain whose derivatives are such operations, too.
pub(super) struct Structured<'c> {
    service: &'c dyn IterationDomain,
    domain: Domain,
    /// For each result, the operand that it updates.
    updated: Vec<Option<usize>>,
    /// Whether each result is the sum of its old element and a summand for each point of the reduction.
    is_sum: bool,
}

impl Structured<'_> {
    /// The number of a read of the old element of a result, in a reduction.
    fn old(&self, result: usize) -> Option<usize> {
        let operand = self.updated[result].filter(|_| self.is_reduction())?;
        self.domain.reads.iter().position(|read| read.operand == operand)
    }

    fn is_old(&self, read: usize) -> bool {
        (0..self.updated.len()).any(|result| self.old(result) == Some(read))
    }

    fn is_reduction(&self) -> bool {
        self.domain.iterator_types.contains(&IteratorType::Reduction)
    }

    /// Whether a result may have elements that no point computes, which are those of the operand that it updates.
    fn is_partial(&self, result: usize) -> bool {
        !self.is_reduction() && permutation(&self.domain.writes[result]).is_none()
    }

    /// Whether a derivative may read the computed elements instead of computing them again.
    fn reuses(&self, result: usize) -> bool {
        !self.is_reduction() && !self.is_partial(result)
    }
}

impl<'c> Engine<'c> {
    /// The structured form of an operation, on which derivatives over its domain are based; `None` if it lacks that form. Non-sums are only
    /// permitted if `any_reduction`.
    pub(super) fn structured(
        &self,
        body: &mut Body,
        op: Op,
        active: &FxHashSet<Value>,
        any_reduction: bool,
    ) -> Option<Structured<'c>> {
        self.makers?;
        let view = body.op(op);
        let service = self.domains?.get(view.kind())?;
        let domain = service.domain(view)?;
        let fits = domain.writes.len() == view.n_results()
            && !domain.has_padding()
            && view.result_types().all(|ty| ty.is_tensor(self.ctx));
        let computed = |inner: Op| {
            let inner = body.op(inner);
            let is_effect = inner.n_results() == 0 && !inner.has_trait(Traits::TERMINATOR);
            let is_scalar = inner.result_types().all(|ty| !ty.is_tensor(self.ctx));
            let captures =
                inner.operands().any(|value| body.ty(value).is_tensor(self.ctx) && active.contains(&value));
            inner.n_regions() == 0 && is_scalar && !is_effect && !captures
        };
        if !fits || !nested(body, op).into_iter().all(computed) {
            return None;
        }
        let updated = updated_operands(self.aliases, view);
        let mut structured = Structured { service, domain, updated, is_sum: false };
        let operands: Vec<Value> = view.operands().collect();
        let keeps_active = (0..structured.updated.len()).any(|result| {
            let updated = structured.updated[result].filter(|_| structured.is_partial(result));
            updated.is_some_and(|operand| active.contains(&operands[operand]))
        });
        if keeps_active {
            return None;
        }
        if structured.is_reduction() {
            if (0..structured.updated.len()).any(|result| structured.old(result).is_none()) {
                return None;
            }
            structured.is_sum = self.is_sum(body, op, &structured);
            if !structured.is_sum && !any_reduction {
                return None;
            }
        }
        Some(structured)
    }

    /// A tensor padded with zeros: `widths` are the numbers of zeros before and after each dimension. `None` if its extents along
    /// these dimensions are not known.
    fn padded(&self, b: &mut Builder<'_>, tensor: Value, widths: &[(i64, i64)]) -> Option<Value> {
        if widths.iter().all(|&width| width == (0, 0)) {
            return Some(tensor);
        }
        let shape = b.ty(tensor).shape(self.ctx)?.iter().zip(widths);
        let known = shape.clone().all(|(&extent, &width)| extent != DYNAMIC || width == (0, 0));
        known.then(|| self.ops.padded(b, tensor, widths))
    }

    /// An extent as a value of type `index`.
    fn size(&self, b: &mut Builder<'_>, extent: Extent) -> Value {
        match extent {
            Extent::Known(extent) => self.ops.index(b, extent),
            Extent::Value(size) => size,
            Extent::Of { .. } | Extent::Plus { .. } => unreachable!("the extents are values"),
        }
    }

    /// Whether each result is the sum of its old element, which has no other use, and a summand. Computes a point to find out.
    fn is_sum(&self, body: &mut Body, op: Op, structured: &Structured<'_>) -> bool {
        let Some(algebra) = self.algebra else { return false };
        let before = body.op(op).prev();
        let operands: Vec<Value> = body.op(op).operands().collect();
        let mut b = Builder::before(body, op);
        let mut elements = Vec::with_capacity(structured.domain.reads.len());
        for read in &structured.domain.reads {
            let ty = b.ty(operands[read.operand]).element_or_self(self.ctx);
            elements.push(self.ops.placeholder(&mut b, ty));
        }
        let ops = self.ops;
        let mut index = |b: &mut Builder<'_>, _: u32| ops.placeholder(b, Type::INDEX);
        let values = structured.service.compute(&mut b, op, &elements, &mut index);
        let sums = values.iter().enumerate().all(|(result, &value)| {
            let old = structured.old(result).map(|read| elements[read]);
            let (Some(old), Some(sum)) = (old, body.defining_op(value)) else { return false };
            let view = body.op(sum);
            algebra.get(view.kind()).is_some_and(|algebra| algebra.adds(view))
                && body.only_use(old).is_some_and(|place| place.op == sum)
                && !body.is_used(value)
                && values.iter().filter(|&&other| other == value).count() == 1
        });
        let mut last = body.op(op).prev();
        while last != before {
            let Some(created) = last else { break };
            last = body.op(created).prev();
            body.erase(created);
        }
        sums
    }
}

/// A tensor that the computation of a point reads, with the indices of the element.
type Input = (Value, AffineMap);

/// A value that needs a cotangent, with the indices of the element that a point reads; no indices for a scalar.
struct Target {
    value: Value,
    map: AffineMap,
    /// The reads of the element.
    reads: Vec<usize>,
}

/// A tensor that the operation computes.
struct Output {
    /// The initial elements.
    init: Value,
    map: AffineMap,
    /// Whether the computation is added to them; otherwise they have no value.
    adds: bool,
}

/// The elements at a point.
struct Point<'p> {
    /// The elements of the inputs; `None` if an input is not needed.
    inputs: &'p [Option<Value>],
    index: &'p mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
}

/// Creates the computation of a point: the values that are added to, or stored into, each output.
type Compute<'a, 'w, 'c> =
    &'a mut dyn FnMut(&mut Work<'w, 'c>, &mut Builder<'_>, &mut Point<'_>) -> Vec<Value>;

impl<'w, 'c> Work<'w, 'c> {
    /// Creates an operation over a domain. Inputs that the computation does not use are left out. Returns the outputs.
    fn over_domain(
        &mut self,
        b: &mut Builder<'_>,
        extents: &[Extent],
        inputs: &[Input],
        outputs: &[Output],
        compute: Compute<'_, 'w, 'c>,
    ) -> Option<Vec<Value>> {
        let makers = self.engine.makers?;
        let dims = extents.len();
        // A dimension is parallel if its index is an index of every output.
        let is_parallel = |dim: u32| {
            let alone = |expr: &AffineExpr| *expr == AffineExpr::Dim(dim);
            outputs.iter().all(|output| output.map.results.iter().any(alone))
        };
        let iterator_types: Vec<IteratorType> = (0..dims as u32)
            .map(|dim| if is_parallel(dim) { IteratorType::Parallel } else { IteratorType::Reduction })
            .collect();
        let inits: Vec<Value> = outputs.iter().map(|output| output.init).collect();
        let maps = inputs.iter().map(|(_, map)| map).chain(outputs.iter().map(|output| &output.map));
        let shapes = self.shapes(b, extents, maps);
        let inputs = &[inputs, &shapes].concat()[..];
        let mut kept: Vec<usize> = (0..inputs.len()).collect();
        loop {
            let domain = Domain {
                iterator_types: iterator_types.clone(),
                extents: extents.to_vec(),
                reads: kept
                    .iter()
                    .enumerate()
                    .map(|(at, &input)| Read::new(at, inputs[input].1.clone()))
                    .collect(),
                writes: outputs.iter().map(|output| output.map.clone()).collect(),
            };
            let ins: Vec<Value> = kept.iter().map(|&input| inputs[input].0).collect();
            let before = b.insertion_point();
            let made = makers.make(b, &domain, &ins, &inits, &mut |b, elements, index| {
                let (read, old) = elements.split_at(kept.len());
                let mut given = vec![None; inputs.len()];
                kept.iter().zip(read).for_each(|(&input, &element)| given[input] = Some(element));
                let values = compute(self, b, &mut Point { inputs: &given, index });
                let sums = values.into_iter().zip(outputs).zip(old);
                sums.map(|((value, output), &old)| if output.adds { self.add(b, value, old) } else { value })
                    .collect()
            })?;
            let block = Self::entry(b.body().op(made), 0)?;
            self.clean(b.body_mut(), block, None);
            let mut needed = kept.clone();
            for (at, &input) in kept.iter().enumerate() {
                let others = needed.iter().filter(|&&other| other != input).map(|&other| &inputs[other].1);
                let maps: Vec<&AffineMap> = others.chain(outputs.iter().map(|output| &output.map)).collect();
                let determines =
                    |dim: u32| maps.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
                if !b.body().is_used(b.body().block(block).arg(at)) && (0..dims as u32).all(determines) {
                    needed.retain(|&other| other != input);
                }
            }
            if needed.len() < kept.len() {
                b.set_insertion_point(before);
                b.body_mut().erase(made);
                kept = needed;
                continue;
            }
            let values = copies(b.body(), made, block, &kept, inputs, outputs);
            if !b.body().op(made).results().any(|result| values.contains(&result)) {
                b.set_insertion_point(before);
                b.body_mut().erase(made);
            }
            return Some(values);
        }
    }

    /// Tensors of unspecified elements that determine the extents of dimensions which index none of the maps directly, like
    /// those of a window.
    fn shapes<'m>(
        &self,
        b: &mut Builder<'_>,
        extents: &[Extent],
        maps: impl Iterator<Item = &'m AffineMap>,
    ) -> Vec<Input> {
        let indexed: FxHashSet<u32> = maps
            .flat_map(|map| &map.results)
            .filter_map(|expr| if let AffineExpr::Dim(dim) = expr { Some(*dim) } else { None })
            .collect();
        let (ops, ctx, dims) = (self.engine.ops, self.engine.ctx, extents.len() as u32);
        let mut inputs = Vec::new();
        for dim in (0..dims).filter(|dim| !indexed.contains(dim)) {
            let extent = extents[dim as usize];
            let size = self.engine.size(b, extent);
            let shape = ops.empty(b, Type::tensor(ctx, &[extent.in_shape()], Type::F32), &[size]);
            inputs.push((shape, AffineMap::projection(dims, &[dim])));
        }
        inputs
    }

    fn add(&self, b: &mut Builder<'_>, x: Value, y: Value) -> Value {
        match <dyn minoan_services::TangentSpace>::of(self.engine.ctx, b.ty(x)) {
            Some((space, _)) => space.add(b, x, y),
            None => x,
        }
    }

    /// The extents of a domain as values, so that they can be used with other operands.
    fn extents(&self, b: &mut Builder<'_>, domain: &Domain, operands: &[Value]) -> Vec<Extent> {
        let of = |extent: &Extent| match *extent {
            Extent::Known(_) | Extent::Value(_) => *extent,
            other => Extent::Value(self.engine.ops.extent_value(b, other, operands)),
        };
        domain.extents.iter().map(of).collect()
    }

    /// Copies the computation of a point from given elements. Returns its operations and the computed elements.
    fn replay_point(
        &mut self,
        b: &mut Builder<'_>,
        op: Op,
        structured: &Structured<'_>,
        elements: &[Value],
        point: &mut Point<'_>,
    ) -> (Vec<Op>, Vec<Value>) {
        let InsertionPoint::End(block) = b.insertion_point() else {
            unreachable!("the computation of a point is created at the end of its block")
        };
        let before = b.body().block(block).ops().count();
        let values = structured.service.compute(b, op, elements, point.index);
        // Skips the placeholders, which were created before.
        let ops: Vec<Op> = b.body().block(block).ops().skip(before).collect();
        for &inner in &ops {
            let view = b.body().op(inner);
            if view.operands().any(|operand| self.is_active(operand)) {
                let results: Vec<Value> =
                    view.results().filter(|&result| self.engine.is_active_type(b.ty(result))).collect();
                self.active.extend(results);
            }
        }
        (ops, values)
    }

    /// The elements of the reads at a point: those of the inputs, scalar operands, or placeholders for elements that are not
    /// needed.
    fn elements(
        &self,
        b: &mut Builder<'_>,
        structured: &Structured<'_>,
        operands: &[Value],
        given: &dyn Fn(usize) -> Option<Value>,
    ) -> Vec<Value> {
        let mut elements = Vec::with_capacity(structured.domain.reads.len());
        for (at, read) in structured.domain.reads.iter().enumerate() {
            let operand = operands[read.operand];
            let ty = b.ty(operand);
            elements.push(match given(at) {
                Some(element) => element,
                None if !ty.is_tensor(self.engine.ctx) => operand,
                None => self.engine.ops.placeholder(b, ty.element_or_self(self.engine.ctx)),
            });
        }
        elements
    }
}

/// The inputs of a derivative of an operation over a domain.
struct Inputs {
    list: Vec<Input>,
    /// For each read of the operation, its input: the tensor that is read.
    read: Vec<Option<usize>>,
    /// For each result of the operation, its input: the computed tensor, if the derivative may read it.
    computed: Vec<Option<usize>>,
}

impl Inputs {
    /// The tensors that an operation reads.
    fn reads(ctx: &Context, body: &Body, structured: &Structured<'_>, operands: &[Value]) -> Self {
        let mut inputs = Self { list: Vec::new(), read: Vec::new(), computed: Vec::new() };
        for (at, read) in structured.domain.reads.iter().enumerate() {
            let value = operands[read.operand];
            let is_given = body.ty(value).is_tensor(ctx) && !structured.is_old(at);
            let input = is_given.then(|| inputs.push(value, &read.map));
            inputs.read.push(input);
        }
        inputs
    }

    /// Adds an input; returns its number.
    fn push(&mut self, value: Value, map: &AffineMap) -> usize {
        self.list.push((value, map.clone()));
        self.list.len() - 1
    }

    /// Adds the computed tensors that a derivative may read.
    fn push_computed(&mut self, structured: &Structured<'_>, results: &[Value]) {
        for (at, &result) in results.iter().enumerate() {
            let input = structured.reuses(at).then(|| self.push(result, &structured.domain.writes[at]));
            self.computed.push(input);
        }
    }

    /// The elements that the inputs have at a point, for the reads of the operation.
    fn element(&self, given: &[Option<Value>], read: usize) -> Option<Value> {
        self.read[read].and_then(|input| given[input])
    }

    /// Replaces values that the operations `inner` compute at a point by the elements of the computed tensors, also in `found`.
    fn use_computed(
        &self,
        body: &mut Body,
        given: &[Option<Value>],
        inner: &[Op],
        values: &[Value],
        found: &mut [Value],
    ) {
        for (&value, &computed) in values.iter().zip(&self.computed) {
            let is_inner = body.defining_op(value).is_some_and(|def| inner.contains(&def));
            if let Some(saved) = computed.and_then(|input| given[input]).filter(|_| is_inner) {
                body.replace_all_uses(value, saved);
                found.iter_mut().filter(|it| **it == value).for_each(|it| *it = saved);
            }
        }
    }
}

/// The results of an operation over a domain, where results that are copies of an input are replaced by the input.
fn copies(
    body: &Body,
    made: Op,
    block: Block,
    kept: &[usize],
    inputs: &[Input],
    outputs: &[Output],
) -> Vec<Value> {
    let last = body.block(block).last().expect("a block ends with a terminator");
    let mut values: Vec<Value> = body.op(made).results().collect();
    for (at, (value, output)) in values.iter_mut().zip(outputs).enumerate() {
        let yielded = body.op(last).operand(at);
        let input = (0..kept.len()).find(|&input| body.block(block).arg(input) == yielded);
        let Some((source, map)) = input.map(|input| &inputs[kept[input]]) else { continue };
        if !output.adds && *map == output.map && body.ty(*source) == body.ty(*value) {
            *value = *source;
        }
    }
    values
}

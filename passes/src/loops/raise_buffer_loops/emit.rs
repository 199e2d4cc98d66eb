//! Creation of the operations that replace a nest.

use super::Tables;
use super::conflicts::Pair;
use super::forms::Range;
use super::nest::{Nest, Place};
use super::plan::{Check, Plan};
use super::statement::{Source, Statement, Step};
use crate::analysis::linear::Linear;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Builder, DYNAMIC, Mapping, Op, Type, Value};
use minoan_services::{Domain, Extent, IteratorType, PartIndex, Read};
use rustc_hash::FxHashMap;

impl Nest<'_, '_> {
    /// Creates the statements before the nest, which the caller erases. If something has to be checked first, a copy of the nest is
    /// executed where a check fails.
    pub(super) fn emit(&self, body: &mut minoan_ir::Body, plan: &Plan) {
        let loc = body.op(self.root).loc();
        let mut b = Builder::before(body, self.root).with_loc(loc);
        let Some(fails) = self.fails(&mut b, plan) else {
            self.emit_statements(&mut b, &plan.statements);
            return;
        };
        let tables = self.tables();
        tables.loop_ops.choose(
            &mut b,
            fails,
            &[],
            &mut |b| {
                let at = b.insertion_point();
                b.body_mut().clone_op(self.root, at, &mut Mapping::new());
                Vec::new()
            },
            &mut |b| {
                self.emit_statements(b, &plan.statements);
                Vec::new()
            },
        );
    }

    /// The condition under which the plan does not apply; `None` if it always does.
    fn fails(&self, b: &mut Builder<'_>, plan: &Plan) -> Option<Value> {
        let Tables { index_ops, buffers, .. } = *self.tables();
        let mut conditions = Vec::new();
        for check in &plan.checks {
            conditions.push(match check {
                Check::NotNegative(form) => {
                    let (value, zero) = (self.value(b, form), index_ops.index(b, 0));
                    index_ops.less(b, value, zero)
                }
                Check::Below(form, buffer, dim) => {
                    // The extent less the constant of the form does not overflow.
                    let numbers = Linear { constant: 0, ..form.clone() };
                    let (value, extent) = (self.value(b, &numbers), buffers.extent(b, *buffer, *dim));
                    let bound = index_ops.plus(b, extent, -form.constant - 1);
                    index_ops.less(b, bound, value)
                }
            });
        }
        for &pair in &plan.pairs {
            conditions.push(self.overlap(b, pair));
        }
        conditions.into_iter().reduce(|all, one| index_ops.or(b, all, one))
    }

    /// Whether two buffers of consecutive elements share memory.
    fn overlap(&self, b: &mut Builder<'_>, (one, other): Pair) -> Value {
        let Tables { index_ops, .. } = *self.tables();
        let [first, second] = [one, other].map(|buffer| self.bytes(b, buffer));
        let begins = index_ops.less(b, first[0], second[1]);
        let ends = index_ops.less(b, second[0], first[1]);
        index_ops.and(b, begins, ends)
    }

    /// The addresses of the first byte of a buffer, and of the one after the last.
    fn bytes(&self, b: &mut Builder<'_>, buffer: Value) -> [Value; 2] {
        let tables = self.tables();
        let bytes = tables.element_bytes(b.body(), buffer).expect("only such buffers are compared");
        let rank = b.ty(buffer).rank(&b.context()).unwrap_or(0);
        let mut size = tables.index_ops.index(b, bytes);
        for dim in 0..rank {
            let extent = tables.buffers.extent(b, buffer, dim);
            size = tables.index_ops.mul(b, size, extent);
        }
        let first = tables.buffers.address(b, buffer);
        [first, tables.index_ops.add(b, first, size)]
    }

    /// The value of a form over numbers from outside.
    fn value(&self, b: &mut Builder<'_>, form: &Linear) -> Value {
        let index_ops = self.tables().index_ops;
        let mut sum: Option<Value> = None;
        for &(constant, number) in &form.invariants {
            let number =
                if b.ty(number) == Type::INDEX { number } else { index_ops.cast(b, number, Type::INDEX) };
            sum = Some(match (sum, constant) {
                (None, 1) => number,
                (Some(sum), 1) => index_ops.add(b, sum, number),
                (Some(sum), -1) => index_ops.sub(b, sum, number),
                _ => {
                    let constant = index_ops.index(b, constant);
                    let term = index_ops.mul(b, number, constant);
                    sum.map_or(term, |sum| index_ops.add(b, sum, term))
                }
            });
        }
        match sum {
            Some(sum) => index_ops.plus(b, sum, form.constant),
            None => index_ops.index(b, form.constant),
        }
    }

    fn part_index(&self, b: &mut Builder<'_>, form: &Linear) -> PartIndex {
        match form.invariants.is_empty() {
            true => PartIndex::Constant(form.constant),
            false => PartIndex::Value(self.value(b, form)),
        }
    }

    /// A number of elements; it is 0 where the form is negative.
    fn size(&self, b: &mut Builder<'_>, form: &Linear) -> PartIndex {
        let index_ops = self.tables().index_ops;
        match self.part_index(b, form) {
            PartIndex::Value(value) if !self.forms.is_not_negative(b.body(), form) => {
                let zero = index_ops.index(b, 0);
                PartIndex::Value(index_ops.max(b, value, zero))
            }
            size => size,
        }
    }

    fn emit_statements(&self, b: &mut Builder<'_>, statements: &[Statement]) {
        let dims = self.forms.dims().iter();
        let sizes = dims.map(|dim| self.size(b, &dim.size().expect("it was computed before"))).collect();
        for statement in statements {
            Emitter { nest: self, statement, sizes: &sizes, read: FxHashMap::default() }.emit(b);
        }
    }
}

/// The creation of the operations of a statement.
struct Emitter<'a, 't, 'c> {
    nest: &'a Nest<'t, 'c>,
    statement: &'a Statement,
    /// The numbers of iterations of the loops.
    sizes: &'a Vec<PartIndex>,
    /// The tensors that have been read from buffers.
    read: FxHashMap<Place, Value>,
}

impl Emitter<'_, '_, '_> {
    fn emit(mut self, b: &mut Builder<'_>) {
        let tables = self.nest.tables();
        let part = self.part(b, &self.statement.place);
        let mut stored = tables.exchanges.read(b, part, true);
        // All reads come before the first update, which is done in the buffer then.
        for read in self.statement.steps.iter().flat_map(|step| &step.reads) {
            if let Source::Place(place) = &read.source
                && !self.read.contains_key(place)
            {
                let part = self.part(b, place);
                self.read.insert(place.clone(), tables.exchanges.read(b, part, false));
            }
        }
        let mut temporaries: Vec<Value> = Vec::new();
        for temporary in &self.statement.temporaries {
            let ctx = b.context();
            let sizes = temporary.dims.iter().map(|&dim| self.sizes[dim]);
            let (shape, dynamic) = split(sizes);
            let ty = Type::tensor(&ctx, &shape, b.ty(temporary.like));
            temporaries.push(match temporary.splat {
                Some(value) => tables.tensor_ops.splat(b, value, ty, &dynamic),
                None => tables.tensor_ops.empty(b, ty, &dynamic),
            });
        }
        for step in &self.statement.steps {
            let current = |temporary: Option<usize>| temporary.map_or(stored, |at| temporaries[at]);
            let outs: Vec<Value> = step.outputs.iter().map(|output| current(output.temporary)).collect();
            let ins: Vec<Value> = step
                .reads
                .iter()
                .map(|read| match &read.source {
                    Source::Place(place) => self.read[place],
                    Source::Temporary(at) => temporaries[*at],
                })
                .collect();
            let op = self.step(b, step, &ins, &outs);
            let results: Vec<Value> = b.body().op(op).results().collect();
            for (output, result) in step.outputs.iter().zip(results) {
                match output.temporary {
                    Some(at) => temporaries[at] = result,
                    None => stored = result,
                }
            }
        }
        tables.exchanges.write(b, stored, part);
    }

    /// The part of a buffer that is accessed in all iterations.
    fn part(&self, b: &mut Builder<'_>, place: &Place) -> Value {
        let (nest, forms) = (self.nest, &self.nest.forms);
        let (mut offsets, mut sizes, mut is_whole) = (Vec::new(), Vec::new(), true);
        for (dim, index) in place.indices.iter().enumerate() {
            let bounds = forms.least(index).zip(forms.greatest(index));
            let (least, greatest) = bounds.expect("the bounds were computed before");
            let count = greatest.plus(&least, -1).and_then(|form| form.plus(&Linear::constant(1), 1));
            let count = count.expect("a difference of bounds");
            let extent = forms.extent(b.body(), place.buffer, dim);
            is_whole &= least == Linear::default() && extent.as_ref() == Some(&count);
            let mut own = self.dims_of(index);
            let size = match (own.next(), own.next()) {
                (None, _) => {
                    is_whole = false;
                    None
                }
                (Some((at, 1)), None) => Some(self.sizes[at]),
                _ => Some(nest.size(b, &count)),
            };
            offsets.push(nest.part_index(b, &least));
            sizes.push(size);
        }
        if is_whole {
            return place.buffer;
        }
        let part = nest.tables().buffers.slice(b, place.buffer, &offsets, &sizes);
        part.expect("the layout of the buffer is strided")
    }

    /// The loops that an index depends on, with their coefficients.
    fn dims_of<'i>(&'i self, index: &'i Linear) -> impl Iterator<Item = (usize, i64)> + 'i {
        let dims = self.nest.forms.dims().iter().enumerate();
        dims.map(|(at, dim): (usize, &Range)| (at, index.coefficient(dim.index))).filter(|dim| dim.1 != 0)
    }

    /// The map from a point of a step to an element of a part.
    fn map(&self, step: &Step, place: &Place) -> AffineMap {
        let mut results = Vec::new();
        for index in &place.indices {
            let term = |(dim, coefficient): (usize, i64)| {
                let at = step.dims.iter().position(|&own| own == dim).expect("a loop around the access");
                let (dim, coefficient) = (AffineExpr::Dim(at as u32), AffineExpr::Constant(coefficient));
                AffineExpr::simplified(AffineOp::Mul, dim, coefficient)
            };
            let sum = self.dims_of(index).map(term);
            results.extend(sum.reduce(|sum, term| AffineExpr::simplified(AffineOp::Add, sum, term)));
        }
        AffineMap { dims: step.dims.len() as u32, symbols: 0, results: results.into() }
    }

    /// Creates a step; `ins` are the tensors of its reads, `outs` those of its outputs.
    fn step(&self, b: &mut Builder<'_>, step: &Step, ins: &[Value], outs: &[Value]) -> Op {
        let (statement, count) = (self.statement, step.dims.len() as u32);
        let of_temporary = |at: usize| {
            let dims = statement.temporaries[at].dims.iter();
            let place = |dim: &usize| step.dims.iter().position(|own| own == dim).map(|at| at as u32);
            let dims: Option<Vec<u32>> = dims.map(place).collect();
            AffineMap::projection(count, &dims.expect("loops around the temporary"))
        };
        let maps = step.reads.iter().map(|read| match &read.source {
            Source::Place(place) => self.map(step, place),
            Source::Temporary(at) => of_temporary(*at),
        });
        let extent = |&dim: &usize| match self.sizes[dim] {
            PartIndex::Constant(size) => Extent::Known(size),
            PartIndex::Value(size) => Extent::Value(size),
        };
        let kind = |at| if at < step.parallel { IteratorType::Parallel } else { IteratorType::Reduction };
        let writes = step.outputs.iter();
        let domain = Domain {
            iterator_types: (0..step.dims.len()).map(kind).collect(),
            extents: step.dims.iter().map(extent).collect(),
            reads: maps.enumerate().map(|(at, map)| Read::new(at, map)).collect(),
            writes: writes
                .map(|output| output.temporary.map_or_else(|| self.map(step, &statement.place), of_temporary))
                .collect(),
        };
        let domain_ops = self.nest.tables().domain_ops;
        let op = domain_ops
            .make(b, &domain, ins, outs, &mut |b, elements, index| self.compute(b, step, elements, index));
        op.expect("each loop indexes an operand, in bounds")
    }

    /// Creates the computation of one point.
    fn compute(
        &self,
        b: &mut Builder<'_>,
        step: &Step,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let mut mapping = Mapping::new();
        for (at, &dim) in step.dims.iter().enumerate() {
            let range = &self.nest.forms.dims()[dim];
            let is_used = |&op: &Op| b.body().op(op).operands().any(|operand| operand == range.index);
            if step.ops.iter().any(is_used) || step.outputs.iter().any(|output| output.value == range.index) {
                let (index, lower) = (index(b, at as u32), self.nest.value(b, &range.lower));
                let number = self.nest.tables().index_ops.add(b, index, lower);
                mapping.map(range.index, number);
            }
        }
        for (read, &element) in step.reads.iter().zip(elements) {
            read.values.iter().for_each(|&value| mapping.map(value, element));
        }
        for &(value, output) in &step.current {
            mapping.map(value, elements[step.reads.len() + output]);
        }
        for &op in &step.ops {
            let at = b.insertion_point();
            b.body_mut().clone_op(op, at, &mut mapping);
        }
        step.outputs.iter().map(|output| mapping.value(output.value)).collect()
    }
}

/// The shape of a tensor with these extents, and the dynamic ones.
fn split(sizes: impl Iterator<Item = PartIndex>) -> (Vec<i64>, Vec<Value>) {
    let mut dynamic = Vec::new();
    let extent = |size: PartIndex| match size {
        PartIndex::Constant(size) => size,
        PartIndex::Value(size) => {
            dynamic.push(size);
            DYNAMIC
        }
    };
    (sizes.map(extent).collect(), dynamic)
}

//! `slice-reads`: elements read at indices next to those of an iteration domain become reads of slices.
//!
//! The scalar computation of an operation over a domain may read elements of tensors from outside ([`ElementAccess`]) at indices
//! that it computes. If each index is a number from outside, or the index of a dimension plus such a number, the elements are
//! those of a slice, taken before the operation, that the domain reads: row `r` of a matrix, or a block of a vector. Only reads
//! of a domain are vectorized, and their derivatives are operations over domains, too.
//!
//! ```text
//! linalg.generic outs(%out) {                        %row = tensor.extract_slice %m[%r, 0] [1, %n] [1, 1]
//!   %i = linalg.index 0                       ->     linalg.generic ins(%row) outs(%out) {
//!   %x = tensor.extract %m[%r, %i]                   ^bb0(%x: f32, ..)
//! ```
//!
//! * The slice is in bounds because every point of the domain reads from it: a read in a conditional remains, as does one that no
//!   index of some dimension occurs in, unless the dimension is known not to be empty.
//! * An operation that is left as a copy of a slice is replaced by the slice, so that slices of slices are slices of their
//!   source.
//! * A read at other indices, and one that a static extent shows to be out of bounds, remains.

use crate::analysis::linear::Linear;
use crate::analysis::over_domain::OverDomain;
use minoan_diag::Diagnostics;
use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Builder, Context, DYNAMIC, InsertionPoint, Mapping, Op, ServiceTable, Type, Value};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{
    AliasModel, DomainOps, ElementAccess, Extent, IndexOps, IndexTerms, IterationDomain, IteratorType,
    LayoutSpec, LoopLike, Speculation, SpeculationTable, TensorOps, constant_of,
};
use rustc_hash::FxHashMap;

/// Replaces reads of elements by reads of slices.
pub struct SliceReads;

impl Pass for SliceReads {
    fn name(&self) -> &'static str {
        "slice-reads"
    }

    fn description(&self) -> &'static str {
        "replace element reads at affine offsets by slices"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-sliced", "Number of reads of elements replaced by reads of slices")]
    }

    queries!(
        IterationDomain,
        ElementAccess,
        IndexTerms,
        AliasModel,
        Speculation,
        DomainOps,
        IndexOps,
        TensorOps
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        // The arithmetic of indices wraps at 64 bits.
        if LayoutSpec::of(&ctx, run.op().attrs).index_bits() != 64 {
            return Ok(());
        }
        let Some(tables) = Tables::of(&ctx) else { return Ok(()) };
        let sliced = run.each_body(|body| {
            let ops: Vec<Op> =
                body.walk().into_iter().filter(|&op| tables.reads_elements(body, op)).collect();
            ops.into_iter().filter_map(|op| slice_reads(body, &tables, op)).sum::<u64>()
        });
        run.count("num-sliced", sliced.into_iter().sum());
        Ok(())
    }
}

/// The services that the pass queries.
struct Tables<'c> {
    domains: &'c ServiceTable<dyn IterationDomain>,
    accesses: &'c ServiceTable<dyn ElementAccess>,
    aliases: &'c ServiceTable<dyn AliasModel>,
    terms: Option<&'c ServiceTable<dyn IndexTerms>>,
    speculation: SpeculationTable<'c>,
    domain_ops: &'c dyn DomainOps,
    index_ops: &'c dyn IndexOps,
    tensor_ops: &'c dyn TensorOps,
}

impl<'c> Tables<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            domains: ctx.service_table()?,
            accesses: ctx.service_table()?,
            aliases: ctx.service_table()?,
            terms: ctx.service_table(),
            speculation: SpeculationTable::new(ctx),
            domain_ops: <dyn DomainOps>::any(ctx)?,
            index_ops: <dyn IndexOps>::any(ctx)?,
            tensor_ops: <dyn TensorOps>::any(ctx)?,
        })
    }

    /// Whether an operation has a domain whose scalar computation reads elements of tensors.
    fn reads_elements(&self, body: &Body, op: Op) -> bool {
        let view = body.op(op);
        self.domains.get(view.kind()).is_some()
            && computation(body, op).iter().any(|&inner| self.element(body, inner).is_some())
    }

    /// The tensor and the indices of an element that an operation reads.
    fn element(&self, body: &Body, op: Op) -> Option<(Value, Vec<Value>)> {
        let view = body.op(op);
        let access = self.accesses.get(view.kind())?.access(view).filter(|access| access.stored.is_none())?;
        let tensor = view.operand(access.container);
        let indices = view.operands().skip(access.indices.start).take(access.indices.len()).collect();
        body.ty(tensor).is_tensor(body.context()).then_some((tensor, indices))
    }
}

/// The operations of the scalar computation, without those nested in them.
fn computation(body: &Body, op: Op) -> Vec<Op> {
    let mut regions = body.op(op).own_regions();
    let (Some(region), None) = (regions.next(), regions.next()) else { return Vec::new() };
    let entry = body.region(region).entry();
    entry.map_or_else(Vec::new, |entry| body.block(entry).ops().collect())
}

/// A slice that a domain reads.
#[derive(PartialEq)]
struct Slice {
    tensor: Value,
    /// The offset in each dimension.
    offsets: Vec<Linear>,
    /// The dimension of the domain whose indices are added to each offset; `None` for a single index.
    dims: Vec<Option<u32>>,
}

/// An operation over a domain.
struct Subject<'t, 'c> {
    tables: &'t Tables<'c>,
    over: OverDomain<'c>,
}

/// Replaces the reads of elements in an operation; returns how many.
fn slice_reads(body: &mut Body, tables: &Tables<'_>, op: Op) -> Option<u64> {
    let subject = Subject::of(body, tables, op)?;
    // A temporary copy provides the indices of the points as values.
    let (copy, indices) = subject.create(body, &[], &[])?;
    let found = subject.slices(body, copy, &indices);
    body.erase(copy);
    let mut slices: Vec<&Slice> = Vec::new();
    let replaced: Vec<Option<usize>> = found
        .iter()
        .map(|slice| {
            let slice = slice.as_ref()?;
            let known = slices.iter().position(|known| *known == slice);
            Some(known.unwrap_or_else(|| {
                slices.push(slice);
                slices.len() - 1
            }))
        })
        .collect();
    if slices.is_empty() {
        return None;
    }
    let reads: Vec<(Value, AffineMap)> = slices.iter().map(|slice| subject.take(body, slice)).collect();
    let (new, _) = subject.create(body, &reads, &replaced)?;
    match subject.copied(body, new, &reads) {
        // The operation only copies the slice: its uses read the slice instead.
        Some(slice) => {
            body.replace(op, &[slice]);
            body.erase(new);
        }
        None => {
            let results: Vec<Value> = body.op(new).results().collect();
            body.replace(op, &results);
        }
    }
    Some(replaced.iter().flatten().count() as u64)
}

impl<'t, 'c> Subject<'t, 'c> {
    fn of(body: &Body, tables: &'t Tables<'c>, op: Op) -> Option<Self> {
        Some(Self { tables, over: OverDomain::of(body, tables.domains, tables.aliases, op)? })
    }

    /// Creates the operation again, before it, with further reads. `replaced` has the number of the further read that replaces
    /// each read of an element in the scalar computation. Returns the indices of the domain in the new operation, too.
    fn create(
        &self,
        body: &mut Body,
        further: &[(Value, AffineMap)],
        replaced: &[Option<usize>],
    ) -> Option<(Op, FxHashMap<Value, u32>)> {
        let over = &self.over;
        let domain = over.domain_with(further);
        let ins: Vec<Value> = over.ins.iter().chain(further).map(|&(value, _)| value).collect();
        let own = over.ins.len();
        let mut indices = FxHashMap::default();
        let mut compute = |b: &mut Builder<'_>,
                           elements: &[Value],
                           index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value| {
            let mut named = |b: &mut Builder<'_>, dim: u32| {
                let value = index(b, dim);
                indices.insert(value, dim);
                value
            };
            let mut values = over.compute(b, elements, &mut named);
            let InsertionPoint::End(block) = b.insertion_point() else { return values };
            let ops: Vec<Op> = b.body().block(block).ops().collect();
            let read = ops.into_iter().filter(|&op| self.tables.element(b.body(), op).is_some());
            for (op, slice) in read.collect::<Vec<Op>>().into_iter().zip(replaced) {
                let Some(slice) = *slice else { continue };
                let (old, new) = (b.body().op(op).result(0), elements[own + slice]);
                values.iter_mut().filter(|value| **value == old).for_each(|value| *value = new);
                b.body_mut().replace(op, &[new]);
            }
            values
        };
        let loc = body.op(self.over.op).loc();
        let mut b = Builder::before(body, self.over.op).with_loc(loc);
        let op = self.tables.domain_ops.make(&mut b, &domain, &ins, &over.outs, &mut compute)?;
        Some((op, indices))
    }

    /// The slice that the operation created with these reads copies without a change; `None` if it computes anything else.
    fn copied(&self, body: &Body, new: Op, reads: &[(Value, AffineMap)]) -> Option<Value> {
        let (&[(slice, ref read)], [write]) = (reads, &self.over.domain.writes[..]) else { return None };
        let parallel = self.over.domain.iterator_types.iter().all(|&dim| dim == IteratorType::Parallel);
        let is_identity = *write == AffineMap::identity(read.dims) && read == write;
        let last = *computation(body, new).last()?;
        let element = body.block(body.op(last).block()?).args().next()?;
        let same_type = body.op(new).result_types().eq([body.ty(slice)]);
        let is_copy = self.over.ins.is_empty() && body.op(last).operands().eq([element]);
        (parallel && is_identity && same_type && is_copy).then_some(slice)
    }

    /// The slice for each read of an element in a copy of the operation. Numbers that a point computes from others outside are
    /// computed before the operation, too.
    fn slices(&self, body: &mut Body, copy: Op, indices: &FxHashMap<Value, u32>) -> Vec<Option<Slice>> {
        let mut forms: FxHashMap<Value, Linear> = FxHashMap::default();
        let mut hoisted = Mapping::new();
        let mut slices = Vec::new();
        for op in computation(body, copy) {
            if self.hoist(body, copy, op, &mut hoisted) {
                let number = body.op(op).result(0);
                forms.insert(number, Linear::invariant(hoisted.value(number)));
                continue;
            }
            let body = &*body;
            let view = body.op(op);
            let outer = |value: Value| <dyn LoopLike>::is_outside(body, copy, value);
            let linear = |value: Value| match constant_of(body, value)
                .and_then(|value| value.as_i64(body.context()))
            {
                Some(known) => Some(Linear::constant(known)),
                None if indices.contains_key(&value) => Some(Linear::index(value)),
                None if outer(value) => Some(Linear::invariant(value)),
                None => forms.get(&value).cloned(),
            };
            let term = self.tables.terms.and_then(|terms| terms.get(view.kind())?.term(view));
            let form = term.and_then(|term| Linear::of_term(term, linear));
            let read = self.tables.element(body, op).map(|(tensor, at)| {
                let at: Option<Vec<Linear>> = at.into_iter().map(linear).collect();
                at.filter(|_| outer(tensor)).and_then(|at| self.slice(body, tensor, at, indices))
            });
            slices.extend(read);
            if let Some(form) = form {
                forms.insert(view.result(0), form);
            }
        }
        slices
    }

    /// Copies a scalar computation on values outside of `copy` to before the operation; returns whether it is one.
    fn hoist(&self, body: &mut Body, copy: Op, op: Op, hoisted: &mut Mapping) -> bool {
        let view = body.op(op);
        let is_outside = |value| <dyn LoopLike>::is_outside(body, copy, hoisted.value(value));
        let is_number = view.n_results() == 1
            && view.n_regions() == 0
            && view
                .result_types()
                .all(|ty| ty == Type::INDEX || ty.integer_width(body.context()) == Some(64));
        if !is_number || view.n_operands() == 0 || !view.operands().all(is_outside) {
            return false;
        }
        if !self.tables.speculation.is_harmless(view) {
            return false;
        }
        body.clone_op(op, InsertionPoint::Before(self.over.op), hoisted);
        true
    }

    /// The slice from which each point of the domain reads one element.
    fn slice(
        &self,
        body: &Body,
        tensor: Value,
        at: Vec<Linear>,
        indices: &FxHashMap<Value, u32>,
    ) -> Option<Slice> {
        let (mut dims, mut offsets) = (Vec::new(), Vec::new());
        for mut form in at {
            let term = match &form.terms[..] {
                [] => None,
                [term] if term.constant == 1 && term.factor.is_none() => Some(*indices.get(&term.index)?),
                _ => return None,
            };
            form.terms.clear();
            dims.push(term);
            offsets.push(form);
        }
        let is_covered = |(dim, extent): (usize, &Extent)| {
            dims.contains(&Some(dim as u32)) || matches!(extent, Extent::Known(1..))
        };
        let shape = body.ty(tensor).shape(body.context())?;
        let is_inside = |((&extent, offset), dim): ((&i64, &Linear), &Option<u32>)| {
            let size = match dim.map(|dim| &self.over.domain.extents[dim as usize]) {
                None => 1,
                Some(Extent::Known(size)) => *size,
                Some(_) => 0,
            };
            let is_known = offset.invariants.is_empty();
            let end = offset.constant.checked_add(size);
            !is_known || offset.constant >= 0 && (extent == DYNAMIC || end.is_some_and(|end| end <= extent))
        };
        let fits = dims.iter().any(Option::is_some)
            && self.over.domain.extents.iter().enumerate().all(is_covered)
            && shape.iter().zip(&offsets).zip(&dims).all(is_inside);
        fits.then_some(Slice { tensor, offsets, dims })
    }

    /// Extracts a slice before the operation; returns it with the map by which the domain reads it.
    fn take(&self, body: &mut Body, slice: &Slice) -> (Value, AffineMap) {
        let Tables { index_ops, tensor_ops, .. } = *self.tables;
        let operands: Vec<Value> = body.op(self.over.op).operands().collect();
        let loc = body.op(self.over.op).loc();
        let mut b = Builder::before(body, self.over.op).with_loc(loc);
        let extents = &self.over.domain.extents;
        let size = |b: &mut Builder<'_>, dim: u32| {
            tensor_ops.extent_value(b, index_ops, extents[dim as usize], &operands)
        };
        let sizes: Vec<Option<Value>> =
            slice.dims.iter().map(|dim| dim.map(|dim| size(&mut b, dim))).collect();
        let offsets: Vec<Value> = slice.offsets.iter().map(|form| self.number(&mut b, form)).collect();
        let value = tensor_ops.slice(&mut b, slice.tensor, &offsets, &sizes);
        let kept: Vec<u32> = slice.dims.iter().copied().flatten().collect();
        (value, AffineMap::projection(self.over.domain.iterator_types.len() as u32, &kept))
    }

    /// A number from outside, of type `index`.
    fn number(&self, b: &mut Builder<'_>, form: &Linear) -> Value {
        let ops = self.tables.index_ops;
        let mut sum = None;
        for &(factor, value) in &form.invariants {
            let value = if b.ty(value) == Type::INDEX { value } else { ops.cast(b, value, Type::INDEX) };
            let term = match factor {
                1 => value,
                factor => {
                    let factor = ops.index(b, factor);
                    ops.mul(b, value, factor)
                }
            };
            sum = Some(sum.map_or(term, |sum| ops.add(b, sum, term)));
        }
        match (sum, form.constant) {
            (Some(sum), 0) => sum,
            (sum, constant) => {
                let constant = ops.index(b, constant);
                sum.map_or(constant, |sum| ops.add(b, sum, constant))
            }
        }
    }
}

//! Iteration domains of linalg operations, and producer fusion.

use crate::{Generic, Index, IteratorTypeAttr, structured};
use minoan_arith::{addi, constant_index, muli};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{
    Array, Attr, Block, BlockRef, Body, Builder, Context, Mapping, Op, OpDef, OpRef, OpState, Type, Value,
};
use minoan_memref::folding::with_props;
use minoan_services::{
    Domain, DomainOps, Extent, Fusion, IterationDomain, IteratorType, Producer, Read, Reading, ScalarBody,
};

/// The block of the scalar computation.
fn scalar_block(op: OpRef<'_>) -> Option<Block> {
    op.body().region(op.own_regions().next()?).entry()
}

/// The declared iterator types of a `linalg.generic`; `None` if malformed.
pub(crate) fn declared_iterator_types(op: OpRef<'_>) -> Option<Vec<IteratorType>> {
    let types = op.attr_value::<Array<IteratorTypeAttr>>("iterator_types")?;
    Some(types.iter().map(|iterator| iterator.value(op.context())).collect())
}

/// Creates the index of a dimension at the current point.
type MakeIndex<'a> = dyn FnMut(&mut Builder<'_>, u32) -> Value + 'a;

/// Copies the scalar computation to the insertion point and returns the values that it yields. `index` creates the
/// indices of the point, which replace `linalg.index`.
fn copy_scalars(b: &mut Builder<'_>, op: Op, mapping: &mut Mapping, index: &mut MakeIndex<'_>) -> Vec<Value> {
    let block = scalar_block(b.body().op(op)).expect("the operation has a scalar computation");
    let ops: Vec<Op> = b.body().block(block).ops().collect();
    let (&last, ops) = ops.split_last().expect("a block ends with a terminator");
    for &inner in ops {
        match b.body().op(inner).cast::<Index>().map(|index| index.dim(b.body())) {
            Some(dim) => {
                let from = b.body().op(inner).result(0);
                let to = index(b, dim as u32);
                mapping.map(from, to);
            }
            None => {
                let point = b.insertion_point();
                b.body_mut().clone_op(inner, point, mapping);
            }
        }
    }
    b.body().op(last).operands().map(|value| mapping.value(value)).collect()
}

/// The iteration domain of an operation on tensors whose region computes new elements at each point.
pub(crate) struct StructuredDomain;

impl IterationDomain for StructuredDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let (body, ctx) = (op.body(), op.context());
        let (maps, n_inputs) = (structured::maps(op)?, structured::n_inputs(op));
        if maps.len() != op.n_operands() || op.n_results() != op.n_operands() - n_inputs {
            return None;
        }
        let block = body.block(scalar_block(op)?);
        // An index inside a nested operation would need the point there.
        if indexes_inside(body, block.ops().collect()) || op.operand_types().any(|ty| ty.is_memref(ctx)) {
            return None;
        }
        let is_read = |&(operand, _): &(usize, &AffineMap)| is_read(op, n_inputs, &block, operand);
        let reads = maps.iter().enumerate().filter(is_read);
        let iterator_types = structured::iterator_types(op)?;
        Some(Domain {
            extents: Extent::of_maps(op, iterator_types.len(), maps.iter().enumerate())?,
            iterator_types,
            reads: reads.map(|(operand, map)| Read::new(operand, map.clone())).collect(),
            writes: maps[n_inputs..].to_vec(),
        })
    }

    fn is_reduction(&self, op: OpRef<'_>) -> bool {
        structured::iterator_types(op).is_some_and(|types| types.contains(&IteratorType::Reduction))
    }

    fn uses_indices(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        let mut ops = scalar_block(op).into_iter().flat_map(|block| body.block(block).ops());
        ops.any(|inner| body.op(inner).is::<Index>())
    }

    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let (body, view) = (b.body(), b.body().op(op));
        let block = body.block(scalar_block(view).expect("the operation has a domain"));
        let (mut mapping, n_inputs) = (Mapping::new(), structured::n_inputs(view));
        let read = (0..block.n_args()).filter(|&operand| is_read(view, n_inputs, &block, operand));
        for (operand, &element) in read.zip(elements) {
            mapping.map(block.arg(operand), element);
        }
        copy_scalars(b, op, &mut mapping, index)
    }
}

/// Whether a result depends on the elements of an operand.
fn is_read(op: OpRef<'_>, n_inputs: usize, block: &BlockRef<'_>, operand: usize) -> bool {
    if operand < n_inputs {
        op.body().is_used(block.arg(operand))
    } else {
        structured::reads_output(op, operand)
    }
}

/// Whether an operation nested in others uses an index of the point.
fn indexes_inside(body: &Body, ops: Vec<Op>) -> bool {
    let inside = |op: Op| {
        let regions = body.op(op).own_regions();
        regions.flat_map(|region| body.region(region).blocks()).flat_map(|block| body.block(block).ops())
    };
    let mut pending: Vec<Op> = ops.into_iter().flat_map(inside).collect();
    while let Some(op) = pending.pop() {
        if body.op(op).is::<Index>() {
            return true;
        }
        pending.extend(inside(op));
    }
    false
}

/// Fuses producers into the `linalg.generic` operations that read their results. The reader's scalar computation is
/// moved as a block, and only the producer's is copied: a step takes time proportional to the producer's operations and
/// the reader's operands.
pub(crate) struct FuseIntoGeneric;

/// The `linalg.generic` that results from fusing a producer into a reader. Maps are attribute handles: a reader may
/// have hundreds of operands.
struct Plan {
    /// For each dimension of the producer, its expression in dimensions of the reader.
    becomes: Vec<AffineExpr>,
    /// The operands that the producer computes, in ascending order.
    computed: Vec<usize>,
    /// The other inputs of the reader, followed by those of the producer.
    inputs: Vec<Value>,
    /// The maps of the inputs and outputs.
    maps: Vec<Attr>,
    /// The number of inputs that are the reader's.
    kept: usize,
    /// For each read of the producer, the number of its input.
    places: Vec<usize>,
}

impl Plan {
    fn of(body: &Body, op: Op, operand: usize, producer: Producer<'_>) -> Result<Self, String> {
        let (generic, ctx) = (Generic::from_op_unchecked(op), body.context());
        let (all, own) = (generic.inputs(body), map_attrs(body, op));
        if operand >= all.len() {
            return Err("the operand is an output".to_owned());
        }
        if generic.library_call(body).is_some() {
            return Err("the operation represents a library call".to_owned());
        }
        let n_dims = structured::iterator_types(body.op(op)).ok_or("the dimensions are unknown")?.len();
        let there = producer.domain.dimensions_of_element(producer.result);
        let there = there.ok_or("an element is not computed at a single point")?;
        let (value, map) = (all[operand], own[operand]);
        let read_at = map.as_affine_map(ctx).ok_or("its maps do not fit")?;
        let mut becomes = vec![AffineExpr::Constant(0); there.len()];
        for (&dim, expr) in there.iter().zip(&read_at.results) {
            becomes[dim as usize] = expr.clone();
        }
        let is_computed = |at: &usize| all[*at] == value && own[*at] == map;
        let computed: Vec<usize> = (0..all.len()).filter(is_computed).collect();
        let others = (0..all.len()).filter(|at| !is_computed(at));
        let (mut inputs, mut maps): (Vec<Value>, Vec<Attr>) = others.map(|at| (all[at], own[at])).unzip();
        let kept = inputs.len();
        let mut places = Vec::with_capacity(producer.domain.reads.len());
        for read in &producer.domain.reads {
            let source = body.op(producer.op).operand(read.operand);
            let results = read.map.results.iter().map(|expr| expr.substitute(&becomes));
            let results = results.collect::<Option<_>>().ok_or("its maps do not fit")?;
            let map = Attr::affine_map(ctx, AffineMap { dims: n_dims as u32, symbols: 0, results });
            let known = inputs.iter().zip(&maps).position(|known| known == (&source, &map));
            places.push(known.unwrap_or(inputs.len()));
            if known.is_none() {
                inputs.push(source);
                maps.push(map);
            }
        }
        maps.extend(&own[all.len()..]);
        have_extents(ctx, n_dims, &maps)?;
        if becomes.iter().any(|expr| !can_make(expr)) {
            return Err("the indexing map is not a sum of dimensions".to_owned());
        }
        Ok(Self { becomes, computed, inputs, maps, kept, places })
    }
}

/// The maps of the operands of a `linalg.generic`.
pub(crate) fn map_attrs(body: &Body, op: Op) -> &[Attr] {
    Generic::from_op_unchecked(op).indexing_maps(body).attrs()
}

/// Checks that the maps of operands determine the extent of each dimension.
pub(crate) fn have_extents(ctx: &Context, n_dims: usize, maps: &[Attr]) -> Result<(), String> {
    let has_extent = |dim: u32| {
        let mut maps = maps.iter().filter_map(|map| map.as_affine_map(ctx));
        maps.any(|map| map.results.contains(&AffineExpr::Dim(dim)))
    };
    match (0..n_dims as u32).find(|&dim| !has_extent(dim)) {
        Some(dim) => Err(format!("no other operand determines the extent of dimension {dim}")),
        None => Ok(()),
    }
}

/// A `linalg.generic` with other inputs and with these maps of all operands, whose region is empty.
pub(crate) fn with_inputs(op: OpRef<'_>, inputs: &[Value], maps: &[Attr]) -> OpState {
    let (body, ctx) = (op.body(), op.context());
    let outputs = Generic::from_op_unchecked(op.id()).outputs(body);
    let segments = [inputs.len() as i32, outputs.len() as i32];
    let changed =
        [("indexing_maps", Attr::array(ctx, maps)), ("operandSegmentSizes", Attr::dense_i32(ctx, &segments))];
    let results: Vec<Type> = op.result_types().collect();
    let state = OpState::new(op.kind()).operands(inputs).operands(&outputs).results(&results);
    state.props(with_props(ctx, op.props(), &changed)).attrs(op.attrs()).loc(op.loc()).regions(1)
}

/// Whether [`make`] supports an expression.
fn can_make(expr: &AffineExpr) -> bool {
    match expr {
        AffineExpr::Dim(_) | AffineExpr::Constant(_) => true,
        AffineExpr::Binary(AffineOp::Add | AffineOp::Mul, lhs, rhs) => can_make(lhs) && can_make(rhs),
        AffineExpr::Symbol(_) | AffineExpr::Binary(..) => false,
    }
}

/// Materializes an expression of the point's indices.
fn make(b: &mut Builder<'_>, expr: &AffineExpr) -> Value {
    match expr {
        AffineExpr::Dim(dim) => Index::build(b, i64::from(*dim)).result(b.body()),
        AffineExpr::Constant(number) => constant_index(b, *number),
        AffineExpr::Binary(op, lhs, rhs) => {
            let (lhs, rhs) = (make(b, lhs), make(b, rhs));
            if *op == AffineOp::Add { addi(b, lhs, rhs) } else { muli(b, lhs, rhs) }
        }
        AffineExpr::Symbol(_) => unreachable!("a plan has no symbols"),
    }
}

/// The extent of a dimension of a `linalg.generic`, if static.
pub(crate) fn extent_of(body: &Body, op: Op, dim: u32) -> Option<u64> {
    let ctx = body.context();
    map_attrs(body, op).iter().zip(body.op(op).operand_types()).find_map(|(map, ty)| {
        let results = &map.as_affine_map(ctx)?.results;
        let at = results.iter().position(|expr| *expr == AffineExpr::Dim(dim))?;
        u64::try_from(*ty.shape(ctx)?.get(at)?).ok()
    })
}

/// The number of times that each element of an operand is read: once for each point of the dimensions that its map
/// drops; otherwise the average over all elements.
fn repeated(body: &Body, op: Op, operand: usize) -> Option<u64> {
    let map = map_attrs(body, op)[operand].as_affine_map(body.context())?;
    let product = |keep: &dyn Fn(u32) -> bool| {
        let mut dims = (0..map.dims).filter(|&dim| keep(dim));
        dims.try_fold(1u64, |product, dim| product.checked_mul(extent_of(body, op, dim)?))
    };
    match map.as_projection() {
        Some(keep) => product(&|dim| !keep.contains(&dim)),
        None => {
            let ty = body.ty(body.op(op).operand(operand));
            let extents = ty.shape(body.context())?.iter().map(|&extent| u64::try_from(extent).ok());
            let elements: u64 = extents.collect::<Option<Vec<u64>>>()?.into_iter().product();
            Some(product(&|_| true)?.div_ceil(elements.max(1)))
        }
    }
}

impl Fusion for FuseIntoGeneric {
    fn reading(
        &self,
        body: &Body,
        op: Op,
        operand: usize,
        producer: Producer<'_>,
    ) -> Result<Reading, String> {
        let plan = Plan::of(body, op, operand, producer)?;
        Ok(Reading { times: repeated(body, op, operand), element: None, operands: plan.computed })
    }

    fn fuse(&self, body: &mut Body, op: Op, operand: usize, producer: Producer<'_>) -> Option<Vec<Op>> {
        let Plan { becomes, computed, inputs, maps, kept, places } =
            Plan::of(body, op, operand, producer).ok()?;
        let ctx = body.context().clone();
        let outputs = Generic::from_op_unchecked(op).outputs(body);
        let view = body.op(op);
        let block = scalar_block(view)?;
        let state = with_inputs(view, &inputs, &maps);
        let old: Vec<Value> = body.block(block).args().collect();
        let (from, loc) = (view.region(0), state.loc);
        let fused = Builder::before(body, op).with_loc(loc).create(state);
        // The block is reused, so that the time does not depend on the number of operations of the reader.
        let to = body.op(fused).region(0);
        body.move_blocks(from, to);
        let (kept_args, dropped): (Vec<usize>, Vec<usize>) =
            (0..old.len() - outputs.len()).partition(|at| !computed.contains(at));
        let mut add = |value: &Value| {
            let ty = body.ty(*value).element_or_self(&ctx);
            body.add_arg(block, ty, loc)
        };
        let new_inputs: Vec<Value> = inputs[kept..].iter().map(&mut add).collect();
        let new_outputs: Vec<Value> = outputs.iter().map(&mut add).collect();
        let args: Vec<Value> = kept_args.iter().map(|&at| old[at]).chain(new_inputs).collect();
        let first = body.block(block).first()?;
        let mut b = Builder::before(body, first).with_loc(loc);
        let mut index = |b: &mut Builder<'_>, dim: u32| make(b, &becomes[dim as usize]);
        let elements: Vec<Value> = places.iter().map(|&place| args[place]).collect();
        let values = producer.service.compute(&mut b, producer.op, &elements, &mut index);
        for &at in &dropped {
            body.replace_all_uses(old[at], values[producer.result]);
        }
        for (&before, after) in old[old.len() - outputs.len()..].iter().zip(new_outputs) {
            body.replace_all_uses(before, after);
        }
        // From the last one, since erasing an argument renumbers those after it.
        let outputs_before = old.len() - outputs.len()..old.len();
        for at in dropped.into_iter().chain(outputs_before).rev() {
            body.erase_arg(block, at);
        }
        let results: Vec<Value> = body.op(fused).results().collect();
        body.replace(op, &results);
        Some(vec![fused])
    }
}

/// Creates `linalg.generic` operations.
pub(crate) struct Generics;

impl DomainOps for Generics {
    fn make(
        &self,
        b: &mut Builder<'_>,
        domain: &Domain,
        ins: &[Value],
        outs: &[Value],
        body: &mut ScalarBody<'_>,
    ) -> Option<Op> {
        let maps: Vec<AffineMap> =
            domain.reads.iter().map(|read| &read.map).chain(&domain.writes).cloned().collect();
        let dims = domain.iterator_types.len() as u32;
        let has_extent = |dim: u32| maps.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        let fits = ins.len() == domain.reads.len() && outs.len() == domain.writes.len();
        if domain.has_padding() || !fits || !(0..dims).all(has_extent) {
            return None;
        }
        let mut index = |b: &mut Builder<'_>, dim: u32| make(b, &AffineExpr::Dim(dim));
        let generic = Generic::with(b, ins, outs, &maps, &domain.iterator_types, |b, elements| {
            body(b, elements, &mut index)
        });
        Some(generic.op())
    }
}

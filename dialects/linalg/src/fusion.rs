//! Iteration domains of linalg operations, and producer fusion.

use crate::{Generic, Index, IteratorTypeAttr, structured};
use minoan_arith::{addi, constant_index, muli};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, Block, Body, Builder, Mapping, Op, OpDef, OpRef, Value};
use minoan_services::{Domain, Fusion, IterationDomain, IteratorType, Producer, Read, Reading};

/// The block of the scalar computation.
fn scalar_block(op: OpRef<'_>) -> Option<Block> {
    op.body().region(op.regions().next()?).entry()
}

/// The declared iterator types of a `linalg.generic`; `None` if malformed.
pub(crate) fn declared_iterator_types(op: OpRef<'_>) -> Option<Vec<IteratorType>> {
    let ctx = op.context();
    let attrs = Generic::from_op_unchecked(op.id()).iterator_types(op.body()).as_array(ctx)?;
    let walk = |&attr: &Attr| match attr {
        attr if attr == IteratorTypeAttr::Parallel.attr(ctx) => Some(IteratorType::Parallel),
        attr if attr == IteratorTypeAttr::Reduction.attr(ctx) => Some(IteratorType::Reduction),
        _ => None,
    };
    attrs.iter().map(walk).collect()
}

/// Creates the index of a dimension at the current point.
type MakeIndex<'a> = dyn FnMut(&mut Builder<'_>, u32) -> Value + 'a;

/// Clones the scalar computation and returns the values that it yields. `index` creates the indices; `None` keeps
/// `linalg.index` operations.
fn copy_scalars(
    b: &mut Builder<'_>,
    op: Op,
    mapping: &mut Mapping,
    mut index: Option<&mut MakeIndex<'_>>,
) -> Vec<Value> {
    let ctx = b.context();
    let block = scalar_block(b.body().op(op)).expect("the operation has a scalar computation");
    let ops: Vec<Op> = b.body().block(block).ops().collect();
    let (&last, ops) = ops.split_last().expect("a block ends with a terminator");
    for &inner in ops {
        let dim = b.body().op(inner).cast::<Index>().map(|index| index.dim(b.body()).as_i64(&ctx));
        match (dim, &mut index) {
            (Some(Some(dim)), Some(index)) => {
                let from = b.body().op(inner).result(0);
                let to = index(b, dim as u32);
                mapping.map(from, to);
            }
            _ => {
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
        let nested = |inner: Op| body.op(inner).n_regions() > 0;
        if block.ops().any(nested) || op.operand_types().any(|ty| ty.is_memref(ctx)) {
            return None;
        }
        let is_read = |&(operand, _): &(usize, &AffineMap)| body.is_used(block.arg(operand));
        let reads = maps.iter().enumerate().filter(is_read);
        Some(Domain {
            iterator_types: structured::iterator_types(op)?,
            reads: reads.map(|(operand, map)| Read { operand, map: map.clone() }).collect(),
            writes: maps[n_inputs..].to_vec(),
        })
    }

    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        elements: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let body = b.body();
        let block = body.block(scalar_block(body.op(op)).expect("the operation has a domain"));
        let mut mapping = Mapping::new();
        let read = block.args().filter(|&arg| body.is_used(arg));
        for (arg, &element) in read.zip(elements) {
            mapping.map(arg, element);
        }
        copy_scalars(b, op, &mut mapping, Some(index))
    }
}

/// Fuses the producer of an input into a `linalg.generic`, for any indexing map.
pub(crate) struct FuseIntoGeneric;

/// The `linalg.generic` that results from fusing a producer.
struct Plan {
    /// The producer's dimensions as expressions of the consumer's dimensions.
    becomes: Vec<AffineExpr>,
    /// The operands that the producer defines.
    computed: Vec<usize>,
    /// The remaining inputs, followed by the producer's operands.
    inputs: Vec<Value>,
    maps: Vec<AffineMap>,
    /// The number of the consumer's inputs that remain.
    kept: usize,
    /// The input that each operand of the producer corresponds to.
    places: Vec<usize>,
    iterator_types: Vec<IteratorType>,
}

impl Plan {
    fn of(body: &Body, op: Op, operand: usize, producer: Producer<'_>) -> Result<Self, String> {
        let generic = Generic::from_op_unchecked(op);
        let (mut inputs, mut maps) = (generic.inputs(body), generic.maps(body));
        if operand >= inputs.len() {
            return Err("the operand is an output".to_owned());
        }
        if generic.library_call(body).is_some() {
            return Err("the operation represents a library call".to_owned());
        }
        let iterator_types = structured::iterator_types(body.op(op)).ok_or("the dimensions are unknown")?;
        let there = producer.domain.dimensions_of_element(producer.result);
        let there = there.ok_or("an element is not computed at a single point")?;
        let (value, map) = (inputs[operand], maps[operand].clone());
        let mut becomes = vec![AffineExpr::Constant(0); there.len()];
        for (&dim, expr) in there.iter().zip(&map.results) {
            becomes[dim as usize] = expr.clone();
        }
        let computed: Vec<usize> =
            (0..inputs.len()).filter(|&at| inputs[at] == value && maps[at] == map).collect();
        for &at in computed.iter().rev() {
            inputs.remove(at);
            maps.remove(at);
        }
        let kept = inputs.len();
        let mut places = Vec::with_capacity(producer.domain.reads.len());
        for read in &producer.domain.reads {
            let source = body.op(producer.op).operand(read.operand);
            let results = read.map.results.iter().map(|expr| expr.substitute(&becomes));
            let results = results.collect::<Option<_>>().ok_or("the indexing maps do not match")?;
            let map = AffineMap { dims: iterator_types.len() as u32, symbols: 0, results };
            let known = inputs.iter().zip(&maps).position(|(&input, other)| input == source && *other == map);
            places.push(known.unwrap_or(inputs.len()));
            if known.is_none() {
                maps.insert(inputs.len(), map);
                inputs.push(source);
            }
        }
        let has_extent = |dim: u32| maps.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        if let Some(dim) = (0..iterator_types.len() as u32).find(|&dim| !has_extent(dim)) {
            return Err(format!("no other operand determines the extent of dimension {dim}"));
        }
        if becomes.iter().any(|expr| !can_make(expr)) {
            return Err("the indexing map is not a sum of dimensions".to_owned());
        }
        Ok(Self { becomes, computed, inputs, maps, kept, places, iterator_types })
    }
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
        AffineExpr::Dim(dim) => {
            let ctx = b.context();
            Index::build(b, Attr::i64(&ctx, i64::from(*dim))).result(b.body())
        }
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
    let maps = Generic::from_op_unchecked(op).maps(body);
    maps.iter().zip(body.op(op).operand_types()).find_map(|(map, ty)| {
        let at = map.results.iter().position(|expr| *expr == AffineExpr::Dim(dim))?;
        u64::try_from(*ty.shape(ctx)?.get(at)?).ok()
    })
}

/// The number of times that each element of an operand is read: once for each point of the dimensions that its map
/// drops; otherwise the average over all elements.
fn repeated(body: &Body, op: Op, operand: usize) -> Option<u64> {
    let map = &Generic::from_op_unchecked(op).maps(body)[operand];
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
        let Plan { becomes, computed, inputs, maps, kept, places, iterator_types } =
            Plan::of(body, op, operand, producer).ok()?;
        let iterators: Vec<IteratorTypeAttr> = iterator_types
            .iter()
            .map(|walk| match walk {
                IteratorType::Parallel => IteratorTypeAttr::Parallel,
                IteratorType::Reduction => IteratorTypeAttr::Reduction,
            })
            .collect();
        let old: Vec<Value> = {
            let block = scalar_block(body.op(op))?;
            body.block(block).args().collect()
        };
        let outputs = Generic::from_op_unchecked(op).outputs(body);
        let attrs = body.op(op).attrs();
        let loc = body.op(op).loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let n_inputs = inputs.len();
        let fused = Generic::with(&mut b, &inputs, &outputs, &maps, &iterators, |b, args| {
            let mut index = |b: &mut Builder<'_>, dim: u32| make(b, &becomes[dim as usize]);
            let elements: Vec<Value> = places.iter().map(|&place| args[place]).collect();
            let values = producer.answer.compute(b, producer.op, &elements, &mut index);
            let mut mapping = Mapping::new();
            let mut others = args[..kept].iter().chain(&args[n_inputs..]);
            for (at, &from) in old.iter().enumerate() {
                match computed.contains(&at) {
                    true => mapping.map(from, values[producer.result]),
                    false => mapping.map(from, *others.next().expect("an argument for each operand")),
                }
            }
            copy_scalars(b, op, &mut mapping, None)
        });
        body.set_attrs(fused.op(), attrs);
        let results: Vec<Value> = body.op(fused.op()).results().collect();
        body.replace(op, &results);
        Some(vec![fused.op()])
    }
}

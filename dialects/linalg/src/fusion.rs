//! The iteration domains, and what can be taken into them.

use crate::{Generic, Index, IteratorTypeAttr, structured};
use minoan_arith::{addi, constant_index, muli};
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, Block, Body, Builder, Mapping, Op, OpDef, OpRef, Value};
use minoan_services::{Domain, Fusion, IterationDomain, IteratorType, Producer, Read, Reading};

/// The block of the scalar computation.
fn scalar_block(op: OpRef<'_>) -> Option<Block> {
    op.body().region(op.regions().next()?).entry()
}

/// How each dimension of a `linalg.generic` is walked; `None` where an attribute says something else.
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

/// Makes an index of the point.
type MakeIndex<'a> = dyn FnMut(&mut Builder<'_>, u32) -> Value + 'a;

/// Copies the scalar computation, and gives what it yields. `index` gives the point's indices; `None` keeps
/// `linalg.index` as it is.
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

/// An operation on tensors with a region that computes new elements at each point.
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

/// `linalg.generic` takes in what computes an input, wherever it reads it.
pub(crate) struct FuseIntoGeneric;

/// A `linalg.generic` with a producer in it, to be.
struct Plan {
    /// By dimension of the producer: what it is, in dimensions of the reader.
    becomes: Vec<AffineExpr>,
    /// The operands that the producer computes.
    computed: Vec<usize>,
    /// The other inputs, and what the producer reads.
    inputs: Vec<Value>,
    maps: Vec<AffineMap>,
    /// How many of the inputs the reader had.
    kept: usize,
    /// By read of the producer: which input it is.
    places: Vec<usize>,
    iterator_types: Vec<IteratorType>,
}

impl Plan {
    fn of(body: &Body, op: Op, operand: usize, producer: Producer<'_>) -> Result<Self, String> {
        let generic = Generic::from_op_unchecked(op);
        let (mut inputs, mut maps) = (generic.inputs(body), generic.maps(body));
        if operand >= inputs.len() {
            return Err("it is what the operation updates".to_owned());
        }
        if generic.library_call(body).is_some() {
            return Err("the operation stands for a call of a library".to_owned());
        }
        let iterator_types = structured::iterator_types(body.op(op)).ok_or("its dimensions are not known")?;
        let there = producer.domain.dimensions_of_element(producer.result);
        let there = there.ok_or("an element is not computed at one point")?;
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
            let results = results.collect::<Option<_>>().ok_or("its maps do not fit")?;
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
            return Err(format!("nothing else would say how far dimension {dim} goes"));
        }
        if becomes.iter().any(|expr| !can_make(expr)) {
            return Err("it is read at places that are no sums of indices".to_owned());
        }
        Ok(Self { becomes, computed, inputs, maps, kept, places, iterator_types })
    }
}

/// Whether [`make`] makes an expression.
fn can_make(expr: &AffineExpr) -> bool {
    match expr {
        AffineExpr::Dim(_) | AffineExpr::Constant(_) => true,
        AffineExpr::Binary(AffineOp::Add | AffineOp::Mul, lhs, rhs) => can_make(lhs) && can_make(rhs),
        AffineExpr::Symbol(_) | AffineExpr::Binary(..) => false,
    }
}

/// Computes an expression over the indices of the point.
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

/// How many points a dimension of a `linalg.generic` has, where that is known.
pub(crate) fn extent_of(body: &Body, op: Op, dim: u32) -> Option<u64> {
    let ctx = body.context();
    let maps = Generic::from_op_unchecked(op).maps(body);
    maps.iter().zip(body.op(op).operand_types()).find_map(|(map, ty)| {
        let at = map.results.iter().position(|expr| *expr == AffineExpr::Dim(dim))?;
        u64::try_from(*ty.shape(ctx)?.get(at)?).ok()
    })
}

/// How often an element of an operand is read: at a point of each dimension that its map leaves out, or on average as
/// often as there are more points than elements.
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

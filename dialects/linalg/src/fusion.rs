//! The iteration domains, and what can be taken into them.

use crate::{Generic, Index, IteratorType, structured};
use minoan_ir::affine::{AffineExpr, AffineMap};
use minoan_ir::{Attr, Block, Body, Builder, Mapping, Op, OpDef, OpRef, Value};
use minoan_services::{Domain, Fusion, IterationDomain, Producer, Read, Walk, permutation};

/// The block of the scalar computation.
fn scalar_block(op: OpRef<'_>) -> Option<Block> {
    op.body().region(op.regions().next()?).entry()
}

/// How each dimension of a `linalg.generic` is walked; `None` where an attribute says something else.
pub(crate) fn declared_walks(op: OpRef<'_>) -> Option<Vec<Walk>> {
    let ctx = op.context();
    let attrs = Generic::from_op_unchecked(op.id()).iterator_types(op.body()).as_array(ctx)?;
    let walk = |&attr: &Attr| match attr {
        attr if attr == IteratorType::Parallel.attr(ctx) => Some(Walk::Parallel),
        attr if attr == IteratorType::Reduction.attr(ctx) => Some(Walk::Reduction),
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
                let point = b.point();
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
            walks: structured::walks(op)?,
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

/// `linalg.generic` takes in what computes an input that it reads once at each of its points.
pub(crate) struct FuseIntoGeneric;

impl Fusion for FuseIntoGeneric {
    fn fuse(&self, body: &mut Body, op: Op, operand: usize, producer: Producer<'_>) -> Option<Vec<Op>> {
        let generic = Generic::from_op_unchecked(op);
        let (mut inputs, outputs) = (generic.inputs(body), generic.outputs(body));
        let mut maps = generic.maps(body);
        if operand >= inputs.len() || generic.library_call(body).is_some() {
            return None;
        }
        let walks = structured::walks(body.op(op))?;
        let here = permutation(&maps[operand])?;
        let there = producer.domain.dimensions_of_element(producer.result)?;
        // By dimension of the producer: the dimension of this operation that it becomes.
        let mut becomes = vec![0; there.len()];
        for (&dim, &to) in there.iter().zip(&here) {
            becomes[dim as usize] = to;
        }
        inputs.remove(operand);
        maps.remove(operand);
        let kept = inputs.len();
        // By read of the producer: which input it is.
        let mut places = Vec::with_capacity(producer.domain.reads.len());
        for read in &producer.domain.reads {
            let keep: Vec<u32> =
                read.map.as_projection()?.into_iter().map(|dim| becomes[dim as usize]).collect();
            let source = body.op(producer.op).operand(read.operand);
            let map = AffineMap::projection(walks.len() as u32, &keep);
            let known = inputs.iter().zip(&maps).position(|(&input, other)| input == source && *other == map);
            places.push(known.unwrap_or(inputs.len()));
            if known.is_none() {
                maps.insert(inputs.len(), map);
                inputs.push(source);
            }
        }
        let has_extent = |dim: u32| maps.iter().any(|map| map.results.contains(&AffineExpr::Dim(dim)));
        if !(0..walks.len() as u32).all(has_extent) {
            return None;
        }
        let iterators: Vec<IteratorType> = walks
            .iter()
            .map(|walk| match walk {
                Walk::Parallel => IteratorType::Parallel,
                Walk::Reduction => IteratorType::Reduction,
            })
            .collect();
        let old: Vec<Value> = {
            let block = scalar_block(body.op(op))?;
            body.block(block).args().collect()
        };
        let attrs = body.op(op).attrs();
        let loc = body.op(op).loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let n_inputs = inputs.len();
        let fused = Generic::with(&mut b, &inputs, &outputs, &maps, &iterators, |b, args| {
            let mut index = |b: &mut Builder<'_>, dim: u32| {
                let ctx = b.context();
                Index::build(b, Attr::i64(&ctx, i64::from(becomes[dim as usize]))).result(b.body())
            };
            let elements: Vec<Value> = places.iter().map(|&place| args[place]).collect();
            let values = producer.answer.compute(b, producer.op, &elements, &mut index);
            let mut mapping = Mapping::new();
            let others = args[..kept].iter().chain(&args[n_inputs..]);
            let (before, after) = (&old[..operand], &old[operand + 1..]);
            for (&from, &to) in before.iter().chain(after).zip(others) {
                mapping.map(from, to);
            }
            mapping.map(old[operand], values[producer.result]);
            copy_scalars(b, op, &mut mapping, None)
        });
        body.set_attrs(fused.op(), attrs);
        let results: Vec<Value> = body.op(fused.op()).results().collect();
        body.replace(op, &results);
        Some(vec![fused.op()])
    }
}

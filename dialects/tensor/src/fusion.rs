//! Iteration domains of tensor operations, and producer fusion.

use crate::Extract;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Body, Builder, DYNAMIC, Mapping, Op, OpDef, OpRef, Value};
use minoan_memref::slices::numbers;
use minoan_services::{
    Domain, Extent, Fusion, IterationDomain, IteratorType, Lanes, Producer, Read, Reading, VectorForm,
    constant_of,
};

/// The iteration domain of `tensor.generate`.
pub(crate) struct GenerateDomain;

impl IterationDomain for GenerateDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let rank = op.result_types().next()?.rank(op.context())? as u32;
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; rank as usize],
            extents: Extent::of_result(op, 0)?,
            reads: Vec::new(),
            writes: vec![AffineMap::identity(rank)],
        })
    }

    fn uses_indices(&self, op: OpRef<'_>) -> bool {
        let body = op.body();
        let entry = op.own_regions().next().and_then(|region| body.region(region).entry());
        entry.is_some_and(|entry| body.block(entry).args().any(|arg| body.is_used(arg)))
    }

    fn compute(
        &self,
        b: &mut Builder<'_>,
        op: Op,
        _: &[Value],
        index: &mut dyn FnMut(&mut Builder<'_>, u32) -> Value,
    ) -> Vec<Value> {
        let region = b.body().op(op).region(0);
        let block = b.body().region(region).entry().expect("a verified region has a block");
        let (args, ops): (Vec<Value>, Vec<Op>) =
            (b.body().block(block).args().collect(), b.body().block(block).ops().collect());
        let mut mapping = Mapping::new();
        for (dim, &arg) in args.iter().enumerate() {
            if b.body().is_used(arg) {
                let at = index(b, dim as u32);
                mapping.map(arg, at);
            }
        }
        let (&last, ops) = ops.split_last().expect("a block ends with a terminator");
        for &inner in ops {
            let point = b.insertion_point();
            b.body_mut().clone_op(inner, point, &mut mapping);
        }
        b.body().op(last).operands().map(|value| mapping.value(value)).collect()
    }
}

/// The iteration domain of a `tensor.pad` by static low widths with a constant: a copy that reads the padding element
/// outside of its source.
pub(crate) struct PadDomain;

impl IterationDomain for PadDomain {
    fn domain(&self, op: OpRef<'_>) -> Option<Domain> {
        let (body, ctx) = (op.body(), op.context());
        let (low, high) = (numbers(op, "static_low"), numbers(op, "static_high"));
        let entry = body.region(op.own_regions().next()?).entry()?;
        let outside = constant_of(body, body.op(body.block(entry).last()?).operands().next()?)?;
        let rank = u32::try_from(low.len()).ok()?;
        let shape = op.result_types().next()?.shape(ctx)?;
        let sources = body.ty(op.operand(0)).shape(ctx)?;
        if low.contains(&DYNAMIC) || shape.len() != low.len() || sources.len() != low.len() {
            return None;
        }
        let extent = |dim: usize| match (shape[dim], low[dim], *high.get(dim)?) {
            (DYNAMIC, 0, 0) => Some(Extent::Of { operand: 0, dim }),
            (DYNAMIC, low @ 0.., high @ 0..) => {
                Some(Extent::Plus { operand: 0, dim, by: low.checked_add(high)? })
            }
            (DYNAMIC, ..) => None,
            (known, ..) => Some(Extent::Known(known)),
        };
        let at = |dim: u32| {
            let is_whole = low[dim as usize] == 0 && high.get(dim as usize) == Some(&0);
            if is_whole {
                return AffineExpr::Dim(dim);
            }
            // Not simplified: after the padding the index is out of bounds of the source, too.
            let low = AffineExpr::Constant(low[dim as usize].wrapping_neg());
            AffineExpr::Binary(AffineOp::Add, Box::new(AffineExpr::Dim(dim)), Box::new(low))
        };
        let map = AffineMap { dims: rank, symbols: 0, results: (0..rank).map(at).collect() };
        Some(Domain {
            iterator_types: vec![IteratorType::Parallel; low.len()],
            extents: (0..low.len()).map(extent).collect::<Option<_>>()?,
            reads: vec![Read { operand: 0, map, outside: Some(outside) }],
            writes: vec![AffineMap::identity(rank)],
        })
    }
}

/// Fuses the producer of a `tensor.extract` by computing only the extracted element.
pub(crate) struct FuseIntoExtract;

impl Fusion for FuseIntoExtract {
    fn reading(
        &self,
        body: &Body,
        op: Op,
        operand: usize,
        producer: Producer<'_>,
    ) -> Result<Reading, String> {
        if operand != 0 {
            return Err("the operand is an index, not a tensor".to_owned());
        }
        producer
            .domain
            .dimensions_of_element(producer.result)
            .ok_or("an element is not computed at a single point")?;
        if producer.domain.reads.iter().any(|read| read.map.as_projection().is_none()) {
            return Err("the indexing map is not a projection".to_owned());
        }
        let indices = Extract::from_op_unchecked(op).indices(body);
        Ok(Reading { times: Some(1), element: Some(indices), operands: vec![0] })
    }

    fn fuse(&self, body: &mut Body, op: Op, operand: usize, producer: Producer<'_>) -> Option<Vec<Op>> {
        let extract = Extract::from_op_unchecked(op);
        if operand != 0 {
            return None;
        }
        let indices = extract.indices(body);
        let dims = producer.domain.dimensions_of_element(producer.result)?;
        let mut point = indices.clone();
        for (&dim, &index) in dims.iter().zip(&indices) {
            point[dim as usize] = index;
        }
        let places: Vec<Vec<u32>> =
            producer.domain.reads.iter().map(|read| read.map.as_projection()).collect::<Option<_>>()?;
        let loc = body.op(op).loc();
        let mut b = Builder::before(body, op).with_loc(loc);
        let ctx = b.context();
        let (mut elements, mut readers) = (Vec::with_capacity(places.len()), Vec::new());
        for (read, place) in producer.domain.reads.iter().zip(&places) {
            let source = b.body().op(producer.op).operand(read.operand);
            let at: Vec<Value> = place.iter().map(|&dim| point[dim as usize]).collect();
            let ty = b.ty(source);
            if ty.is_tensor(&ctx) {
                let element = Extract::build(&mut b, source, &at);
                readers.push(element.op());
                elements.push(element.result(b.body()));
            } else {
                elements.push(source);
            }
        }
        let mut index = |_: &mut Builder<'_>, dim: u32| point[dim as usize];
        let values = producer.service.compute(&mut b, producer.op, &elements, &mut index);
        let value = values[producer.result];
        body.replace(op, &[value]);
        Some(readers)
    }
}

/// Reads elements of a bufferized tensor at vectorized indices.
pub(crate) struct ExtractLanes;

impl VectorForm for ExtractLanes {
    fn lanes(&self, b: &mut Builder<'_>, op: Op, lanes: &mut Lanes) -> Option<Vec<Value>> {
        let extract = Extract::from_op_unchecked(op);
        let (tensor, indices) = (extract.tensor(b.body()), extract.indices(b.body()));
        Some(vec![lanes.read(b, tensor, &indices)?])
    }
}

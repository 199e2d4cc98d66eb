//! `tensor.gather` and `tensor.scatter` by elements, as patterns that are applied before lowering.

use crate::{Gather, Generate, Scatter, dim, extract, insert};
use minoan_arith::{constant_index, index_cast};
use minoan_ir::{Builder, Context, DYNAMIC, DenseArray, OpDef, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_scf::For;

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("tensor-gather", gather).on("tensor-scatter", scatter);
}

/// The correspondence of elements of slices to elements of the whole tensor.
struct Places {
    /// The tensor of coordinates; its last dimension indexes [`Places::dims`].
    indices: Value,
    /// The number of its other dimensions, which are the first ones of the slices.
    batch: usize,
    /// The dimensions of the whole tensor that the coordinates apply to.
    dims: Vec<usize>,
    /// For each dimension of the whole tensor, the dimension of the slices; `None` for those in [`Places::dims`].
    slice: Vec<Option<usize>>,
}

impl Places {
    fn new(
        ctx: &Context,
        whole: Type,
        slices: Type,
        indices: (Value, Type),
        dims: DenseArray<'_, i64>,
    ) -> Option<Self> {
        let dims: Vec<usize> = dims.iter().filter_map(|dim| usize::try_from(dim).ok()).collect();
        let (rank, batch) = (whole.rank(ctx)?, indices.1.rank(ctx)?.checked_sub(1)?);
        // The slices may have dimensions of extent 1 in place of the dimensions that the coordinates index.
        let is_full = slices.rank(ctx)? == batch + rank;
        let mut next = batch;
        let slice = (0..rank).map(|dim| {
            let at = (!dims.contains(&dim)).then_some(next);
            next += usize::from(is_full || at.is_some());
            at
        });
        Some(Self { slice: slice.collect(), indices: indices.0, batch, dims })
    }

    /// The indices in the whole tensor of the element `point` of the slices.
    fn element(&self, b: &mut Builder<'_>, point: &[Value]) -> Vec<Value> {
        let mut indices = Vec::with_capacity(self.slice.len());
        for (dimension, slice) in self.slice.iter().enumerate() {
            let index = match slice {
                Some(at) => point[*at],
                None => {
                    let number = self.dims.iter().position(|&dim| dim == dimension).unwrap_or(0);
                    let mut place = point[..self.batch].to_vec();
                    place.push(constant_index(b, number as i64));
                    let coordinate = extract(b, self.indices, &place);
                    if b.ty(coordinate) == Type::INDEX {
                        coordinate
                    } else {
                        index_cast(b, coordinate, Type::INDEX)
                    }
                }
            };
            indices.push(index);
        }
        indices
    }
}

fn gather(gather: Gather, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (source, indices, dims) = (gather.source(body), gather.indices(body), gather.gather_dims(body));
    let ty = rewriter.ty(gather.result(body));
    let places = (indices, rewriter.ty(indices));
    let places = Places::new(&ctx, rewriter.ty(source), ty, places, dims);
    let places = places.ok_or_else(|| NoMatch::because("the ranks are unknown"))?;
    let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
    let mut b = rewriter.builder();
    let mut sizes = Vec::new();
    for at in (0..shape.len()).filter(|&at| shape[at] == DYNAMIC) {
        let of_source = places.slice.iter().position(|&slice| slice == Some(at));
        let (tensor, at) = of_source.map_or((indices, at), |dimension| (source, dimension));
        let at = constant_index(&mut b, at as i64);
        sizes.push(dim(&mut b, tensor, at));
    }
    let result = Generate::with(&mut b, ty, &sizes, |b, point| {
        let element = places.element(b, point);
        extract(b, source, &element)
    });
    let result = result.result(b.body());
    rewriter.replace(gather.op(), &[result]);
    Ok(Matched)
}

fn scatter(scatter: Scatter, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let ctx = rewriter.context().clone();
    let body = rewriter.body();
    let (source, dest) = (scatter.source(body), scatter.dest(body));
    let (indices, dims) = (scatter.indices(body), scatter.scatter_dims(body));
    let ty = rewriter.ty(source);
    let places = (indices, rewriter.ty(indices));
    let places = Places::new(&ctx, rewriter.ty(dest), ty, places, dims);
    let places = places.ok_or_else(|| NoMatch::because("the ranks are unknown"))?;
    let mut b = rewriter.builder();
    let extents = (0..ty.rank(&ctx).unwrap_or(0)).map(|at| {
        let at = constant_index(&mut b, at as i64);
        dim(&mut b, source, at)
    });
    let extents: Vec<Value> = extents.collect();
    let result = insert_all(&mut b, &extents, &mut Vec::new(), dest, &mut |b, point, tensor| {
        let element = places.element(b, point);
        let value = extract(b, source, point);
        insert(b, value, tensor, &element)
    });
    rewriter.replace(scatter.op(), &[result]);
    Ok(Matched)
}

/// Creates a nest of loops that updates a tensor at every point of an index space.
fn insert_all(
    b: &mut Builder<'_>,
    extents: &[Value],
    point: &mut Vec<Value>,
    tensor: Value,
    update: &mut dyn FnMut(&mut Builder<'_>, &[Value], Value) -> Value,
) -> Value {
    let Some((&extent, rest)) = extents.split_first() else { return update(b, point, tensor) };
    let [zero, one] = [0, 1].map(|number| constant_index(b, number));
    let repeat = For::with(b, [zero, extent, one], &[tensor], |b, index, carried| {
        point.push(index);
        vec![insert_all(b, rest, point, carried[0], update)]
    });
    repeat.results(b.body())[0]
}

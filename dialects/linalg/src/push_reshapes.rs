//! Elementwise computations of reshaped results before the reshape.
//!
//! The channels of a grouped convolution are two dimensions, which are collapsed to one. Bias and activation are computed before that,
//! so that they join the kernel of the convolution:
//!
//! ```text
//! %c = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
//! %y = linalg.generic {maps = [(i, j) -> (i, j), (i, j) -> (i), (i, j) -> (i, j)]} ins(%c, %bias : ..)
//!
//! %b = tensor.expand_shape %bias [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
//! %e = linalg.generic {maps = [(g, i, j) -> (g, i, j), (g, i, j) -> (g, i), (g, i, j) -> (g, i, j)]} ins(%sums, %b : ..)
//! %y = tensor.collapse_shape %e [[0, 1], [2]] : tensor<2x4x9xf32> into tensor<8x9xf32>
//! ```

use crate::{Generic, Index, structured};
use minoan_ir::affine::AffineMap;
use minoan_ir::{Body, Context, DYNAMIC, Mapping, Op, OpDef, Type, Value};
use minoan_memref::slices::reassociation;
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::{CollapseShape, Empty, ExpandShape};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("linalg-generic-of-collapse", generic_of_collapse);
}

/// Upper bound on the number of elementwise operations between a reduction and its reshape.
const MOST_STEPS: usize = 8;

/// A collapsed result of a reduction.
struct Collapsed {
    source: Value,
    /// The dimensions of the source for each of the collapsed tensor.
    groups: Vec<Vec<u32>>,
    /// The extents of the source.
    extents: Vec<i64>,
}

impl Collapsed {
    fn of(body: &Body, value: Value) -> Option<Collapsed> {
        let op = CollapseShape::cast(body, body.defining_op(value)?)?;
        let (view, ctx) = (body.op(op.op()), body.context());
        let source = view.operand(0);
        let groups = reassociation(ctx, view.attr_named("reassociation")?)?;
        let groups = groups.iter().map(|group| group.iter().map(|&dim| dim as u32).collect()).collect();
        let extents = body.ty(source).shape(ctx)?.to_vec();
        (!extents.contains(&DYNAMIC)).then_some(Collapsed { source, groups, extents })
    }

    /// Whether no other operation reads the source, and it is the result of a reduction and of elementwise operations on that.
    fn is_reduction(&self, body: &Body) -> bool {
        let mut value = self.source;
        for _ in 0..MOST_STEPS {
            let def = body.defining_op(value).filter(|&def| body.op(def).is::<Generic>());
            let Some(def) = def.filter(|_| body.only_use(value).is_some()) else { return false };
            let kinds = structured::iterator_types(body.op(def)).unwrap_or_default();
            let first = body.op(def).operands().next();
            match first {
                _ if kinds.contains(&IteratorType::Reduction) => return true,
                Some(first) => value = first,
                None => return false,
            }
        }
        false
    }
}

fn generic_of_collapse(op: Generic, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let (body, ctx) = (rewriter.body(), rewriter.context().clone());
    let view = body.op(op.op());
    let not_elementwise = || NoMatch::because("the operation is not elementwise on a new tensor");
    let first = structured::n_inputs(view);
    let maps = structured::maps(view).ok_or_else(not_elementwise)?;
    let rank = maps[0].dims;
    let identity = AffineMap::identity(rank);
    let kinds = structured::iterator_types(view).ok_or_else(not_elementwise)?;
    let output = body.defining_op(view.operand(first)).filter(|&def| body.op(def).is::<Empty>());
    if view.n_results() != 1
        || kinds.contains(&IteratorType::Reduction)
        || maps[first] != identity
        || output.is_none()
        || maps.iter().any(|map| map.as_projection().is_none())
        || computation(body, op.op())
            .any(|inner| body.op(inner).is::<Index>() || body.op(inner).n_regions() > 0)
    {
        return Err(not_elementwise());
    }
    let inputs: Vec<Value> = view.operands().take(first).collect();
    let collapsed = inputs.iter().zip(&maps).find_map(|(&input, map)| {
        let found =
            Collapsed::of(body, input).filter(|_| *map == identity && body.only_use(input).is_some())?;
        found.is_reduction(body).then_some(found)
    });
    let collapsed = collapsed.ok_or(NoMatch::because("it reads no reshaped reduction"))?;
    let reads: Option<Vec<Read>> = inputs
        .iter()
        .zip(&maps)
        .map(|(&input, map)| Read::of(body, &ctx, &collapsed, input, &map.as_projection()?))
        .collect();
    let reads = reads.ok_or(NoMatch::because("it reads another tensor of several dimensions"))?;
    expand(op.op(), rewriter, &collapsed, &reads);
    Ok(Matched)
}

/// An input of the expanded computation.
struct Read {
    /// The tensor before it is expanded.
    tensor: Value,
    /// The dimensions of the domain that are the indices of the expanded tensor.
    dims: Vec<u32>,
    /// The groups of dimensions, and the type, of the expanded tensor, unless it is the tensor itself.
    expansion: Option<(Vec<Vec<i64>>, Type)>,
}

impl Read {
    /// `None` if the tensor has several dimensions, one of which is expanded, and is not collapsed from the same dimensions.
    fn of(body: &Body, ctx: &Context, collapsed: &Collapsed, input: Value, dims: &[u32]) -> Option<Read> {
        let groups: Vec<&Vec<u32>> = dims.iter().map(|&dim| &collapsed.groups[dim as usize]).collect();
        let all: Vec<u32> = groups.iter().flat_map(|group| group.iter().copied()).collect();
        if groups.iter().all(|group| group.len() == 1) {
            return Some(Read { tensor: input, dims: all, expansion: None });
        }
        let is_identity = dims.iter().copied().eq(0..collapsed.groups.len() as u32);
        let same = Collapsed::of(body, input).filter(|other| {
            is_identity && (&other.groups, &other.extents) == (&collapsed.groups, &collapsed.extents)
        });
        if let Some(same) = same {
            return Some(Read { tensor: same.source, dims: all, expansion: None });
        }
        if dims.len() > 1 {
            return None;
        }
        let extents: Vec<i64> = all.iter().map(|&dim| collapsed.extents[dim as usize]).collect();
        let ty = Type::tensor(ctx, &extents, body.ty(input).element_or_self(ctx));
        let group = (0..all.len() as i64).collect();
        Some(Read { tensor: input, dims: all, expansion: Some((vec![group], ty)) })
    }
}

/// Replaces an elementwise operation by one over the dimensions of the source of `collapsed`, and a collapse.
fn expand(op: Op, rewriter: &mut Rewriter<'_>, collapsed: &Collapsed, reads: &[Read]) {
    let ctx = rewriter.context().clone();
    let ops: Vec<Op> = computation(rewriter.body(), op).collect();
    let result = rewriter.ty(rewriter.op(op).result(0));
    let block =
        rewriter.op(op).own_regions().next().and_then(|region| rewriter.body().region(region).entry());
    let args: Vec<Value> = block.map_or_else(Vec::new, |block| rewriter.body().block(block).args().collect());
    let rank = collapsed.extents.len() as u32;
    let mut b = rewriter.builder();
    let mut inputs = Vec::with_capacity(reads.len());
    for read in reads {
        inputs.push(match &read.expansion {
            None => read.tensor,
            Some((groups, ty)) => {
                let extents = ty.shape(&ctx).unwrap_or(&[]).to_vec();
                let groups = minoan_tensor::reassociation(groups);
                ExpandShape::build(&mut b, read.tensor, &[], groups, extents, *ty).result(b.body())
            }
        });
    }
    let mut maps: Vec<AffineMap> = reads.iter().map(|read| AffineMap::projection(rank, &read.dims)).collect();
    maps.push(AffineMap::identity(rank));
    let ty = Type::tensor(&ctx, &collapsed.extents, result.element_or_self(&ctx));
    let out = Empty::build(&mut b, &[], ty).result(b.body());
    let kinds = vec![IteratorType::Parallel; collapsed.extents.len()];
    let expanded = Generic::with(&mut b, &inputs, &[out], &maps, &kinds, |b, elements| {
        let mut mapping = Mapping::new();
        args.iter().zip(elements).for_each(|(&arg, &element)| mapping.map(arg, element));
        let (last, ops) = ops.split_last().expect("a computation has a terminator");
        for &inner in ops {
            let at = b.insertion_point();
            b.body_mut().clone_op(inner, at, &mut mapping);
        }
        b.body().op(*last).operands().map(|value| mapping.value(value)).collect()
    });
    let groups: Vec<Vec<i64>> =
        collapsed.groups.iter().map(|group| group.iter().map(|&dim| i64::from(dim)).collect()).collect();
    let value = b.body().op(expanded.op()).result(0);
    let groups = minoan_tensor::reassociation(&groups);
    let value = CollapseShape::build(&mut b, value, groups, result).result(b.body());
    rewriter.replace(op, &[value]);
}

/// The operations that compute an element.
fn computation(body: &Body, op: Op) -> impl Iterator<Item = Op> {
    let block = body.op(op).own_regions().next().and_then(|region| body.region(region).entry());
    block.into_iter().flat_map(|block| body.block(block).ops())
}

//! Slices of computed tensors as computations of slices.
//!
//! The gradient of a convolution with respect to a padded image is used without its padding, so only that part is computed:
//!
//! ```text
//! %y = linalg.generic {maps = [(i, k) -> (i - k + 2), (i, k) -> (k), (i, k) -> (i)]} ins(%a : tensor<12xf32>, ..)
//! %z = tensor.extract_slice %y[1] [8] [1] : tensor<10xf32> to tensor<8xf32>
//!
//! %s = tensor.extract_slice %a[1] [10] [1] : tensor<12xf32> to tensor<10xf32>
//! %z = linalg.generic {maps = [(i, k) -> (i - k + 2), (i, k) -> (k), (i, k) -> (i)]} ins(%s : tensor<10xf32>, ..)
//! ```

use crate::fusion::extent_of;
use crate::{Generic, Index, structured};
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Body, Op, OpDef, OpState, Type, Value};
use minoan_rewrite::{Matched, NoMatch, PatternSet, Rewriter};
use minoan_services::IteratorType;
use minoan_tensor::{ExtractSlice, static_slice};

pub(crate) fn add(patterns: &mut PatternSet) {
    patterns.on("linalg-slice-of-generic", slice_of_generic);
}

/// An index as a linear function of those of the iteration domain.
struct Linear {
    coefficients: Vec<i64>,
    constant: i64,
}

impl Linear {
    fn of(expr: &AffineExpr, dims: usize) -> Option<Linear> {
        let constant = |constant: i64| Linear { coefficients: vec![0; dims], constant };
        match expr {
            AffineExpr::Constant(value) => Some(constant(*value)),
            AffineExpr::Dim(dim) => {
                let mut linear = constant(0);
                *linear.coefficients.get_mut(*dim as usize)? = 1;
                Some(linear)
            }
            AffineExpr::Binary(AffineOp::Add, lhs, rhs) => {
                let (lhs, rhs) = (Linear::of(lhs, dims)?, Linear::of(rhs, dims)?);
                let sums = lhs.coefficients.iter().zip(&rhs.coefficients).map(|(a, b)| a.checked_add(*b));
                Some(Linear {
                    coefficients: sums.collect::<Option<_>>()?,
                    constant: lhs.constant.checked_add(rhs.constant)?,
                })
            }
            AffineExpr::Binary(AffineOp::Mul, lhs, rhs) => {
                let AffineExpr::Constant(factor) = **rhs else { return None };
                let lhs = Linear::of(lhs, dims)?;
                let products = lhs.coefficients.iter().map(|a| a.checked_mul(factor));
                Some(Linear {
                    coefficients: products.collect::<Option<_>>()?,
                    constant: lhs.constant.checked_mul(factor)?,
                })
            }
            _ => None,
        }
    }

    /// The least and the greatest index in a domain of these extents.
    fn range(&self, extents: &[i64]) -> (i64, i64) {
        let ends =
            self.coefficients.iter().zip(extents).map(|(factor, extent)| factor.saturating_mul(extent - 1));
        ends.fold((self.constant, self.constant), |(least, most), end| {
            (least + end.min(0), most + end.max(0))
        })
    }
}

/// A part of a dimension.
#[derive(Clone, Copy)]
struct Part {
    offset: i64,
    size: i64,
}

fn slice_of_generic(op: ExtractSlice, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let (offsets, sizes) =
        static_slice(body.op(op.op())).ok_or(NoMatch::because("the slice is not static"))?;
    let whole = body.op(op.op()).operand(0);
    let generic = body.defining_op(whole).and_then(|def| Generic::cast(body, def));
    let generic = generic.ok_or(NoMatch::because("it is a part of no linalg.generic"))?.op();
    let parts = parts(body, generic, &offsets, &sizes)?;
    let view = body.op(generic);
    let operands: Vec<Value> = view.operands().collect();
    let operands: Vec<Value> =
        operands.into_iter().zip(&parts).map(|(operand, parts)| part(rewriter, operand, parts)).collect();
    let view = rewriter.op(generic);
    let ty = rewriter.ty(rewriter.op(op.op()).result(0));
    let state = OpState::new(view.kind()).operands(&operands).results(&[ty]);
    let state = state.props(view.props()).attrs(view.attrs()).loc(view.loc()).regions(1);
    let from = view.region(0);
    let new = rewriter.create(state);
    let (to, result) = (rewriter.op(new).region(0), rewriter.op(new).result(0));
    rewriter.move_blocks(from, to);
    rewriter.replace(op.op(), &[result]);
    rewriter.erase(generic);
    Ok(Matched)
}

/// For each operand of a `linalg.generic`, the parts of its dimensions that a slice of the result depends on.
fn parts(body: &Body, generic: Op, offsets: &[i64], sizes: &[i64]) -> Result<Vec<Vec<Part>>, NoMatch> {
    let (view, ctx) = (body.op(generic), body.context());
    let whole = view.results().next().filter(|_| view.n_results() == 1);
    if whole.is_none_or(|whole| body.only_use(whole).is_none()) {
        return Err(NoMatch::because("the operation has other uses"));
    }
    let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
    let mut ops = blocks.flat_map(|block| body.block(block).ops());
    if ops.any(|inner| body.op(inner).is::<Index>() || body.op(inner).n_regions() > 0) {
        return Err(NoMatch::because("the computation depends on the indices"));
    }
    let not_linear = || NoMatch::because("an index is not linear, or an extent not known");
    let maps = structured::maps(view).ok_or_else(not_linear)?;
    let iterators = structured::iterator_types(view).ok_or_else(not_linear)?;
    let mut extents = Vec::with_capacity(iterators.len());
    for dim in 0..iterators.len() {
        let extent = extent_of(body, generic, dim as u32).and_then(|extent| i64::try_from(extent).ok());
        extents.push(extent.ok_or_else(not_linear)?);
    }
    let mut starts = vec![0; iterators.len()];
    let outer = maps.last().ok_or_else(not_linear)?;
    for ((expr, &offset), &size) in outer.results.iter().zip(offsets).zip(sizes) {
        let AffineExpr::Dim(dim) = *expr else { return Err(not_linear()) };
        let dim = dim as usize;
        if iterators[dim] != IteratorType::Parallel {
            return Err(NoMatch::because("the result is indexed by a reduced dimension"));
        }
        (starts[dim], extents[dim]) = (offset, size);
    }
    if extents.contains(&0) {
        return Err(NoMatch::because("there are no elements"));
    }
    let mut all = Vec::with_capacity(maps.len());
    for (operand, map) in view.operands().zip(&maps) {
        let shape = body.ty(operand).shape(ctx).unwrap_or(&[]);
        let mut parts = Vec::with_capacity(shape.len());
        for (expr, &extent) in map.results.iter().zip(shape) {
            let linear = Linear::of(expr, extents.len()).ok_or_else(not_linear)?;
            let moves =
                linear.coefficients.iter().zip(&starts).map(|(factor, start)| factor.saturating_mul(*start));
            let offset = moves.clone().fold(0i64, i64::saturating_add);
            let (least, most) = linear.range(&extents);
            let is_moved = moves.clone().any(|step| step != 0);
            let is_dim = matches!(expr, AffineExpr::Dim(_));
            // Indices that the slice does not move may reach less far than the operand.
            let size = if is_moved || is_dim { most.saturating_add(1) } else { extent };
            if least < 0 || offset < 0 || extent < 0 || offset.saturating_add(size) > extent {
                return Err(NoMatch::because("the slice would read outside of an operand"));
            }
            parts.push(Part { offset, size });
        }
        all.push(parts);
    }
    Ok(all)
}

/// A part of an operand: the operand itself if it is the whole of it.
fn part(rewriter: &mut Rewriter<'_>, operand: Value, parts: &[Part]) -> Value {
    let (ctx, ty) = (rewriter.context().clone(), rewriter.ty(operand));
    let sizes: Vec<i64> = parts.iter().map(|part| part.size).collect();
    if ty.shape(&ctx).is_none_or(|shape| shape == sizes) {
        return operand;
    }
    let offsets: Vec<i64> = parts.iter().map(|part| part.offset).collect();
    let (strides, part) = (vec![1; sizes.len()], Type::tensor(&ctx, &sizes, ty.element_or_self(&ctx)));
    let mut b = rewriter.builder();
    ExtractSlice::build(&mut b, operand, &[], &[], &[], offsets, sizes, strides, part).result(b.body())
}

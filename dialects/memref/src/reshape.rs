//! Reshapes of buffers.

use crate::slices::{index_list_operands, numbers, parse_expand, print_expand, reassociation};
use crate::{buffers, evaluate_views, fold, names};
use minoan_ir::constraints::{ANY_MEMREF, BYTES_1D, INDEX, MEMREF, SHAPE_MEMREF, STRIDED_MEMREF};
use minoan_ir::strided::{Strided, dynamic_mul};
use minoan_ir::text::{AsmNames, print_type};
use minoan_ir::verify::bare;
use minoan_ir::{Array, Body, Context, DYNAMIC, Op, OpRef, Type, Violations, op};
use minoan_services::{AliasModel, Evaluate, Fold, FoldFn};

/// Collapses groups of dimensions to one dimension each.
///
/// `memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>`. The dimensions of a group must
/// be contiguous.
#[op(
    "memref.collapse_shape",
    traits(PURE),
    assembly = "$src $reassociation attr-dict `:` type($src) `into` type($result)",
    verify = verify_collapse,
    services(
        Evaluate = evaluate_views::EvaluateCollapse,
        Fold = FoldFn(fold::fold_collapse),
        AsmNames = names::Named("collapse_shape"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct CollapseShape {
    /// The buffer.
    src: Operand<STRIDED_MEMREF>,
    /// The dimensions of the buffer for each dimension of the result.
    reassociation: Array<Array<i64>>,
    /// The collapsed buffer.
    result: OpResult<STRIDED_MEMREF>,
}

/// Expands each dimension to a group of dimensions.
///
/// `memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>`.
#[op(
    "memref.expand_shape",
    traits(PURE),
    assembly = custom(parse_expand, print_expand),
    verify = verify_expand,
    services(
        Evaluate = evaluate_views::EvaluateExpand,
        Fold = FoldFn(fold::fold_expand),
        AsmNames = names::Named("expand_shape"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct ExpandShape {
    /// The buffer.
    src: Operand<STRIDED_MEMREF>,
    /// The dynamic extents of the result.
    output_shape: Vec<Operand<INDEX>>,
    /// The dimensions of the result for each dimension of the buffer.
    reassociation: Array<Array<i64>>,
    /// The static extents of the result.
    static_output_shape: Vec<i64>,
    /// The expanded buffer.
    result: OpResult<STRIDED_MEMREF>,
}

/// The reassociation of an operation.
pub(crate) fn groups(op: OpRef<'_>) -> Vec<Vec<i64>> {
    op.attr_named("reassociation").and_then(|attr| reassociation(op.context(), attr)).unwrap_or_default()
}

/// Verifies that the collapsed extents are the products of the expanded ones.
fn verify_groups(groups: &[Vec<i64>], collapsed: &[i64], expanded: &[i64]) -> Result<(), String> {
    if groups.len() != collapsed.len() {
        let (found, expected) = (groups.len(), collapsed.len());
        return Err(format!("invalid number of reassociation groups: found {found}, expected {expected}"));
    }
    let mut next = 0;
    for (at, (group, &extent)) in groups.iter().zip(collapsed).enumerate() {
        let mut product = 1;
        for &dim in group {
            if dim != next {
                return Err("reassociation indices must be contiguous".to_owned());
            }
            let factor = expanded.get(dim as usize);
            let factor = factor.ok_or_else(|| format!("reassociation index {dim} is out of bounds"))?;
            product = dynamic_mul(product, *factor);
            next += 1;
        }
        if (extent == DYNAMIC) != (product == DYNAMIC) {
            return Err(format!(
                "collapsed dim ({at}) must be dynamic if and only if reassociation group is dynamic"
            ));
        }
        if extent != product {
            return Err(format!(
                "collapsed dim size ({extent}) must equal reassociation group size ({product})"
            ));
        }
    }
    if collapsed.is_empty() && expanded.iter().any(|&extent| extent != 1) {
        return Err("rank 0 memrefs can only be extended/collapsed with/from ones".to_owned());
    }
    if !collapsed.is_empty() && next != expanded.len() as i64 {
        let rank = expanded.len();
        return Err(format!(
            "expanded rank ({rank}) inconsistent with number of reassociation indices ({next})"
        ));
    }
    Ok(())
}

/// The type of a buffer with groups of dimensions collapsed to `shape`; `None` if they are not contiguous.
pub fn collapsed_type(ctx: &Context, from: Type, shape: &[i64], groups: &[Vec<i64>]) -> Option<Type> {
    if from.is_contiguous(ctx) {
        return Some(from.with_layout(ctx, shape, None));
    }
    let (layout, extents) = (Strided::of(ctx, from)?, from.shape(ctx)?);
    let mut strides = Vec::with_capacity(groups.len());
    for group in groups {
        // A dimension with one element may have any stride.
        let (&first, _) = group.split_first()?;
        let last = group.iter().rev().find(|&&dim| extents[dim as usize] != 1).copied().unwrap_or(first);
        let known = extents[last as usize] != DYNAMIC || last == first;
        let stride = if known { layout.strides[last as usize] } else { DYNAMIC };
        let mut step = stride;
        for pair in group.windows(2).rev() {
            let [outer, inner] = [pair[0] as usize, pair[1] as usize];
            step = dynamic_mul(step, extents[inner]);
            let have = layout.strides[outer];
            if extents[outer] != 1 && step != DYNAMIC && have != DYNAMIC && step != have {
                return None;
            }
        }
        strides.push(stride);
    }
    Some(from.with_layout(ctx, shape, Some(&Strided { offset: layout.offset, strides })))
}

/// The type of a buffer with its dimensions expanded to `shape`.
pub fn expanded_type(ctx: &Context, from: Type, shape: &[i64], groups: &[Vec<i64>]) -> Option<Type> {
    if from.is_contiguous(ctx) {
        return Some(from.with_layout(ctx, shape, None));
    }
    let layout = Strided::of(ctx, from)?;
    let mut strides = vec![1; shape.len()];
    for (group, &stride) in groups.iter().zip(&layout.strides) {
        let mut step = stride;
        for &dim in group.iter().rev() {
            strides[dim as usize] = step;
            step = dynamic_mul(step, shape[dim as usize]);
        }
    }
    Some(from.with_layout(ctx, shape, Some(&Strided { offset: layout.offset, strides })))
}

fn verify_collapse(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = collapse_fits(body.op(op)) {
        errors.push(message);
    }
}

fn collapse_fits(op: OpRef<'_>) -> Result<(), String> {
    let (ctx, source, result) = types(op);
    let (from, to) = (source.shape(ctx).unwrap_or(&[]), result.shape(ctx).unwrap_or(&[]));
    if from.len() < to.len() {
        let (a, b) = (from.len(), to.len());
        return Err(format!("has source rank {a} and result rank {b}. This is not a collapse ({a} < {b})."));
    }
    let groups = groups(op);
    verify_groups(&groups, to, from)?;
    let want = collapsed_type(ctx, source, to, &groups)
        .ok_or("invalid source layout map or collapsing non-contiguous dims")?;
    expect_type(ctx, "collapsed", want, result)
}

fn verify_expand(body: &Body, op: Op, errors: &mut Violations) {
    if let Err(message) = expand_fits(body.op(op)) {
        errors.push(message);
    }
}

fn expand_fits(op: OpRef<'_>) -> Result<(), String> {
    let (ctx, source, result) = types(op);
    let (from, to) = (source.shape(ctx).unwrap_or(&[]), result.shape(ctx).unwrap_or(&[]));
    if from.len() > to.len() {
        let (a, b) = (from.len(), to.len());
        return Err(format!(
            "has source rank {a} and result rank {b}. This is not an expansion ({a} > {b})."
        ));
    }
    let groups = groups(op);
    verify_groups(&groups, from, to)?;
    let want = expanded_type(ctx, source, to, &groups).ok_or("invalid source layout map")?;
    expect_type(ctx, "expanded", want, result)?;
    let shape = numbers(op, "static_output_shape");
    if shape.len() != to.len() {
        let (rank, found) = (to.len(), shape.len());
        return Err(format!(
            "expected number of static shape bounds to be equal to the output rank ({rank}) but found {found} inputs instead"
        ));
    }
    index_list_operands(&shape, op.n_operands() - 1)?;
    let wrong = to.iter().zip(&shape).position(|(&extent, &given)| extent != DYNAMIC && extent != given);
    wrong.map_or(Ok(()), |at| Err(format!("invalid output shape provided at pos {at}")))
}

fn types(op: OpRef<'_>) -> (&Context, Type, Type) {
    let body = op.body();
    (body.context(), body.ty(op.operand(0)), body.ty(op.result(0)))
}

fn expect_type(ctx: &Context, what: &str, want: Type, have: Type) -> Result<(), String> {
    if want == have {
        return Ok(());
    }
    let (want, have) = (print_type(ctx, want), print_type(ctx, have));
    Err(format!("expected {what} type to be '{want}' but found '{have}'"))
}

/// Views a byte buffer as a buffer of another element type: `memref.view %m[%byte][%n] : memref<64xi8> to
/// memref<?x4xf32>`.
#[op(
    "memref.view",
    traits(PURE),
    assembly = "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)",
    verify = verify_view,
    services(
        Evaluate = evaluate_views::EvaluateView,
        Fold = FoldFn(|op, _| fold::same_static(op).into()),
        AsmNames = names::Named("view"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct View {
    /// The byte buffer.
    source: Operand<BYTES_1D>,
    /// The byte offset of the view.
    byte_shift: Operand<INDEX>,
    /// One operand per dynamic extent.
    sizes: Vec<Operand<INDEX>>,
    /// The view.
    result: OpResult<MEMREF>,
}

fn verify_view(body: &Body, op: Op, errors: &mut Violations) {
    let (ctx, source, result) = types(body.op(op));
    let (from, to) = (print_type(ctx, source), print_type(ctx, result));
    let dynamic = result.shape(ctx).unwrap_or(&[]).iter().filter(|&&extent| extent == DYNAMIC).count();
    let sizes = body.op(op).n_operands() - 2;
    if sizes != dynamic {
        errors.push(format!("incorrect number of dynamic sizes, has {sizes}, expected {dynamic}"));
    } else if !source.is_contiguous(ctx) {
        errors.push(bare(format!("unsupported map for base memref type '{from}'")));
    } else if !result.is_contiguous(ctx) {
        errors.push(bare(format!("unsupported map for result memref type '{to}'")));
    } else if source.memory_space(ctx) != result.memory_space(ctx) {
        errors.push(bare(format!(
            "different memory spaces specified for base memref type '{from}' and view memref type '{to}'"
        )));
    }
}

/// Reshapes a contiguous buffer to the extents in another buffer.
#[op(
    "memref.reshape",
    traits(PURE),
    assembly = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_reshape,
    services(
        Evaluate = evaluate_views::EvaluateReshape,
        AsmNames = names::Named("reshape"),
        AliasModel = buffers::ViewsOperand,
    )
)]
pub struct Reshape {
    /// The buffer.
    source: Operand<ANY_MEMREF>,
    /// The extents, a buffer of rank 1.
    shape: Operand<SHAPE_MEMREF>,
    /// The reshaped buffer.
    result: OpResult<ANY_MEMREF>,
}

fn verify_reshape(body: &Body, op: Op, errors: &mut Violations) {
    let (ctx, source, result) = types(body.op(op));
    let shape = body.ty(body.op(op).operand(1));
    let identity = |ty: Type| ty.shape(ctx).is_none() || ty.is_contiguous(ctx);
    if source.element(ctx) != result.element(ctx) {
        return errors.push("element types of source and destination memref types should be the same");
    }
    if !identity(source) {
        return errors.push("source memref type should have identity affine map");
    }
    if !identity(result) {
        return errors.push("result memref type should have identity affine map");
    }
    let (Some(&[rank]), Some(want)) = (shape.shape(ctx), result.rank(ctx)) else { return };
    if rank == DYNAMIC {
        errors.push(
            "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
                .to_owned(),
        );
    } else if rank != want as i64 {
        errors.push("length of shape operand differs from the result's memref rank");
    }
}

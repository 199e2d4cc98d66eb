//! Reshapes, concatenation, gather and scatter.

use crate::move_buffers::Same;
use crate::{
    buffers, differentiate, evaluate, evaluate_moves, fold, move_buffers, runtime_verification, shapes,
};
use minoan_ir::constraints::{ARRAY_ATTR, INDEX, RANKED_TENSOR, SHAPE_TENSOR, TENSOR};
use minoan_ir::text::{AsmNames, print_type};
use minoan_ir::{Array, Body, Context, DYNAMIC, Op, OpRef, Type, Violation, Violations, op};
use minoan_memref::Named;
use minoan_memref::slices::{
    index_list_operands, numbers, parse_expand, print_expand, reassociation, verify_products,
    verify_reassociation,
};
use minoan_services::{
    AliasModel, Declared, DerivativeRule, Differentiate, ElementAgnostic, Evaluate, Fold, FoldFn, Generate,
    RuntimeVerification, ShapeInference, ToBuffers,
};

/// Collapses groups of dimensions to one dimension each.
///
/// `tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>`.
#[op(
    "tensor.collapse_shape",
    traits(PURE),
    assembly = "$src $reassociation attr-dict `:` type($src) `into` type($result)",
    verify = verify_collapse,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateCollapse,
        Fold = FoldFn(fold::fold_collapse),
        AsmNames = Named("collapsed"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::reshape_transpose),
        AliasModel = buffers::CastIsView,
        ToBuffers = move_buffers::BufferCollapse,
        ShapeInference = shapes::CollapsedShape,
    )
)]
pub struct CollapseShape {
    /// The tensor.
    src: Operand<RANKED_TENSOR>,
    /// The dimensions of the tensor for each dimension of the result.
    #[attr(ARRAY_ATTR)]
    reassociation: Array<Array<i64>>,
    /// The collapsed tensor.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_collapse(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some(result) = view.result_types().next() else { return };
    let source = body.ty(view.operand(0));
    if source.rank(body.context()) < result.rank(body.context()) {
        let (source, result) = (print_type(body.context(), source), print_type(body.context(), result));
        return errors
            .push(format!("has source rank {source} and result rank {result}. This is not a collapse"));
    }
    if let Err(message) = regrouped(view, result, source) {
        errors.push(message);
    }
}

/// Verifies the reassociation between two types.
fn regrouped(op: OpRef<'_>, collapsed: Type, expanded: Type) -> Result<(), String> {
    let ctx = op.context();
    let (Some(shape), Some(expanded_shape)) = (collapsed.shape(ctx), expanded.shape(ctx)) else {
        return Ok(());
    };
    let groups = op.attr_named("reassociation").and_then(|attr| reassociation(ctx, attr));
    let groups = groups.ok_or(
        "attribute 'reassociation' failed to satisfy constraint: Array of 64-bit integer array attributes",
    )?;
    verify_reassociation(&groups, shape.len(), expanded_shape.len())?;
    verify_products(&groups, shape, expanded_shape)?;
    let element = expanded.element_or_self(ctx);
    if collapsed.element_or_self(ctx) != element {
        let [want, have] = [Type::tensor(ctx, shape, element), collapsed].map(|ty| print_type(ctx, ty));
        return Err(format!("expected collapsed type to be '{want}', but got '{have}'"));
    }
    Ok(())
}

/// Expands each dimension to a group of dimensions.
///
/// `tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>`.
#[op(
    "tensor.expand_shape",
    traits(PURE),
    assembly = custom(parse_expand, print_expand),
    verify = verify_expand,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateExpand,
        RuntimeVerification = runtime_verification::ExpandFits,
        Fold = FoldFn(fold::fold_expand),
        AsmNames = Named("expanded"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::reshape_transpose),
        AliasModel = buffers::CastIsView,
        ToBuffers = move_buffers::BufferExpand,
    )
)]
pub struct ExpandShape {
    /// The tensor.
    src: Operand<RANKED_TENSOR>,
    /// The dynamic extents of the result.
    output_shape: Vec<Operand<INDEX>>,
    /// The dimensions of the result for each dimension of the tensor.
    #[attr(ARRAY_ATTR)]
    reassociation: Array<Array<i64>>,
    /// The static extents of the result.
    static_output_shape: Vec<i64>,
    /// The expanded tensor.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_expand(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(result) = view.result_types().next() else { return };
    let source = body.ty(view.operand(0));
    let (shape, rank) = (numbers(view, "static_output_shape"), result.rank(ctx).unwrap_or(0));
    if source.rank(ctx) > Some(rank) {
        let (source, result) = (print_type(ctx, source), print_type(ctx, result));
        return errors
            .push(format!("has source rank {source} and result rank {result}. This is not an expansion"));
    }
    if shape.len() != rank {
        return errors.push(format!(
            "expected number of static shape dims to be equal to the output rank ({rank}) but found {} inputs instead",
            shape.len()
        ));
    }
    if let Err(message) = index_list_operands(&shape, view.n_operands() - 1) {
        return errors.push(message);
    }
    if let Err(message) = regrouped(view, source, result) {
        errors.push(message);
    }
}

/// Reshapes a tensor to the extents in another tensor.
#[op(
    "tensor.reshape",
    traits(PURE),
    assembly = "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_reshape,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateReshape,
        RuntimeVerification = runtime_verification::ReshapeFits,
        AsmNames = Named("reshape"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::reshape_transpose),
        AliasModel = buffers::CastIsView,
        ToBuffers = Same::<minoan_memref::Reshape>::new(),
    )
)]
pub struct Reshape {
    /// The tensor.
    source: Operand<TENSOR>,
    /// The extents, a tensor of rank 1.
    shape: Operand<SHAPE_TENSOR>,
    /// The reshaped tensor.
    result: OpResult<TENSOR>,
}

/// The number of elements, if static.
fn count(ctx: &Context, ty: Type) -> Option<i64> {
    let shape = ty.shape(ctx).filter(|shape| !shape.contains(&DYNAMIC))?;
    Some(shape.iter().fold(1i64, |count, &extent| count.saturating_mul(extent)))
}

fn verify_reshape(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (source, shape) = (body.ty(view.operand(0)), body.ty(view.operand(1)));
    let Some(result) = view.result_types().next() else { return };
    if source.element(ctx) != result.element(ctx) {
        return errors.push("element types of source and destination tensor types should be the same");
    }
    let [rank] = shape.shape(ctx).unwrap_or(&[]) else { return };
    let Some(have) = result.shape(ctx) else { return };
    if let (Some(from), Some(to)) = (count(ctx, source), count(ctx, result))
        && from != to
    {
        errors.push("source and destination tensor should have the same number of elements");
    } else if *rank == DYNAMIC {
        errors.push(
            "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type"
                .to_owned(),
        );
    } else if *rank != have.len() as i64 {
        errors.push("length of shape operand differs from the result's tensor rank");
    }
}

/// Concatenates tensors along a dimension.
#[op(
    "tensor.concat",
    traits(PURE),
    assembly = "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)",
    verify = verify_concat,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate_moves::EvaluateConcat,
        RuntimeVerification = runtime_verification::ConcatFits,
        Fold = FoldFn(fold::fold_concat),
        AsmNames = Named("concat"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::concat_transpose),
        ToBuffers = move_buffers::BufferConcat,
    )
)]
pub struct Concat {
    /// The dimension.
    dim: i64,
    /// The operands, at least one.
    inputs: Vec<Operand<RANKED_TENSOR>>,
    /// The concatenation.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_concat(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(result) = view.result_types().next() else { return };
    let shapes: Vec<&[i64]> = view.operand_types().filter_map(|ty| ty.shape(ctx)).collect();
    let (Some(element), Some(have), false) = (result.element(ctx), result.shape(ctx), shapes.is_empty())
    else {
        return errors.push("requires at least one input");
    };
    let dim = view.attr_named("dim").and_then(|dim| dim.as_i64(ctx)).unwrap_or(0);
    if shapes.iter().any(|shape| shape.len() != have.len()) {
        return errors.push("rank of concatenated inputs must match result rank");
    }
    if view.operand_types().any(|ty| ty.element(ctx) != Some(element)) {
        return errors.push("inputs and result element type must match");
    }
    let Some(dim) = usize::try_from(dim).ok().filter(|&dim| dim < have.len()) else {
        return errors.push("concatenation dim must be less than the tensor rank");
    };
    let mut want = shapes[0].to_vec();
    for at in 0..want.len() {
        let mut extents = shapes.iter().map(|shape| shape[at]);
        if at == dim {
            let sum = |sum: i64, extent| (extent != DYNAMIC).then(|| sum.saturating_add(extent));
            want[at] = extents.try_fold(0, sum).unwrap_or(DYNAMIC);
            continue;
        }
        let mut known = extents.filter(|&extent| extent != DYNAMIC);
        let first = known.next();
        if known.any(|extent| Some(extent) != first) {
            return errors
                .push(format!("static concatenation size mismatch along non-concatenated dimension {at}"));
        }
        want[at] = first.unwrap_or(DYNAMIC);
    }
    let differ = |(&want, &have): (&i64, &i64)| want != have && want != DYNAMIC && have != DYNAMIC;
    if want.iter().zip(have).any(differ) {
        let want = Type::tensor(ctx, &want, element);
        let (have, want) = (print_type(ctx, result), print_type(ctx, want));
        errors.push(format!("result type '{have}'does not match inferred shape '{want}' static sizes"));
    }
}

/// Reinterprets the bits of the elements as another type of the same width.
#[op(
    "tensor.bitcast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($dest)",
    verify = verify_bitcast,
    services(Fold = FoldFn(fold::fold_bitcast), ToBuffers = move_buffers::BufferBitCast)
)]
pub struct BitCast {
    /// The tensor.
    source: Operand<TENSOR>,
    /// The same bits.
    dest: OpResult<TENSOR>,
}

/// The bit width of a numeric type.
fn width(ctx: &Context, ty: Type) -> Option<u32> {
    ty.integer_width(ctx).or_else(|| ty.float_kind(ctx).map(minoan_ir::FloatKind::width))
}

fn verify_bitcast(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (from, Some(to)) = (body.ty(view.operand(0)), view.result_types().next()) else { return };
    let bits = |ty: Type| ty.element(ctx).and_then(|element| width(ctx, element));
    let shapes = match (from.shape(ctx), to.shape(ctx)) {
        (Some(from), Some(to)) => {
            let same = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
            from.len() == to.len() && from.iter().zip(to).all(same)
        }
        _ => true,
    };
    if !shapes || bits(from).is_none() || bits(from) != bits(to) {
        errors.push(Violation::cast(ctx, from, to));
    }
}

/// The number of dimensions.
#[op(
    "tensor.rank",
    traits(PURE),
    assembly = "$tensor attr-dict `:` type($tensor)",
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateRank,
        Fold = FoldFn(minoan_memref::folding::fold_rank),
        AsmNames = Named("rank"),
        Generate = Declared::new(),
        ToBuffers = Same::<minoan_memref::Rank>::new(),
    )
)]
pub struct Rank {
    /// The tensor.
    tensor: Operand<TENSOR>,
    /// Its rank.
    #[result(INDEX, fixed)]
    result: Value,
}

/// Gathers slices of a tensor at the given coordinates.
///
/// The last dimension of `indices` holds coordinates in the dimensions `gather_dims`.
#[op(
    "tensor.gather",
    traits(PURE),
    assembly = "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
    verify = verify_gather,
    services(
        ElementAgnostic = (),
        AsmNames = Named("gather"),
        RuntimeVerification = runtime_verification::CoordinatesFit,
    )
)]
pub struct Gather {
    /// The tensor.
    source: Operand<RANKED_TENSOR>,
    /// The coordinates.
    indices: Operand<RANKED_TENSOR>,
    /// The dimensions to which the coordinates apply.
    gather_dims: Vec<i64>,
    /// Whether the coordinates are unique.
    #[attr(unit)]
    unique: bool,
    /// The slices.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_gather(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some(result) = view.result_types().next() else { return };
    let [source, indices] = [0, 1].map(|at| body.ty(view.operand(at)));
    if let Err(message) = verify_places(view, ["gather", "source", "result"], source, indices, result) {
        errors.push(message);
    }
}

/// Verifies the common rules of gather and scatter; `words` are the operation, and the names of its tensors in
/// messages.
fn verify_places(
    op: OpRef<'_>,
    words: [&str; 3],
    whole: Type,
    indices: Type,
    slices: Type,
) -> Result<(), String> {
    let (ctx, [name, of, result]) = (op.context(), words);
    let (Some(shape), Some(places), Some(element)) =
        (whole.shape(ctx), indices.shape(ctx), whole.element(ctx))
    else {
        return Ok(());
    };
    let dims = numbers(op, &format!("{name}_dims"));
    let Some((&coordinates, places)) = places.split_last() else { return Ok(()) };
    if dims.is_empty() {
        return Err(format!("{name}_dims must be non-empty"));
    }
    if dims.len() > shape.len() {
        return Err(format!("{name}_dims overflow {of} rank"));
    }
    for &dim in &dims {
        if dim < 0 {
            return Err(format!("{name}_dims value must be non-negative"));
        }
        if dim >= shape.len() as i64 {
            return Err(format!("{name}_dims value must be smaller than {of} rank"));
        }
    }
    if !dims.is_sorted_by(|a, b| a < b) {
        return Err(format!("{name}_dims values must be strictly increasing"));
    }
    if coordinates != dims.len() as i64 {
        return Err(format!("{name}_dims length must match the size of last dimension of indices"));
    }
    let dims: Vec<usize> = dims.iter().filter_map(|&dim| usize::try_from(dim).ok()).collect();
    let kept = |dim: &usize| !dims.contains(dim);
    let reduced: Vec<i64> =
        places.iter().copied().chain((0..shape.len()).filter(kept).map(|dim| shape[dim])).collect();
    let one = |dim: usize| if kept(&dim) { shape[dim] } else { 1 };
    let full: Vec<i64> = places.iter().copied().chain((0..shape.len()).map(one)).collect();
    let (full, reduced) = (Type::tensor(ctx, &full, element), Type::tensor(ctx, &reduced, element));
    if slices != full && slices != reduced {
        let [full, reduced, slices] = [full, reduced, slices].map(|ty| print_type(ctx, ty));
        return Err(format!(
            "{result} type mismatch: expected '{full}' or its rank-reduced variant '{reduced}' (got: '{slices}')"
        ));
    }
    Ok(())
}

/// Inserts slices into a tensor at the given coordinates.
#[op(
    "tensor.scatter",
    traits(PURE),
    assembly = "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict `:` functional-type(operands, results)",
    verify = verify_scatter,
    services(
        ElementAgnostic = (),
        AsmNames = Named("scatter"),
        RuntimeVerification = runtime_verification::CoordinatesFit,
    )
)]
pub struct Scatter {
    /// The slices.
    source: Operand<RANKED_TENSOR>,
    /// The destination.
    dest: Operand<RANKED_TENSOR>,
    /// The coordinates.
    indices: Operand<RANKED_TENSOR>,
    /// The dimensions to which the coordinates apply.
    scatter_dims: Vec<i64>,
    /// Whether the coordinates are unique; required.
    #[attr(unit)]
    unique: bool,
    /// The updated tensor.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_scatter(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let [source, dest, indices] = [0, 1, 2].map(|at| body.ty(view.operand(at)));
    if view.attr_named("unique").is_none() {
        return errors.push("requires 'unique' attribute to be set");
    }
    if let Err(message) = verify_places(view, ["scatter", "dest", "source"], dest, indices, source) {
        errors.push(message);
    }
}

//! Construction of tensors, and access to elements and extents.

use crate::{buffers, differentiate, evaluate, fold, fusion, generate, runtime_verification, shapes};
use minoan_ir::constraints::{
    ANY, INDEX, NON_0D_TENSOR, RANKED_TENSOR, STATIC_TENSOR, TENSOR, element_of, same_as,
};
use minoan_ir::text::AsmNames;
use minoan_ir::verify::bare;
use minoan_ir::{Body, Builder, DYNAMIC, Op, OpDef, OpRef, OpState, Type, Value, Violation, Violations, op};
use minoan_memref::Named;
use minoan_services::{
    AliasModel, DerivativeRule, Differentiate, DimensionOperand, ElementAccess, ElementAgnostic, Evaluate,
    EvaluateYield, ExtentOf, ExtentsOfOperands, Fold, FoldFn, Folded, Fusion, IterationDomain, RegionFlow,
    RuntimeVerification, ShapeInference, Speculation, SplatDomain, ToBuffers, TrailingExtents,
    TrailingIndices, VectorForm, constant_of,
};

/// Creates a tensor of the given extents with unspecified elements.
#[op(
    "tensor.empty",
    traits(PURE),
    assembly = "`(` $dynamicSizes `)` attr-dict `:` type($result)",
    verify = verify_sizes,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateEmpty,
        RuntimeVerification = runtime_verification::Sizes { first: 0 },
        Fold = FoldFn(fold::fold_empty),
        ToBuffers = buffers::BufferEmpty,
        ShapeInference = shapes::SizesShape,
        ExtentOf = TrailingExtents { first: 0 },
    )
)]
pub struct Empty {
    /// One operand per dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// The tensor.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_sizes(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(shape) = view.result_types().next().and_then(|ty| ty.shape(ctx)) else { return };
    let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    if view.n_operands() != dynamic {
        errors.push(format!(
            "incorrect number of dynamic sizes, has {}, expected {dynamic}",
            view.n_operands()
        ));
    }
}

/// Extracts an element.
#[op(
    "tensor.extract",
    traits(PURE),
    assembly = "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
    derive(result = element_of(tensor), "result type matches element type of tensor"),
    verify = verify_extract,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateExtract,
        RuntimeVerification = runtime_verification::Indices { tensor: 0 },
        Speculation = |op: OpRef<'_>| is_in_bounds(op, 0),
        Fold = FoldFn(fold::fold_extract),
        AsmNames = Named("extracted"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::extract_transpose),
        minoan_services::Generate = generate::AnyExtract,
        ToBuffers = buffers::BufferExtract,
        ShapeInference = shapes::AnyOperands,
        ElementAccess = TrailingIndices { stores: false },
        VectorForm = fusion::ExtractLanes,
        Fusion = fusion::FuseIntoExtract,
    )
)]
pub struct Extract {
    /// The tensor.
    tensor: Operand<RANKED_TENSOR>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// The element.
    result: OpResult<ANY>,
}

fn verify_extract(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let rank = view.operand_types().next().and_then(|ty| ty.rank(body.context()));
    if rank.is_some_and(|rank| rank != view.n_operands() - 1) {
        errors.push("incorrect number of indices for extract_element");
    }
}

/// Inserts an element.
#[op(
    "tensor.insert",
    traits(PURE),
    assembly = "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
    derive(scalar = element_of(dest), "scalar type matches element type of dest"),
    derive(result = same_as(dest), "result type matches type of dest"),
    verify = verify_insert,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateInsert,
        RuntimeVerification = runtime_verification::Indices { tensor: 1 },
        Speculation = |op: OpRef<'_>| is_in_bounds(op, 1),
        AsmNames = Named("inserted"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::insert_transpose),
        minoan_services::Generate = generate::AnyInsert,
        AliasModel = buffers::InsertUpdates,
        ToBuffers = buffers::BufferInsert,
        ShapeInference = shapes::DestShape,
        ElementAccess = TrailingIndices { stores: true },
        ExtentOf = ExtentsOfOperands { first: |_| 1 },
    )
)]
pub struct Insert {
    /// The inserted element.
    scalar: Operand<ANY>,
    /// The destination.
    dest: Operand<RANKED_TENSOR>,
    /// One index per dimension.
    indices: Vec<Operand<INDEX>>,
    /// The updated tensor.
    result: OpResult<RANKED_TENSOR>,
}

fn verify_insert(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let rank = view.operand_types().nth(1).and_then(|ty| ty.rank(body.context()));
    if rank.is_some_and(|rank| rank != view.n_operands() - 2) {
        errors.push("incorrect number of indices");
    }
}

/// Whether the indices after operand number `tensor` are constants within its extents, so that the operation is
/// speculatable. An index out of bounds is undefined behavior.
pub(crate) fn is_in_bounds(op: OpRef<'_>, tensor: usize) -> bool {
    let (ctx, body) = (op.context(), op.body());
    let Some(shape) = body.ty(op.operand(tensor)).shape(ctx) else { return false };
    op.operands().skip(tensor + 1).zip(shape).all(|(index, extent)| {
        let index = constant_of(body, index).and_then(|attr| attr.as_i64(ctx));
        index.is_some_and(|index| (0..*extent).contains(&index))
    })
}

/// The extent of a dimension.
#[op(
    "tensor.dim",
    traits(PURE),
    assembly = "attr-dict $source `,` $index `:` type($source)",
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateDim,
        RuntimeVerification = runtime_verification::DimExists,
        Speculation = minoan_memref::is_constant_dim,
        Fold = FoldFn(fold::fold_dim),
        AsmNames = Named("dim"),
        minoan_services::Generate = generate::AnyDim,
        ToBuffers = buffers::BufferDim,
        ShapeInference = shapes::AnyOperands,
        ExtentOf = DimensionOperand,
    )
)]
pub struct Dim {
    /// The tensor, which has a dimension.
    source: Operand<NON_0D_TENSOR>,
    /// The dimension.
    index: Operand<INDEX>,
    /// The extent.
    #[result(INDEX, fixed)]
    result: Value,
}

/// Casts a tensor to a more or less static type.
#[op(
    "tensor.cast",
    traits(PURE),
    assembly = "$source attr-dict `:` type($source) `to` type($dest)",
    verify = verify_cast,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateCast,
        RuntimeVerification = runtime_verification::CastFits,
        Fold = FoldFn(fold::fold_cast),
        AsmNames = Named("cast"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::cast_transpose),
        minoan_services::Generate = generate::AnyCast,
        AliasModel = buffers::CastIsView,
        ToBuffers = buffers::BufferCast,
        ShapeInference = shapes::CastShape,
        ExtentOf = ExtentsOfOperands { first: |_| 0 },
    )
)]
pub struct Cast {
    /// The tensor.
    source: Operand<TENSOR>,
    /// The same tensor.
    dest: OpResult<TENSOR>,
}

fn verify_cast(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let (Some(from), Some(to)) = (view.operand_types().next(), view.result_types().next()) else { return };
    let fits = from.element(ctx) == to.element(ctx)
        && match (from.shape(ctx), to.shape(ctx)) {
            (Some(from), Some(to)) => {
                let same = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
                from.len() == to.len() && from.iter().zip(to).all(same)
            }
            _ => true,
        };
    if !fits {
        errors.push(Violation::cast(ctx, from, to));
    }
}

/// Creates a tensor from its elements.
#[op(
    "tensor.from_elements",
    traits(PURE),
    assembly = "$elements attr-dict `:` type($result)",
    derive(elements = element_of(result), "operand types match result element type"),
    verify = verify_from_elements,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateFromElements,
        AsmNames = Named("from_elements"),
        Differentiate = DerivativeRule::linear(differentiate::moved, differentiate::from_elements_transpose),
        minoan_services::Generate = generate::AnyFromElements,
        ToBuffers = buffers::BufferFromElements,
    )
)]
pub struct FromElements {
    /// The elements in row-major order.
    elements: Vec<Operand<ANY>>,
    /// The tensor, which has static extents.
    result: OpResult<STATIC_TENSOR>,
}

fn verify_from_elements(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(shape) = view.result_types().next().and_then(|ty| ty.shape(ctx)) else { return };
    let (want, have) = (shape.iter().product::<i64>(), view.n_operands());
    if want != have as i64 {
        errors
            .push(format!("number of operands and types do not match: got {have} operands and {want} types"));
    }
}

/// Creates a tensor whose elements are all equal.
#[op(
    "tensor.splat",
    traits(PURE),
    assembly = "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)",
    derive(input = element_of(aggregate), "operand type matches element type of result"),
    verify = verify_splat,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateSplat,
        RuntimeVerification = runtime_verification::Sizes { first: 1 },
        Fold = FoldFn(|op, operands| fold::fold_splat(op, operands).unwrap_or(Folded::Stays)),
        AsmNames = Named("splat"),
        minoan_services::Generate = generate::AnySplat,
        ToBuffers = buffers::BufferSplat,
        ShapeInference = shapes::SizesShape,
        IterationDomain = SplatDomain,
        ExtentOf = TrailingExtents { first: 1 },
    )
)]
pub struct Splat {
    /// The element.
    input: Operand<ANY>,
    /// One operand per dynamic extent.
    #[operand(INDEX, name = "dynamicSizes")]
    dynamic_sizes: Vec<Value>,
    /// The tensor.
    aggregate: OpResult<RANKED_TENSOR>,
}

fn verify_splat(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    if let Some(message) = wrong_sizes(view, view.n_operands() - 1) {
        errors.push(message);
    }
}

/// A message if the number of extent operands does not match the result type.
fn wrong_sizes(op: OpRef<'_>, have: usize) -> Option<String> {
    let shape = op.result_types().next()?.shape(op.context())?;
    let want = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    (have != want).then(|| format!("incorrect number of dynamic sizes, has {have}, expected {want}"))
}

/// Creates a tensor whose elements are computed from their indices.
///
/// The region's arguments are the indices; `tensor.yield` returns the element.
#[op(
    "tensor.generate",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = "$dynamicExtents $body attr-dict `:` type($result)",
    verify = verify_generate,
    services(
        ElementAgnostic = (),
        Evaluate = evaluate::EvaluateGenerate,
        RuntimeVerification = runtime_verification::Sizes { first: 0 },
        AsmNames = Named("generated"),
        minoan_services::Generate = generate::AnyGenerate,
        RegionFlow = buffers::GenerateFlow,
        ToBuffers = buffers::BufferGenerate,
        ShapeInference = shapes::SizesShape,
        IterationDomain = fusion::GenerateDomain,
        ExtentOf = TrailingExtents { first: 0 },
    )
)]
pub struct Generate {
    /// One operand per dynamic extent.
    #[operand(INDEX, name = "dynamicExtents")]
    dynamic_extents: Vec<Value>,
    /// The tensor.
    result: OpResult<RANKED_TENSOR>,
    /// Computes an element.
    #[region(non_empty)]
    body: Region,
}

impl Generate {
    /// Creates a tensor of type `ty`; `build` computes an element from its indices.
    pub fn with(
        b: &mut Builder<'_>,
        ty: Type,
        sizes: &[Value],
        build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value,
    ) -> Generate {
        let ctx = b.context();
        let state = OpState::new(ctx.kind_of::<Generate>()).operands(sizes).results(&[ty]).regions(1);
        let op = b.create(state);
        let (block, outside) = b.enter(op, 0, &vec![Type::INDEX; ty.rank(&ctx).unwrap_or(0)]);
        let args: Vec<Value> = b.body().block(block).args().collect();
        let element = build(b, &args);
        Yield::build(b, element);
        b.set_insertion_point(outside);
        Generate::from_op_unchecked(op)
    }
}

fn verify_generate(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(ty) = view.result_types().next() else { return };
    let shape = ty.shape(ctx).unwrap_or(&[]);
    if let Some(message) = wrong_sizes(view, view.n_operands()) {
        return errors.push(message);
    }
    let Some(entry) = view.own_regions().next().and_then(|region| body.region(region).entry()) else {
        return;
    };
    let entry = body.block(entry);
    if entry.args().any(|arg| body.ty(arg) != Type::INDEX) {
        return errors.push(bare("all body arguments must be index"));
    }
    if entry.n_args() != shape.len() {
        return errors.push(bare("must have one body argument per input dimension"));
    }
    match entry.last().map(|op| body.op(op)).filter(|op| op.is::<Yield>()) {
        Some(last) if last.operand_types().next() != ty.element(ctx) => {
            errors.push("body must be terminated with a `yield` operation of the tensor element type");
        }
        Some(_) => {}
        None => errors.push("expects regions to end with 'tensor.yield'"),
    }
}

/// Yields an element of a `tensor.generate`.
#[op(
    "tensor.yield",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    parents("tensor.generate", "tensor.pad"),
    assembly = "$value attr-dict `:` type($value)",
    services(ElementAgnostic = (), Evaluate = EvaluateYield)
)]
pub struct Yield {
    /// The element.
    value: Operand<ANY>,
}

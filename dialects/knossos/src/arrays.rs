//! Operations on tensors.

use crate::Yield;
use crate::ops::with_region;
use crate::types::{ARRAY, SIZE, VALUE, array, element_type, size_type, tensor_parts};
use minoan_functional::verify_region;
use minoan_ir::constraints::I64;
use minoan_ir::{Body, Builder, InferInput, Op, Type, Value, Violations, op};

/// A tensor whose elements are computed from their indices.
///
/// `knossos.build %n { ^bb0(%i: i64): .. knossos.yield %x : f32 } : tensor<?xf32>`. A negative extent stops the
/// program.
#[op(
    "knossos.build",
    traits(SINGLE_BLOCK),
    assembly = "$sizes $body attr-dict `:` type($result)",
    verify = verify_build
)]
pub struct Build {
    /// The extents.
    sizes: Vec<Operand<I64>>,
    /// The tensor.
    result: OpResult<ARRAY>,
    /// Computes an element.
    #[region(non_empty)]
    body: Region,
}

fn verify_build(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(ty) = view.result_types().next() else { return };
    let rank = view.n_operands();
    let Some((expected, element)) = tensor_parts(ctx, ty) else { return };
    if expected != rank {
        errors.push("must have one size for each dimension");
    }
    verify_region::<Yield>(body, op, 0, &vec![Type::I64; rank], Some(element), errors);
}

impl Build {
    /// Creates a tensor; `fill` computes an element from its indices.
    pub fn with(
        b: &mut Builder<'_>,
        sizes: &[Value],
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        let (ctx, rank) = (b.context(), sizes.len());
        with_region::<Build>(b, sizes, &vec![Type::I64; rank], |ty| array(&ctx, rank, ty), fill)
    }
}

/// The sum of terms computed from indices.
///
/// An empty sum of numbers or tuples of numbers is zero; an empty sum of tensors stops the program.
#[op(
    "knossos.sumbuild",
    traits(SINGLE_BLOCK),
    assembly = "$sizes $body attr-dict `:` type($result)",
    verify = verify_sum_build
)]
pub struct SumBuild {
    /// The extents.
    sizes: Vec<Operand<I64>>,
    /// The sum.
    result: OpResult<VALUE>,
    /// Computes a term.
    #[region(non_empty)]
    body: Region,
}

fn verify_sum_build(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    verify_region::<Yield>(
        body,
        op,
        0,
        &vec![Type::I64; view.n_operands()],
        view.result_types().next(),
        errors,
    );
}

impl SumBuild {
    /// Creates a sum; `fill` computes a term from its indices.
    pub fn with(
        b: &mut Builder<'_>,
        sizes: &[Value],
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        with_region::<SumBuild>(b, sizes, &vec![Type::I64; sizes.len()], |ty| ty, fill)
    }
}

/// Left fold over the elements of a vector.
#[op(
    "knossos.fold",
    traits(SINGLE_BLOCK),
    assembly = "$init `,` $vector $body attr-dict `:` type($init) `,` type($vector)",
    infer = infer_fold,
    verify = verify_fold
)]
pub struct Fold {
    /// The initial value.
    init: Operand<VALUE>,
    /// The vector.
    vector: Operand<ARRAY>,
    /// The final accumulator.
    result: OpResult<VALUE>,
    /// Computes the next accumulator from the accumulator and an element.
    #[region(non_empty)]
    body: Region,
}

fn infer_fold(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    input.operands.first().map(|&ty| vec![ty]).ok_or_else(|| "expected 2 operands".to_owned())
}

fn verify_fold(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let types: Vec<Type> = view.operand_types().collect();
    let &[init, vector] = &types[..] else { return };
    let Some((rank, element)) = tensor_parts(ctx, vector) else { return };
    if rank != 1 {
        errors.push("folds vectors only");
    }
    verify_region::<Yield>(body, op, 0, &[init, element], Some(init), errors);
    if view.result_types().next() != Some(init) {
        errors.push("the result must have the type of the first value");
    }
}

impl Fold {
    /// Creates a fold; `fill` computes the next accumulator from the accumulator and an element.
    pub fn with(
        b: &mut Builder<'_>,
        init: Value,
        vector: Value,
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        let ctx = b.context();
        let element = element_type(&ctx, b.ty(vector))?;
        let args = [b.ty(init), element];
        with_region::<Fold>(b, &[init, vector], &args, |_| args[0], fill)
    }
}

/// Applies a function to each element of a tensor.
#[op(
    "knossos.map",
    traits(SINGLE_BLOCK),
    assembly = "$tensor $body attr-dict `:` type($tensor) `->` type($result)",
    verify = verify_map
)]
pub struct Map {
    /// The tensor.
    tensor: Operand<ARRAY>,
    /// The tensor of results.
    result: OpResult<ARRAY>,
    /// Computes an element of the result.
    #[region(non_empty)]
    body: Region,
}

/// Applies a function to corresponding elements of two tensors; different sizes stop the program.
#[op(
    "knossos.map2",
    traits(SINGLE_BLOCK),
    assembly = "$lhs `,` $rhs $body attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)",
    verify = verify_map
)]
pub struct Map2 {
    /// The left tensor.
    lhs: Operand<ARRAY>,
    /// The right tensor.
    rhs: Operand<ARRAY>,
    /// The tensor of results.
    result: OpResult<ARRAY>,
    /// Computes an element of the result.
    #[region(non_empty)]
    body: Region,
}

fn verify_map(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(result) = view.result_types().next() else { return };
    let parts: Option<Vec<(usize, Type)>> = view.operand_types().map(|ty| tensor_parts(ctx, ty)).collect();
    let (Some(parts), Some((rank, element))) = (parts, tensor_parts(ctx, result)) else { return };
    if parts.iter().any(|&(other, _)| other != rank) {
        errors.push("the tensors must have one rank");
    }
    let elements: Vec<Type> = parts.into_iter().map(|(_, element)| element).collect();
    verify_region::<Yield>(body, op, 0, &elements, Some(element), errors);
}

macro_rules! map_with {
    ($op:ident) => {
        impl $op {
            /// Creates a tensor; `fill` computes an element from those of the operands.
            pub fn with(
                b: &mut Builder<'_>,
                tensors: &[Value],
                fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
            ) -> Option<Value> {
                let ctx = b.context();
                let parts: Option<Vec<(usize, Type)>> =
                    tensors.iter().map(|&tensor| tensor_parts(&ctx, b.ty(tensor))).collect();
                let parts = parts?;
                let rank = parts.first()?.0;
                let args: Vec<Type> = parts.into_iter().map(|(_, element)| element).collect();
                with_region::<$op>(b, tensors, &args, |ty| array(&ctx, rank, ty), fill)
            }
        }
    };
}
map_with!(Map);
map_with!(Map2);

/// Reads an element.
#[op(
    "knossos.index",
    assembly = "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
    infer = infer_index,
    verify = verify_index
)]
pub struct Index {
    /// The tensor.
    tensor: Operand<ARRAY>,
    /// One index per dimension.
    indices: Vec<Operand<I64>>,
    /// The element.
    result: OpResult<VALUE>,
}

fn infer_index(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let element = input.operands.first().and_then(|&ty| element_type(input.ctx, ty));
    element.map(|ty| vec![ty]).ok_or_else(|| "expected a tensor".to_owned())
}

fn verify_index(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let Some(ty) = view.operand_types().next() else { return };
    let Some((rank, element)) = tensor_parts(ctx, ty) else { return };
    if rank != view.n_operands() - 1 {
        errors.push("must have one index for each dimension");
    }
    if view.result_types().next() != Some(element) {
        errors.push("the result must be an element");
    }
}

/// The size of a tensor: one number, or a tuple of the extents.
#[op(
    "knossos.size",
    traits(PURE),
    assembly = "$tensor attr-dict `:` type($tensor)",
    infer = infer_size
)]
pub struct Size {
    /// The tensor.
    tensor: Operand<ARRAY>,
    /// The size.
    result: OpResult<SIZE>,
}

fn infer_size(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let parts = input.operands.first().and_then(|&ty| tensor_parts(input.ctx, ty));
    parts.map(|(rank, _)| vec![size_type(input.ctx, rank)]).ok_or_else(|| "expected a tensor".to_owned())
}

/// The sum of all elements.
///
/// An empty sum of numbers or tuples of numbers is zero; an empty sum of tensors stops the program.
#[op("knossos.sum", traits(PURE), assembly = "$tensor attr-dict `:` type($tensor)", infer = infer_index)]
pub struct Sum {
    /// The tensor.
    tensor: Operand<ARRAY>,
    /// The sum.
    result: OpResult<VALUE>,
}

/// A tensor whose elements are all equal.
#[op(
    "knossos.const_vec",
    assembly = "$value `[` $sizes `]` attr-dict `:` type($result)",
    derive(value = crate::types::element_type(result), "the value is an element"),
    infer = infer_const_vec
)]
pub struct ConstVec {
    /// The element.
    value: Operand<VALUE>,
    /// The extents.
    sizes: Vec<Operand<I64>>,
    /// The tensor.
    result: OpResult<ARRAY>,
}

fn infer_const_vec(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let (&element, sizes) = input.operands.split_first().ok_or("expected an element")?;
    if !(1..=crate::MAX_RANK).contains(&sizes.len()) {
        return Err(format!("expected 1 to {} sizes", crate::MAX_RANK));
    }
    Ok(vec![array(input.ctx, sizes.len(), element)])
}

/// A tensor that is zero except for one element; all zero if the index is out of bounds.
#[op(
    "knossos.delta_vec",
    traits(OPERAND_SEGMENTS),
    assembly = "$value `at` `[` $indices `]` `of` `[` $sizes `]` attr-dict `:` type($result)",
    derive(value = crate::types::element_type(result), "the value is an element")
)]
pub struct DeltaVec {
    /// The element.
    value: Operand<VALUE>,
    /// The extents.
    sizes: Vec<Operand<I64>>,
    /// The index of the element.
    indices: Vec<Operand<I64>>,
    /// The tensor.
    result: OpResult<ARRAY>,
}

/// The value if two indices are equal, otherwise a zero of the same size.
#[op(
    "knossos.delta",
    traits(PURE),
    assembly = "$value `if` $lhs `is` $rhs attr-dict `:` type($lhs) `,` type($value)",
    derive(rhs = minoan_ir::constraints::same_as(lhs), "both indices have one type"),
    derive(result = minoan_ir::constraints::same_as(value), "the result is like the value"),
    infer = infer_delta
)]
pub struct Delta {
    /// The left index.
    lhs: Operand<SIZE>,
    /// The right index.
    rhs: Operand<SIZE>,
    /// The value.
    value: Operand<VALUE>,
    /// The value or zero.
    result: OpResult<VALUE>,
}

fn infer_delta(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    input.operands.last().map(|&ty| vec![ty]).ok_or_else(|| "expected 3 operands".to_owned())
}

/// A vector of the given elements.
#[op(
    "knossos.vec_init",
    traits(PURE),
    assembly = "$elements attr-dict `:` type($result)",
    derive(elements = crate::types::element_type(result), "the operands are the elements"),
    infer = infer_vec_init
)]
pub struct VecInit {
    /// The elements.
    elements: Vec<Operand<VALUE>>,
    /// The vector.
    result: OpResult<ARRAY>,
}

fn infer_vec_init(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let element = input.operands.first().copied().ok_or("expected an element")?;
    Ok(vec![array(input.ctx, 1, element)])
}

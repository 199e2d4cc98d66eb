//! Operations on tensors of tuples, and sparse sums.

use crate::Yield;
use crate::ops::with_region_and;
use crate::types::{ARRAY, TUPLE, array, size_type, tensor_parts};
use minoan_functional::verify_region;
use minoan_ir::constraints::I64;
use minoan_ir::{Attr, Body, Builder, Context, InferInput, Op, Type, Value, Violations, op};

/// The tensors of the components of a tensor of tuples.
#[op(
    "knossos.unzip",
    traits(PURE),
    assembly = "$tensor attr-dict `:` type($tensor)",
    infer = infer_unzip,
    verify = verify_unzip
)]
pub struct Unzip {
    /// The tensor of tuples.
    tensor: Operand<ARRAY>,
    /// A tuple of tensors.
    result: OpResult<TUPLE>,
}

fn unzipped(ctx: &Context, ty: Type) -> Option<Type> {
    let (rank, element) = tensor_parts(ctx, ty)?;
    let parts: Vec<Type> = element.as_tuple(ctx)?.iter().map(|&part| array(ctx, rank, part)).collect();
    Some(Type::tuple(ctx, &parts))
}

fn infer_unzip(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let result = input.operands.first().and_then(|&ty| unzipped(input.ctx, ty));
    result.map(|ty| vec![ty]).ok_or_else(|| "expected a tensor of tuples".to_owned())
}

fn verify_unzip(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    if view.result_types().next() != view.operand_types().next().and_then(|ty| unzipped(ctx, ty)) {
        errors.push("must unzip a tensor of tuples to a tuple of tensors");
    }
}

/// Tensors of zeros to which values are added at computed indices.
///
/// `knossos.build_from_sparse %shape [%n] {..} : !knossos.tensor<1, tuple<>> -> tuple<tensor<?xf32>>`: for each shape,
/// in which an empty tuple stands for a scalar, one tensor of these extents. The region yields a tuple with the index
/// and the value for each tensor. An index out of bounds stops the program.
#[op(
    "knossos.build_from_sparse",
    traits(SINGLE_BLOCK, OPERAND_SEGMENTS),
    assembly = "$shapes `[` $sizes `]` $body attr-dict `:` type($shapes) `->` type($result)",
    verify = verify_build_from_sparse
)]
pub struct BuildFromSparse {
    /// The shapes of the tensors.
    shapes: Vec<Operand<ARRAY>>,
    /// The extents of the domain of the region.
    sizes: Vec<Operand<I64>>,
    /// The tuple of the tensors.
    result: OpResult<TUPLE>,
    /// Computes an index and a value for each tensor.
    #[region(non_empty)]
    body: Region,
}

/// The result of a region that yields `yielded`: one tensor for each of its parts.
fn scattered(ctx: &Context, shapes: &[Type], yielded: Type) -> Option<Type> {
    let parts = yielded.as_tuple(ctx)?;
    let tensor = |(&part, &shape): (&Type, &Type)| {
        let (&[place, value], (rank, _)) = (part.as_tuple(ctx)?, tensor_parts(ctx, shape)?) else {
            return None;
        };
        (size_type(ctx, rank) == place).then(|| array(ctx, rank, value))
    };
    let tensors: Option<Vec<Type>> = parts.iter().zip(shapes).map(tensor).collect();
    tensors
        .filter(|tensors| tensors.len() == shapes.len() && parts.len() == shapes.len())
        .map(|it| Type::tuple(ctx, &it))
}

fn verify_build_from_sparse(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let rank = view.operand_group(1).len();
    let yielded = verify_region::<Yield>(body, op, 0, &vec![Type::I64; rank], None, errors);
    let shapes: Vec<Type> = view.operand_group(0).iter().map(|&shape| body.ty(shape)).collect();
    if let Some(yielded) = yielded
        && view.result_types().next() != scattered(ctx, &shapes, yielded)
    {
        errors.push(
            "must yield an index and a value for each shape, and have a tensor of these values as its result",
        );
    }
}

impl BuildFromSparse {
    /// Creates the operation; `fill` computes a tuple of an index and a value for each shape.
    pub fn with(
        b: &mut Builder<'_>,
        shapes: &[Value],
        sizes: &[Value],
        fill: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Value>,
    ) -> Option<Value> {
        let ctx = b.context();
        let types: Vec<Type> = shapes.iter().map(|&shape| b.ty(shape)).collect();
        let segments = Attr::dense_i32(&ctx, &[shapes.len() as i32, sizes.len() as i32]);
        let props = b.dictionary(&[("operandSegmentSizes", Some(segments))]);
        let operands = [shapes, sizes].concat();
        let args = vec![Type::I64; sizes.len()];
        with_region_and::<BuildFromSparse>(b, &operands, props, &args, |ty| scattered(&ctx, &types, ty), fill)
    }
}

//! The dialect: matrices of `f64` are tensors of rank 2, records have a custom type.

use crate::evaluate::evaluate;
use crate::shapes::{self, FromOperands, MATRIX, any_extents, is_static};
use minoan::ir::text::print_type;
use minoan::ir::{AttrConstraint, AttrData, AttrSyntax, InferInput};
use minoan::prelude::*;
use minoan::services::{Speculation, TypeInference};

// ANCHOR: constant
/// A matrix of numbers.
#[op("toy.constant", traits(PURE), assembly = "$value attr-dict", infer = constant_type,
     services(Evaluate = EvaluateFn(evaluate)))]
pub struct Constant {
    /// The elements.
    #[attr(ELEMENTS)]
    value: Attr,
    /// The matrix.
    result: OpResult<MATRIX>,
}

/// The elements of a constant: `dense<..> : tensor<2x3xf64>`.
static ELEMENTS: AttrConstraint = AttrConstraint {
    description: "elements of a matrix",
    check: |ctx, attr| matches!(attr.data(ctx), AttrData::DenseElements { ty, .. } if MATRIX.holds(ctx, *ty)),
    syntax: AttrSyntax::Any,
};

fn constant_type(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let value =
        input.props.get(input.ctx, input.ctx.name("value")).and_then(|value| value.value_type(input.ctx));
    Ok(vec![value.ok_or("expected elements of a matrix")?])
}
// ANCHOR_END: constant

// ANCHOR: add
/// The elementwise sum.
#[op("toy.add", traits(PURE, COMMUTATIVE), infer = shapes::same_extents, compatible = any_extents,
     assembly = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)",
     services(Evaluate = EvaluateFn(evaluate), TypeInference = FromOperands, Speculation = is_static))]
pub struct Add {
    lhs: Operand<MATRIX>,
    rhs: Operand<MATRIX>,
    result: OpResult<MATRIX>,
}
// ANCHOR_END: add

/// The elementwise product.
#[op("toy.mul", traits(PURE, COMMUTATIVE), infer = shapes::same_extents, compatible = any_extents,
     assembly = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)",
     services(Evaluate = EvaluateFn(evaluate), TypeInference = FromOperands, Speculation = is_static))]
pub struct Mul {
    lhs: Operand<MATRIX>,
    rhs: Operand<MATRIX>,
    result: OpResult<MATRIX>,
}

/// The product of matrices.
#[op("toy.matmul", traits(PURE), infer = shapes::product_extents, compatible = any_extents,
     assembly = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)",
     services(Evaluate = EvaluateFn(evaluate), TypeInference = FromOperands, Speculation = is_static))]
pub struct MatMul {
    lhs: Operand<MATRIX>,
    rhs: Operand<MATRIX>,
    result: OpResult<MATRIX>,
}

// ANCHOR: transpose
/// The transposed matrix.
#[op("toy.transpose", traits(PURE), infer = shapes::swapped_extents, compatible = any_extents,
     assembly = "$matrix attr-dict `:` functional-type(operands, results)",
     services(Evaluate = EvaluateFn(evaluate), TypeInference = FromOperands,
              CanonicalPatterns = AddPatterns(|patterns| {
                  patterns.add(pattern!("transpose-transpose":
                      outer @ Transpose(Transpose(x)) if body.ty(x) == body.ty(outer.result(body)) => x));
              })))]
pub struct Transpose {
    matrix: Operand<MATRIX>,
    result: OpResult<MATRIX>,
}
// ANCHOR_END: transpose

// ANCHOR: reduce
/// The operation that reduces a matrix: `#toy.reduction<sum>`.
#[attr("toy.reduction")]
pub enum Reduction {
    /// The sum of the elements.
    Sum,
    /// The greatest element.
    Max,
}

/// Reduces a matrix to one of one element: `toy.reduce <sum> %x : tensor<2x3xf64>`.
#[op("toy.reduce", traits(PURE), infer = shapes::one_element,
     assembly = "$reduction $matrix attr-dict `:` type($matrix)",
     services(Evaluate = EvaluateFn(evaluate)))]
pub struct Reduce {
    /// The operation.
    reduction: Reduction,
    matrix: Operand<MATRIX>,
    result: OpResult<MATRIX>,
}
// ANCHOR_END: reduce

// ANCHOR: each
/// Applies its region to each element of a matrix.
#[op("toy.each", traits(SINGLE_BLOCK, RECURSIVE_EFFECTS), verify = Each::verify,
     same_types(matrix, result),
     assembly = "$matrix `:` type($matrix) $body attr-dict",
     services(Evaluate = EvaluateFn(evaluate), TypeInference = FromOperands))]
pub struct Each {
    matrix: Operand<MATRIX>,
    result: OpResult<MATRIX>,
    /// Maps an element to the element of the result; it ends in `toy.yield`.
    #[region(non_empty)]
    body: Region,
}

impl Each {
    fn verify(self, body: &Body) -> Result<(), Violation> {
        let entry = body.region(self.body(body)).entry();
        let args = entry.into_iter().flat_map(|entry| body.block(entry).args());
        let args: Vec<Type> = args.map(|arg| body.ty(arg)).collect();
        ensure!(args == [Type::F64], "has a region with one argument of type f64");
        Ok(())
    }
}

/// The element that the region around it computes.
#[op("toy.yield", traits(PURE, TERMINATOR, RETURN_LIKE), parents("toy.each"),
     assembly = "$element attr-dict", services(Evaluate = EvaluateYield))]
pub struct Yield {
    element: Operand<F64>,
}
// ANCHOR_END: each

// ANCHOR: record
/// A record of matrices: `!toy.record<tensor<2x2xf64>, tensor<?x?xf64>>`.
#[ty("toy.record", verify = verify_record)]
pub struct Record {
    /// The types of the fields.
    fields: Vec<Type>,
}

fn verify_record(ctx: &Context, fields: Vec<Type>) -> Result<(), String> {
    match fields.into_iter().find(|&field| !MATRIX.holds(ctx, field)) {
        Some(field) => Err(format!("a field of a record is a matrix, not {}", print_type(ctx, field))),
        None => Ok(()),
    }
}

/// A record of its operands.
#[op("toy.pack", traits(PURE), infer = record_type, assembly = "$fields attr-dict `:` type($fields)")]
pub struct Pack {
    fields: Vec<Operand<MATRIX>>,
    record: OpResult<Record>,
}

fn record_type(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    Ok(vec![Record::checked(input.ctx, input.operands.to_vec()).map_err(|error| error.to_string())?.into()])
}

/// A field of a record, by its index.
#[op("toy.field", traits(PURE), infer = field_type, assembly = "$record `[` $index `]` attr-dict `:` type($record)",
     services(Fold = FoldFn(|op, _| {
         let field = op.cast::<Field>();
         let pack = field.and_then(|field| {
             let definition = op.body().defining_op(field.record(op.body()))?;
             Pack::cast(op.body(), definition)
         });
         let index = field.map_or(0, |field| field.index(op.body())) as usize;
         pack.and_then(|pack| pack.fields(op.body()).get(index).copied()).into()
     })))]
pub struct Field {
    record: Operand<Record>,
    /// The index, from 0.
    index: i64,
    result: OpResult<MATRIX>,
}
// ANCHOR_END: record

fn field_type(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let (ctx, index) = (
        input.ctx,
        input.props.get(input.ctx, input.ctx.name("index")).and_then(|index| index.as_i64(input.ctx)),
    );
    let fields =
        input.operands.first().and_then(|&ty| Record::cast(ctx, ty)).map(|record| record.fields(ctx));
    let (fields, index) = (fields.unwrap_or_default(), index.unwrap_or(-1));
    let field = usize::try_from(index).ok().and_then(|index| fields.get(index).copied());
    Ok(vec![field.ok_or_else(|| format!("takes field {index} of {}", fields.len()))?])
}

// ANCHOR: dialect
dialect! {
    /// The dialect.
    pub ToyDialect = "toy":
        types(Record),
        attrs(ReductionAttr),
        ops(Constant, Add, Mul, MatMul, Transpose, Reduce, Each, Yield, Pack, Field),
        services(Lower = LowerBy(crate::lower::contribute))
}
// ANCHOR_END: dialect

//! The conversion to shared dialects: matrices become `linalg.generic`, records their fields.

use crate::dialect::{
    Add, Constant, Each, Field, MatMul, Mul, Pack, Record, Reduce, Reduction, Transpose, Yield,
};
use minoan::ir::affine::AffineMap;
use minoan::prelude::*;
use minoan::services::IteratorType;

/// The message of a fault: operands of an elementwise operation differ in extents.
pub const ELEMENTWISE: &str = "operands have different extents";

/// The message of a fault: the extents of a product differ.
pub const PRODUCT: &str = "the columns of the left matrix are not the rows of the right one";

// ANCHOR: converter
/// A record becomes its fields; other types remain.
fn convert_types(types: &mut TypeConverter) {
    types.add(|ctx, ty| Record::cast(ctx, ty).map(|record| Converted::from_slice(&record.fields(ctx))));
}
// ANCHOR_END: converter

// ANCHOR: patterns
fn patterns(patterns: &mut PatternSet, types: &Arc<TypeConverter>) {
    patterns.convert(types, |op: Constant, [], b| {
        let value = op.value(b.body());
        Ok(arith::constant(b, value))
    });
    patterns.on_types::<Add>("lower-add", types, |op, see| elementwise(op.op(), see, arith::addf));
    patterns.on_types::<Mul>("lower-mul", types, |op, see| elementwise(op.op(), see, arith::mulf));
    patterns.on_types::<MatMul>("lower-matmul", types, lower_matmul);
    patterns.on_types::<Transpose>("lower-transpose", types, lower_transpose);
    patterns.on_types::<Reduce>("lower-reduce", types, lower_reduce);
    patterns.on_types::<Each>("lower-each", types, lower_each);
    patterns.convert_to::<Yield, linalg::Yield>(types);
    patterns.on_types::<Pack>("lower-pack", types, |op, see| {
        let fields: Values = see.operands(op.op())?.into_iter().flatten().collect();
        see.replace(op.op(), &[fields])
    });
    patterns.on_types::<Field>("lower-field", types, |op, see| {
        let fields = see.operands(op.op())?.swap_remove(0);
        let index = op.index(see.rewriter.body()) as usize;
        see.replace_flat(op.op(), &[*fields.get(index).ok_or(NoMatch::because("there is no such field"))?])
    });
}
// ANCHOR_END: patterns

/// The extent of a dimension: a constant if it is static.
fn extent(b: &mut Builder<'_>, matrix: Value, dimension: usize) -> Value {
    let ctx = b.context();
    match b.ty(matrix).shape(&ctx).and_then(|shape| shape.get(dimension).copied()) {
        Some(known) if known != DYNAMIC => arith::constant_index(b, known),
        _ => {
            let dimension = arith::constant_index(b, dimension as i64);
            tensor::dim(b, matrix, dimension)
        }
    }
}

// ANCHOR: check
/// Stops the program unless two extents are equal; nothing if both are static, since the verifier has compared them.
fn check(b: &mut Builder<'_>, a: (Value, usize), other: (Value, usize), message: &str) {
    let ctx = b.context();
    let known = |b: &Builder<'_>, (value, dimension): (Value, usize)| {
        b.ty(value).shape(&ctx).is_some_and(|shape| shape[dimension] != DYNAMIC)
    };
    if known(b, a) && known(b, other) {
        return;
    }
    let (lhs, rhs) = (extent(b, a.0, a.1), extent(b, other.0, other.1));
    let same = arith::cmpi(b, arith::CmpIPredicate::Eq, lhs, rhs);
    cf::Assert::build(b, same, message);
}
// ANCHOR_END: check

/// An uninitialized matrix of a type; `extents` are the extents of another matrix with their dimensions.
fn empty(b: &mut Builder<'_>, ty: Type, extents: [(Value, usize); 2]) -> Value {
    let ctx = b.context();
    let shape = ty.shape(&ctx).unwrap_or_default().to_vec();
    let dynamic = extents.into_iter().zip(shape).filter(|(_, extent)| *extent == DYNAMIC);
    let dynamic: Vec<Value> = dynamic.map(|((matrix, dimension), _)| extent(b, matrix, dimension)).collect();
    tensor::empty(b, &dynamic, ty)
}

const PARALLEL: [IteratorType; 2] = [IteratorType::Parallel; 2];

// ANCHOR: elementwise
/// An elementwise operation of two matrices.
fn elementwise(
    op: Op,
    see: &mut TypeConversion<'_, '_, '_>,
    scalar: fn(&mut Builder<'_>, Value, Value) -> Value,
) -> Result<(), NoMatch> {
    let operands = see.single_operands(op)?;
    let (lhs, rhs) = (operands[0], operands[1]);
    let ty = see.rewriter.ty(see.rewriter.op(op).result(0));
    let mut b = see.rewriter.builder();
    for dimension in 0..2 {
        check(&mut b, (lhs, dimension), (rhs, dimension), ELEMENTWISE);
    }
    let output = empty(&mut b, ty, [(lhs, 0), (lhs, 1)]);
    let map = AffineMap::projection(2, &[0, 1]);
    let maps = [map.clone(), map.clone(), map];
    let generic = linalg::Generic::with(&mut b, &[lhs, rhs], &[output], &maps, &PARALLEL, |b, elements| {
        vec![scalar(b, elements[0], elements[1])]
    });
    let result = b.body().op(generic.op()).result(0);
    see.replace_flat(op, &[result])
}
// ANCHOR_END: elementwise

fn lower_matmul(op: MatMul, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let operands = see.single_operands(op.op())?;
    let (lhs, rhs) = (operands[0], operands[1]);
    let ty = see.rewriter.ty(op.result(see.rewriter.body()));
    let mut b = see.rewriter.builder();
    check(&mut b, (lhs, 1), (rhs, 0), PRODUCT);
    let output = empty(&mut b, ty, [(lhs, 0), (rhs, 1)]);
    let zero = arith::constant_float(&mut b, 0.0, Type::F64);
    let output = linalg::Fill::with(&mut b, zero, output).op();
    let output = b.body().op(output).result(0);
    let maps = [[0, 2], [2, 1], [0, 1]].map(|dims| AffineMap::projection(3, &dims));
    let iterators = [IteratorType::Parallel, IteratorType::Parallel, IteratorType::Reduction];
    let generic = linalg::Generic::with(&mut b, &[lhs, rhs], &[output], &maps, &iterators, |b, elements| {
        let product = arith::mulf(b, elements[0], elements[1]);
        vec![arith::addf(b, elements[2], product)]
    });
    let result = b.body().op(generic.op()).result(0);
    see.replace_flat(op.op(), &[result])
}

fn lower_transpose(op: Transpose, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let input = see.single_operands(op.op())?[0];
    let ty = see.rewriter.ty(op.result(see.rewriter.body()));
    let mut b = see.rewriter.builder();
    let output = empty(&mut b, ty, [(input, 1), (input, 0)]);
    let maps = [[1, 0], [0, 1]].map(|dims| AffineMap::projection(2, &dims));
    let generic =
        linalg::Generic::with(&mut b, &[input], &[output], &maps, &PARALLEL, |_, elements| vec![elements[0]]);
    let result = b.body().op(generic.op()).result(0);
    see.replace_flat(op.op(), &[result])
}

fn lower_reduce(op: Reduce, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let input = see.single_operands(op.op())?[0];
    let (body, ctx) = (see.rewriter.body(), see.rewriter.context());
    let (reduction, ty) = (op.reduction(body), body.ty(op.result(body)));
    let scalar = Type::tensor(ctx, &[], Type::F64);
    let mut b = see.rewriter.builder();
    let identity = if reduction == Reduction::Sum { 0.0 } else { f64::NEG_INFINITY };
    let identity = arith::constant_float(&mut b, identity, Type::F64);
    let output = tensor::empty(&mut b, &[], scalar);
    let output = linalg::Fill::with(&mut b, identity, output).op();
    let output = b.body().op(output).result(0);
    let maps = [AffineMap::projection(2, &[0, 1]), AffineMap::projection(2, &[])];
    let iterators = [IteratorType::Reduction; 2];
    let generic = linalg::Generic::with(&mut b, &[input], &[output], &maps, &iterators, |b, elements| {
        let combine = if reduction == Reduction::Sum { arith::addf } else { arith::maximumf };
        vec![combine(b, elements[1], elements[0])]
    });
    let reduced = b.body().op(generic.op()).result(0);
    let element = tensor::extract(&mut b, reduced, &[]);
    let result = tensor::from_elements(&mut b, &[element], ty);
    see.replace_flat(op.op(), &[result])
}

// ANCHOR: each
/// The region becomes that of a `linalg.generic`: its block moves, and `toy.yield` is converted by its own pattern.
fn lower_each(op: Each, see: &mut TypeConversion<'_, '_, '_>) -> Result<(), NoMatch> {
    let input = see.single_operands(op.op())?[0];
    let (body, region) = (see.rewriter.body(), op.body(see.rewriter.body()));
    let ty = body.ty(op.result(body));
    let block = body.region(region).entry().ok_or(NoMatch::because("the region has no block"))?;
    let mut b = see.rewriter.builder();
    let output = empty(&mut b, ty, [(input, 0), (input, 1)]);
    let map = AffineMap::projection(2, &[0, 1]);
    let generic =
        linalg::Generic::with(&mut b, &[input], &[output], &[map.clone(), map], &PARALLEL, |_, elements| {
            vec![elements[0]]
        });
    let inside = b.body().op(generic.op()).region(0);
    let to = b.body().region(inside).entry().ok_or(NoMatch::because("the region has no block"))?;
    let (element, end) = (b.body().block(to).arg(0), b.body().block(to).last());
    if let Some(end) = end {
        see.rewriter.erase(end);
    }
    see.rewriter.inline_block(block, InsertionPoint::End(to), &[element]);
    let result = see.rewriter.op(generic.op()).result(0);
    see.replace_flat(op.op(), &[result])
}
// ANCHOR_END: each

// ANCHOR: lower
/// The contribution of the dialect to the conversion of the pass `lower`, which sessions run as well.
pub fn contribute(lowering: &mut Lowering) {
    convert_types(lowering.types());
    lowering.patterns(patterns);
    lowering.target().illegal_dialect("toy");
}
// ANCHOR_END: lower

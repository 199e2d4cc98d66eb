//! Extents: the types of results as functions of those of operands.

use minoan::ir::text::print_type;
use minoan::ir::{Context, DYNAMIC, InferInput, OpRef, Type, TypeConstraint};
use minoan::services::{Inferred, TypeInference, meet_shapes};

/// Matrices.
pub static MATRIX: TypeConstraint = TypeConstraint::new("matrix of 64-bit floats", |ctx, ty| {
    ty.is_tensor(ctx)
        && ty.element(ctx) == Some(Type::F64)
        && ty.shape(ctx).is_some_and(|shape| shape.len() == 2)
});

/// The type of a matrix.
pub fn matrix(ctx: &Context, rows: i64, columns: i64) -> Type {
    Type::tensor(ctx, &[rows, columns], Type::F64)
}

/// The extents of a matrix; dynamic if unknown.
pub fn extents(ctx: &Context, ty: Type) -> [i64; 2] {
    match ty.shape(ctx) {
        Some(&[rows, columns]) => [rows, columns],
        _ => [DYNAMIC; 2],
    }
}

// ANCHOR: rules
/// Elementwise operations: operands and result have one shape.
pub fn same_extents(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let (a, b) = (input.operands[0], input.operands[1]);
    let both = meet_shapes(input.ctx, a, b);
    let differ = || {
        format!(
            "has operands of different extents: {} and {}",
            print_type(input.ctx, a),
            print_type(input.ctx, b)
        )
    };
    Ok(vec![both.ok_or_else(differ)?])
}

/// Products: the columns of the left matrix are the rows of the right one.
pub fn product_extents(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let [[rows, inner], [other, columns]] = [0, 1].map(|index| extents(input.ctx, input.operands[index]));
    if inner != other && inner != DYNAMIC && other != DYNAMIC {
        return Err(format!("multiplies {inner} columns with {other} rows"));
    }
    Ok(vec![matrix(input.ctx, rows, columns)])
}
// ANCHOR_END: rules

/// Transposition.
pub fn swapped_extents(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    let [rows, columns] = extents(input.ctx, input.operands[0]);
    Ok(vec![matrix(input.ctx, columns, rows)])
}

/// Reductions.
pub fn one_element(input: &InferInput<'_>) -> Result<Vec<Type>, String> {
    Ok(vec![matrix(input.ctx, 1, 1)])
}

/// A result may have fewer static extents than the inferred one.
pub fn any_extents(ctx: &Context, inferred: &[Type], found: &[Type]) -> bool {
    inferred.len() == found.len()
        && inferred.iter().zip(found).all(|(&a, &b)| meet_shapes(ctx, a, b).is_some())
}

// ANCHOR: service
/// Implements `TypeInference` by the rule that the declaration of the operation names, or with the type of the operand.
pub struct FromOperands;

impl TypeInference for FromOperands {
    fn infer(&self, op: OpRef<'_>, operands: &[Type]) -> Option<Inferred> {
        let ctx = op.context();
        let results = match ctx.spec(op.kind())?.infer {
            Some(infer) => infer(&InferInput { ctx, operands, props: op.props() }).ok()?,
            None => operands.to_vec(),
        };
        Some(Inferred::in_place(operands, results))
    }
}
// ANCHOR_END: service

// ANCHOR: static
/// Whether all extents of the operands are static. If not, the operation compares them when it runs and may stop the
/// program, so that it must not be executed where the program would not have executed it.
pub fn is_static(op: OpRef<'_>) -> bool {
    op.operand_types().all(|ty| !extents(op.context(), ty).contains(&DYNAMIC))
}
// ANCHOR_END: static

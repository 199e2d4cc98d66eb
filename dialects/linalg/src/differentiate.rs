//! The derivative of `linalg.softmax`. Operations over iteration domains need no rule.

use crate::decompose::extent;
use crate::{Fill, Generic, Softmax};
use minoan_arith::{addf, constant_float, mulf, subf};
use minoan_ir::affine::AffineMap;
use minoan_ir::{DYNAMIC, OpDef, Type, Value};
use minoan_services::{IteratorType, TangentCx};
use minoan_tensor::Empty;

/// `dy = y * (dx - sum(y * dx))` along the dimension, from the result alone. The maximum that the computation subtracts has no
/// influence on the result, and so none here: large inputs lose no digits.
pub(crate) fn softmax(cx: &mut TangentCx<'_, '_>) -> Result<(), String> {
    let Some(tangent) = cx.d(0) else { return Ok(()) };
    let y = cx.result(0);
    let ctx = cx.b.context();
    let ty = cx.b.ty(y);
    let op = Softmax::cast(cx.b.body(), cx.op).ok_or("is not a softmax")?;
    let along = op.dimension(cx.b.body());
    let (Some(shape), Some(element)) = (ty.shape(&ctx), ty.element(&ctx)) else {
        return Err("has a result of unknown rank".to_owned());
    };
    let rank = shape.len();
    let along = usize::try_from(along).ok().filter(|&along| along < rank);
    let along = along.ok_or("has no such dimension")?;
    let kept: Vec<usize> = (0..rank).filter(|&dimension| dimension != along).collect();
    let extents: Vec<i64> = kept.iter().map(|&dimension| shape[dimension]).collect();
    let reduced = Type::tensor(&ctx, &extents, element);
    let is_open: Vec<bool> = shape.iter().map(|&extent| extent == DYNAMIC).collect();

    let row: Vec<u32> = kept.iter().map(|&dimension| dimension as u32).collect();
    let (all, row) = (AffineMap::identity(rank as u32), AffineMap::projection(rank as u32, &row));
    let parallel = vec![IteratorType::Parallel; rank];
    let mut reduction = parallel.clone();
    reduction[along] = IteratorType::Reduction;

    let b = &mut *cx.b;
    let open = (0..rank).filter(|&dimension| is_open[dimension] && dimension != along);
    let sizes: Vec<Value> = open.map(|dimension| extent(b, y, dimension)).collect();
    let zero = constant_float(b, 0.0, element);
    let empty = Empty::build(b, &sizes, reduced).result(b.body());
    let start = Fill::with(b, zero, empty).result_tensors(b.body())[0];
    let maps = [all.clone(), all.clone(), row.clone()];
    let sum = Generic::with(b, &[y, tangent], &[start], &maps, &reduction, |b, elements| {
        let part = mulf(b, elements[0], elements[1]);
        vec![addf(b, elements[2], part)]
    });
    let sum = sum.result_tensors(b.body())[0];
    let open = (0..rank).filter(|&dimension| is_open[dimension]);
    let sizes: Vec<Value> = open.map(|dimension| extent(b, y, dimension)).collect();
    let room = Empty::build(b, &sizes, ty).result(b.body());
    let maps = [all.clone(), all.clone(), row, all];
    let dy = Generic::with(b, &[y, tangent, sum], &[room], &maps, &parallel, |b, elements| {
        let difference = subf(b, elements[1], elements[2]);
        vec![mulf(b, elements[0], difference)]
    });
    let dy = dy.result_tensors(b.body())[0];
    cx.set(0, dy);
    Ok(())
}

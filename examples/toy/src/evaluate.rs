//! The meaning of the operations, for the interpreter: it is the reference that compiled code agrees with.

use crate::dialect::{Constant, Each, MatMul, Mul, Reduce, Reduction, Transpose};
use minoan::prelude::*;
use minoan::services::{Tensor, TensorData};

/// A matrix by rows.
struct Matrix<'a> {
    rows: usize,
    columns: usize,
    data: &'a [f64],
}

fn matrix(value: &Datum) -> Result<Matrix<'_>, Trap> {
    let tensor = value.tensor()?;
    match (&tensor.shape[..], &tensor.data) {
        (&[rows, columns], TensorData::F64(data)) => Ok(Matrix { rows, columns, data }),
        _ => Err(Trap::new("expected a matrix")),
    }
}

fn result(rows: usize, columns: usize, data: Vec<f64>) -> Result<Flow, Trap> {
    Flow::one(Tensor { shape: vec![rows, columns], data: TensorData::F64(data) })
}

// ANCHOR: evaluate
/// Evaluates an operation of the dialect.
pub fn evaluate(op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
    let (body, ctx) = (op.body(), op.context());
    if let Some(constant) = op.cast::<Constant>() {
        return Flow::one(Datum::of_attr(ctx, constant.value(body))?);
    }
    let a = matrix(&operands[0])?;
    machine.tick(a.data.len() as u64)?;
    if op.is::<Transpose>() {
        let column = |column| (0..a.rows).map(move |row| row * a.columns + column);
        return result(a.columns, a.rows, (0..a.columns).flat_map(column).map(|at| a.data[at]).collect());
    }
    if let Some(reduce) = op.cast::<Reduce>() {
        let value = match reduce.reduction(body) {
            Reduction::Sum => a.data.iter().sum(),
            Reduction::Max => a.data.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        };
        return result(1, 1, vec![value]);
    }
    if let Some(each) = op.cast::<Each>() {
        let mut data = Vec::with_capacity(a.data.len());
        for &element in a.data {
            match machine.run_region(body, each.body(body), &[Datum::F64(element)])?[..] {
                [Datum::F64(element)] => data.push(element),
                _ => return Err(Trap::new("expected a number")),
            }
        }
        return result(a.rows, a.columns, data);
    }
    let b = matrix(&operands[1])?;
    if op.is::<MatMul>() {
        if a.columns != b.rows {
            return Err(Trap::assertion(crate::lower::PRODUCT));
        }
        let element = |row: usize, column: usize| -> f64 {
            (0..a.columns).map(|k| a.data[row * a.columns + k] * b.data[k * b.columns + column]).sum()
        };
        let rows = (0..a.rows).flat_map(|row| (0..b.columns).map(move |column| (row, column)));
        return result(a.rows, b.columns, rows.map(|(row, column)| element(row, column)).collect());
    }
    if (a.rows, a.columns) != (b.rows, b.columns) {
        return Err(Trap::assertion(crate::lower::ELEMENTWISE));
    }
    let pairs = a.data.iter().zip(b.data);
    let data = if op.is::<Mul>() {
        pairs.map(|(a, b)| a * b).collect()
    } else {
        pairs.map(|(a, b)| a + b).collect()
    };
    result(a.rows, a.columns, data)
}
// ANCHOR_END: evaluate

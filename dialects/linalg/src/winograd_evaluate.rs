//! Evaluation of the steps of a Winograd convolution. Tiles are transformed in double precision and rounded at the
//! end.

use crate::winograd::sizes;
use crate::{WinogradFilterTransform, WinogradInputTransform, WinogradOutputTransform};
use minoan_ir::{DialectBuilder, OpDef, OpRef};
use minoan_services::{Datum, Evaluate, Flow, Machine, Scalar, Tensor, Trap};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    by::<WinogradFilterTransform>(dialect, filter);
    by::<WinogradInputTransform>(dialect, input);
    by::<WinogradOutputTransform>(dialect, output);
}

type Function = fn(OpRef<'_>, &Tensor, &mut Tiles<'_>) -> Result<(), Trap>;

struct By(Function);

fn by<O: OpDef>(dialect: &mut DialectBuilder<'_>, function: Function) {
    dialect.op_service::<O, dyn Evaluate>(Arc::new(By(function)));
}

impl Evaluate for By {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let from = operands[0].tensor()?;
        let mut to = Rc::new(Tensor::clone(operands[1].tensor()?));
        machine.tick((from.data.len() + to.data.len()) as u64)?;
        let ty = op.result_types().next().ok_or_else(|| Trap::new("an operation without a result"))?;
        let scalar = Scalar::of(op.context(), ty)?;
        (self.0)(op, from, &mut Tiles { to: Rc::make_mut(&mut to), scalar })?;
        Ok(Flow::Next(vec![Datum::Tensor(to)]))
    }
}

/// The tiles to write.
struct Tiles<'a> {
    to: &'a mut Tensor,
    scalar: Scalar,
}

impl Tiles<'_> {
    fn set(&mut self, at: &[i64], value: f64) -> Result<(), Trap> {
        let offset = self.to.offset(at)?;
        self.to.data.set(offset, &self.scalar.float(value)?)
    }
}

fn number(tensor: &Tensor, at: &[i64]) -> Result<f64, Trap> {
    match tensor.data.get(tensor.offset(at)?) {
        Datum::F32(value) => Ok(value.into()),
        Datum::F64(value) => Ok(value),
        other => Err(Trap::new(format!("a convolution of {other:?}"))),
    }
}

type Rows = &'static [&'static [f64]];

/// The transformation matrices of filters, input tiles and output tiles.
struct Matrices {
    filter: Rows,
    input: Rows,
    output: Rows,
}

impl Matrices {
    fn of(op: OpRef<'_>) -> &'static Matrices {
        match sizes(op) {
            (4, _) => &F_4_3,
            (_, 5) => &F_2_5,
            _ => &F_2_3,
        }
    }
}

static F_2_3: Matrices = Matrices {
    filter: &[&[-1.0, 0.0, 0.0], &[0.5, -0.5, 0.5], &[0.5, 0.5, 0.5], &[0.0, 0.0, 1.0]],
    input: &[&[-1.0, 0.0, 1.0, 0.0], &[0.0, -1.0, 1.0, 0.0], &[0.0, 1.0, 1.0, 0.0], &[0.0, -1.0, 0.0, 1.0]],
    output: &[&[1.0, 1.0, 1.0, 0.0], &[0.0, -1.0, 1.0, 1.0]],
};

static F_4_3: Matrices = Matrices {
    filter: &[
        &[1.0, 0.0, 0.0],
        &[-1.0 / 3.0, 1.0 / 3.0, -1.0 / 3.0],
        &[-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0],
        &[1.0 / 12.0, -1.0 / 6.0, 1.0 / 3.0],
        &[1.0 / 12.0, 1.0 / 6.0, 1.0 / 3.0],
        &[0.0, 0.0, 1.0],
    ],
    input: &[
        &[0.25, 0.0, -0.3125, 0.0, 0.0625, 0.0],
        &[0.0, 0.25, -0.25, -0.0625, 0.0625, 0.0],
        &[0.0, -0.25, -0.25, 0.0625, 0.0625, 0.0],
        &[0.0, 0.25, -0.125, -0.25, 0.125, 0.0],
        &[0.0, -0.25, -0.125, 0.25, 0.125, 0.0],
        &[0.0, 0.25, 0.0, -0.3125, 0.0, 0.0625],
    ],
    output: &[
        &[4.0, 8.0, 8.0, 4.0, 4.0, 0.0],
        &[0.0, -8.0, 8.0, -8.0, 8.0, 0.0],
        &[0.0, 8.0, 8.0, 16.0, 16.0, 0.0],
        &[0.0, -8.0, 8.0, -32.0, 32.0, 16.0],
    ],
};

static F_2_5: Matrices = Matrices {
    filter: &[
        &[1.0, 0.0, 0.0, 0.0, 0.0],
        &[1.0 / 6.0, -1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0, 1.0 / 6.0],
        &[-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        &[-4.0 / 15.0, 2.0 / 15.0, -1.0 / 15.0, 1.0 / 30.0, -1.0 / 60.0],
        &[1.0 / 60.0, 1.0 / 30.0, 1.0 / 15.0, 2.0 / 15.0, 4.0 / 15.0],
        &[0.0, 0.0, 0.0, 0.0, 1.0],
    ],
    input: &[
        &[0.125, 0.1875, -0.25, -0.1875, 0.125, 0.0],
        &[0.0, 0.125, 0.0625, -0.3125, 0.125, 0.0],
        &[0.0, -0.125, -0.3125, -0.0625, 0.125, 0.0],
        &[0.0, 0.25, -0.125, -0.25, 0.125, 0.0],
        &[0.0, -0.125, -0.25, 0.125, 0.25, 0.0],
        &[0.0, 0.125, 0.1875, -0.25, -0.1875, 0.125],
    ],
    output: &[&[8.0, 16.0, 16.0, 32.0, 16.0, 0.0], &[0.0, -16.0, 16.0, -16.0, 32.0, 8.0]],
};

/// The identity, for a side with one element.
const SAME: Rows = &[&[1.0]];

/// The matrix of a side with this extent before the transformation; the identity for extent 1.
fn side(matrix: Rows, extent: usize) -> Rows {
    if extent == 1 { SAME } else { matrix }
}

/// Computes `left * tile * right^T` and passes each element to `visit`; `tile` reads the elements.
fn transform(
    left: Rows,
    right: Rows,
    tile: impl Fn(i64, i64) -> Result<f64, Trap>,
    mut visit: impl FnMut(i64, i64, f64) -> Result<(), Trap>,
) -> Result<(), Trap> {
    for (i, left) in left.iter().enumerate() {
        for (j, right) in right.iter().enumerate() {
            let mut sum = 0.0;
            for (row, by_row) in left.iter().enumerate() {
                for (column, by_column) in right.iter().enumerate() {
                    if *by_row != 0.0 && *by_column != 0.0 {
                        sum += by_row * tile(row as i64, column as i64)? * by_column;
                    }
                }
            }
            visit(i as i64, j as i64, sum)?;
        }
    }
    Ok(())
}

fn filter(op: OpRef<'_>, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let matrix = Matrices::of(op).filter;
    let [filters, height, width, channels] = from.shape[..] else { return Err(Trap::new("no filters")) };
    Tensor::each_index(&[filters, channels], |at| {
        let (filter, channel) = (at[0], at[1]);
        let tile = |i, j| number(from, &[filter, i, j, channel]);
        transform(side(matrix, height), side(matrix, width), tile, |i, j, value| {
            tiles.set(&[i, j, channel, filter], value)
        })
    })
}

fn input(op: OpRef<'_>, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let (matrix, (m, _)) = (Matrices::of(op).input, sizes(op));
    let [height, width, rows, columns, images, channels] = tiles.to.shape[..] else {
        return Err(Trap::new("no tiles"));
    };
    let step = |extent: usize| if extent == 1 { 1 } else { m };
    Tensor::each_index(&[rows, columns, images, channels], |at| {
        let tile = |i, j| number(from, &[at[2], at[0] * step(height) + i, at[1] * step(width) + j, at[3]]);
        transform(side(matrix, height), side(matrix, width), tile, |i, j, value| {
            tiles.set(&[i, j, at[0], at[1], at[2], at[3]], value)
        })
    })
}

/// Adds products to the output.
fn output(op: OpRef<'_>, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let (matrix, (m, _)) = (Matrices::of(op).output, sizes(op));
    let [height, width, rows, columns, images, filters] = from.shape[..] else {
        return Err(Trap::new("no products"));
    };
    let step = |extent: usize| if extent == 1 { 1 } else { m };
    Tensor::each_index(&[rows, columns, images, filters], |at| {
        let tile = |i, j| number(from, &[i, j, at[0], at[1], at[2], at[3]]);
        transform(side(matrix, height), side(matrix, width), tile, |i, j, value| {
            let place = [at[2], at[0] * step(height) + i, at[1] * step(width) + j, at[3]];
            let before = number(tiles.to, &place)?;
            tiles.set(&place, before + value)
        })
    })
}

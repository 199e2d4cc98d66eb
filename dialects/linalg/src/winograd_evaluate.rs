//! Evaluation of the steps of a Winograd convolution. All numbers are rounded to the element type, as in
//! compiled code.

use crate::winograd_matrices::{Rows, WinogradStep};
use minoan_ir::OpRef;
use minoan_services::{Datum, Evaluate, Flow, Machine, Scalar, Tensor, Trap};
use std::rc::Rc;

pub(crate) type Function = fn(&WinogradStep, &Tensor, &mut Tiles<'_>) -> Result<(), Trap>;

pub(crate) struct By(pub(crate) Function);

impl Evaluate for By {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let from = operands[0].tensor()?;
        let mut to = Rc::new(Tensor::clone(operands[1].tensor()?));
        machine.tick((from.data.len() + to.data.len()) as u64)?;
        let ty = op.result_types().next().ok_or_else(|| Trap::new("an operation without a result"))?;
        let scalar = Scalar::of(op.context(), ty)?;
        let step = WinogradStep::of(op).ok_or_else(|| Trap::new("the extents of tiles are unknown"))?;
        let fits = step.fits();
        let extent = |tensor: &Tensor, dimension: usize| tensor.shape[dimension] as i64;
        if let Some(wrong) =
            fits.iter().find(|fit| fit.wanted(extent(from, fit.input)) != extent(&to, fit.output))
        {
            return Err(Trap::assertion(wrong.message(op)));
        }
        (self.0)(&step, from, &mut Tiles { to: Rc::make_mut(&mut to), scalar })?;
        Ok(Flow::Next(vec![Datum::Tensor(to)]))
    }
}

/// The tiles to write.
pub(crate) struct Tiles<'a> {
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
    number_of(&tensor.data.get(tensor.offset(at)?))
}

fn number_of(datum: &Datum) -> Result<f64, Trap> {
    match *datum {
        Datum::F32(value) => Ok(value.into()),
        Datum::F64(value) => Ok(value),
        ref other => Err(Trap::new(format!("a convolution of {}", other.describe()))),
    }
}

/// Transforms the rows and then the columns of a tile, and passes each element to `visit`; `tile` reads the elements. All
/// numbers are rounded to the element type.
fn transform(
    scalar: Scalar,
    [rows, columns]: [Option<Rows>; 2],
    tile: impl Fn(i64, i64) -> Result<f64, Trap>,
    mut visit: impl FnMut(i64, i64, f64) -> Result<(), Trap>,
) -> Result<(), Trap> {
    let round = |value: f64| number_of(&scalar.float(value)?);
    let dot = |row: &[f64], element: &dyn Fn(i64) -> Result<f64, Trap>| {
        row.iter()
            .zip(0..)
            .try_fold(0.0, |sum, (&factor, at)| round(sum + round(round(factor)? * element(at)?)?))
    };
    let width = columns.and_then(|columns| columns.first()).map_or(1, |column| column.len());
    let height = rows.map_or(1, <[_]>::len);
    for i in 0..height {
        let by_row = |column: i64| match rows {
            Some(rows) => dot(rows[i], &|row| tile(row, column)),
            None => tile(0, column),
        };
        let by_row = (0..width as i64).map(by_row).collect::<Result<Vec<f64>, _>>()?;
        match columns {
            Some(columns) => {
                for (j, column) in columns.iter().enumerate() {
                    visit(i as i64, j as i64, dot(column, &|at| Ok(by_row[at as usize]))?)?;
                }
            }
            None => visit(i as i64, 0, by_row[0])?,
        }
    }
    Ok(())
}

pub(crate) fn filter(step: &WinogradStep, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let [filters, _, _, channels] = from.shape[..] else { return Err(Trap::new("no filters")) };
    Tensor::each_index(&[filters, channels], |at| {
        let (filter, channel) = (at[0], at[1]);
        let tile = |i, j| number(from, &[filter, i, j, channel]);
        transform(tiles.scalar, step.matrices(), tile, |i, j, value| {
            tiles.set(&[i, j, channel, filter], value)
        })
    })
}

/// The distance between tiles along each of the two sides; 1 for a side that is not transformed.
fn steps(step: &WinogradStep) -> [i64; 2] {
    step.matrices().map(|matrix| if matrix.is_some() { step.m() } else { 1 })
}

pub(crate) fn input(step: &WinogradStep, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let [_, _, rows, columns, images, channels] = tiles.to.shape[..] else {
        return Err(Trap::new("no tiles"));
    };
    let [down, right] = steps(step);
    Tensor::each_index(&[rows, columns, images, channels], |at| {
        let tile = |i, j| number(from, &[at[2], at[0] * down + i, at[1] * right + j, at[3]]);
        transform(tiles.scalar, step.matrices(), tile, |i, j, value| {
            tiles.set(&[i, j, at[0], at[1], at[2], at[3]], value)
        })
    })
}

/// Adds products to the output.
pub(crate) fn output(step: &WinogradStep, from: &Tensor, tiles: &mut Tiles<'_>) -> Result<(), Trap> {
    let [_, _, rows, columns, images, filters] = from.shape[..] else {
        return Err(Trap::new("no products"));
    };
    let [down, right] = steps(step);
    Tensor::each_index(&[rows, columns, images, filters], |at| {
        let tile = |i, j| number(from, &[i, j, at[0], at[1], at[2], at[3]]);
        transform(tiles.scalar, step.matrices(), tile, |i, j, value| {
            let place = [at[2], at[0] * down + i, at[1] * right + j, at[3]];
            let before = number(tiles.to, &place)?;
            tiles.set(&place, before + value)
        })
    })
}

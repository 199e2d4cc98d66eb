//! Evaluation of packing and unpacking.

use crate::relayout::{Check, TILES, Tiling};
use minoan_ir::{DYNAMIC, OpDef, OpRef};
use minoan_memref::slices::numbers;
use minoan_services::{Datum, Evaluate, Flow, Machine, Tensor, Trap};
use std::rc::Rc;

/// The correspondence between elements of the packed array and of the array.
struct Places {
    tiling: Tiling,
    /// The tile sizes, one per tiled dimension.
    tiles: Vec<i64>,
    rank: usize,
}

impl Places {
    fn of(op: OpRef<'_>, array: &Tensor, tiles: &Tensor, sizes: &[Datum]) -> Result<Places, Trap> {
        let rank = array.shape.len();
        let tiling = Tiling::of(op, rank).map_err(Trap::new)?;
        let (outer, inner) = tiles.shape.split_at(rank);
        let mut sizes = sizes.iter();
        let mut stated = Vec::with_capacity(inner.len());
        for written in numbers(op, TILES) {
            let size = if written == DYNAMIC { sizes.next().map(Datum::int).transpose()? } else { None };
            stated.push(size.unwrap_or(written));
        }
        let is_met = |&check: &Check| match check {
            Check::SameExtent { dim, outer: at } => array.shape[dim] == outer[at],
            Check::TileSize { inner: at } => stated[at] > 0 && stated[at] == inner[at] as i64,
            Check::Covered { dim, outer: at, inner: tile } => {
                outer[at] == array.shape[dim].div_ceil(inner[tile])
            }
            Check::Complete { dim, inner: tile } => array.shape[dim].is_multiple_of(inner[tile]),
        };
        match tiling.checks(op).iter().find(|check| !is_met(check)) {
            Some(check) => Err(Trap::assertion(check.message(op))),
            None => Ok(Places { tiling, tiles: stated, rank }),
        }
    }

    /// The index in the array for an index in the packed array.
    fn in_array(&self, at: &[i64]) -> Vec<i64> {
        let mut place = vec![0; self.rank];
        for (&outer, &dim) in at.iter().zip(&self.tiling.order) {
            place[dim] = outer;
        }
        for ((&inner, &dim), &tile) in at[self.rank..].iter().zip(&self.tiling.cut).zip(&self.tiles) {
            place[dim] = place[dim] * tile + inner;
        }
        place
    }

    /// The index in the packed array for an index in the array.
    fn in_tiles(&self, at: &[i64]) -> Vec<i64> {
        let mut outer = at.to_vec();
        let mut inner = Vec::with_capacity(self.tiles.len());
        for (&dim, &tile) in self.tiling.cut.iter().zip(&self.tiles) {
            inner.push(at[dim].rem_euclid(tile));
            outer[dim] = at[dim].div_euclid(tile);
        }
        self.tiling.order.iter().map(|&dim| outer[dim]).chain(inner).collect()
    }
}

/// The destination, for updating.
fn dest(operands: &[Datum]) -> Result<Rc<Tensor>, Trap> {
    match &operands[1] {
        Datum::Tensor(tensor) => Ok(tensor.clone()),
        other => Err(Trap::new(format!("a destination cannot be {}", other.describe()))),
    }
}

pub(crate) struct EvaluatePack;

impl Evaluate for EvaluatePack {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (array, mut tiles) = (operands[0].tensor()?, dest(operands)?);
        let pack = crate::Pack::from_op_unchecked(op.id());
        let padding = pack.padding_value(op.body()).map(|_| &operands[2]);
        let sizes = &operands[2 + usize::from(padding.is_some())..];
        let places = Places::of(op, array, &tiles, sizes)?;
        let shape = tiles.shape.clone();
        let tiles = Rc::make_mut(&mut tiles);
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let place = places.in_array(at);
            let inside = place.iter().zip(&array.shape).all(|(&index, &extent)| index < extent as i64);
            let element = match (inside, padding) {
                (true, _) => array.data.get(array.offset(&place)?),
                (false, Some(padding)) => padding.clone(),
                (false, None) => return Err(Trap::new("an incomplete tile without a padding value")),
            };
            let offset = tiles.offset(at)?;
            tiles.data.set(offset, &element)
        })?;
        Flow::one(tiles.clone())
    }
}

pub(crate) struct EvaluateUnpack;

impl Evaluate for EvaluateUnpack {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        let (tiles, mut array) = (operands[0].tensor()?, dest(operands)?);
        let places = Places::of(op, &array, tiles, &operands[2..])?;
        let shape = array.shape.clone();
        let array = Rc::make_mut(&mut array);
        Tensor::each_index(&shape, |at| {
            machine.tick(1)?;
            let element = tiles.data.get(tiles.offset(&places.in_tiles(at))?);
            let offset = array.offset(at)?;
            array.data.set(offset, &element)
        })?;
        Flow::one(array.clone())
    }
}

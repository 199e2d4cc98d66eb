//! Evaluation of packing and unpacking.

use crate::relayout::{TILES, Tiling};
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
        let tiles: Vec<i64> = tiles.shape[rank..].iter().map(|&extent| extent as i64).collect();
        let mut sizes = sizes.iter();
        for (&have, written) in tiles.iter().zip(numbers(op, TILES)) {
            let given = written == DYNAMIC;
            if given && sizes.next().map(Datum::int).transpose()? != Some(have) {
                return Err(Trap::new(format!("a tile of another extent than {have}")));
            }
        }
        Ok(Places { tiling, tiles, rank })
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
            inner.push(at[dim].rem_euclid(tile.max(1)));
            outer[dim] = at[dim].div_euclid(tile.max(1));
        }
        self.tiling.order.iter().map(|&dim| outer[dim]).chain(inner).collect()
    }
}

/// The destination, for updating.
fn dest(operands: &[Datum]) -> Result<Rc<Tensor>, Trap> {
    match &operands[1] {
        Datum::Tensor(tensor) => Ok(tensor.clone()),
        other => Err(Trap::new(format!("a destination cannot be {other:?}"))),
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

//! Accumulators of reductions: initialization, combination and completion.

use super::{Emitter, Register, Unsupported};
use crate::kernel::{Axis, Source};
use crate::rules::Tile;
use minoan_ir::{Builder, Context, Value};
use minoan_services::{Lane, Lanes, Order};

impl Emitter<'_> {
    /// The accumulators of a reduction before its loops: the initial contents, or the identity where several of them
    /// are combined at the end.
    pub(super) fn initialize(&mut self, b: &mut Builder<'_>, number: usize) -> Result<Register, Unsupported> {
        let statement = &self.kernel.statements[number];
        let tile = self.current(&self.storage.tile(number).clone());
        let splits = self.is_split(number, &tile);
        let kept = self.kept(number, &tile);
        let init = if splits {
            let (_, monoid) = statement.combine().ok_or("a reduction without a monoid is split")?;
            let identity = self.makers.index.constant(b, monoid.identity);
            Register { values: vec![identity], tile: Tile::default() }
        } else {
            self.initial(b, number, &kept)?
        };
        let count = tile.unrolled.iter().map(|&(_, size)| size as usize).product::<usize>();
        let ctx = b.context();
        let mut values = Vec::with_capacity(count);
        for at in 0..count {
            let value = if splits { init.values[0] } else { init.values[at] };
            let is_scalar = !b.ty(value).is_vector(&ctx);
            values.push(match tile.width() {
                Some(_) if is_scalar => {
                    let lanes = self.accumulated_lanes(&ctx, number, &tile);
                    let ty = minoan_ir::Type::vector(&ctx, lanes.as_slice(), statement.element);
                    self.makers.vectors.splat(b, value, ty)
                }
                _ => value,
            });
        }
        Ok(Register { tile, values })
    }

    /// Whether a tile covers several indices of a reduction axis, which have accumulators of their own.
    fn is_split(&self, number: usize, tile: &Tile) -> bool {
        let statement = &self.kernel.statements[number];
        tile.axes().any(|(axis, size)| size > 1 && statement.reduces(axis))
    }

    /// The lanes of an accumulator of a tile.
    fn accumulated_lanes(&self, ctx: &Context, number: usize, tile: &Tile) -> Option<i64> {
        tile.width().map(|lanes| if self.sums_pairs(ctx, number, tile) { lanes / 2 } else { lanes })
    }

    /// Whether the lanes of a tile are added in pairs before they are added to the accumulator: those of a sum of products of
    /// integers that have at most half as many bits as the sum. Most machines have an instruction for sums of two products of
    /// such integers (`vpmaddwd`, `vpdpwssd`), which instruction selection finds.
    pub(super) fn sums_pairs(&self, ctx: &Context, number: usize, tile: &Tile) -> bool {
        let statement = &self.kernel.statements[number];
        let Some((axis, lanes)) = tile.lanes.filter(|_| tile.groups.is_none()) else { return false };
        statement.reduces(axis) && lanes % 2 == 0 && statement.sums_narrow_integers(ctx)
    }

    /// Adds the lanes of a vector in pairs, and the sums to an accumulator with half the number of lanes.
    pub(super) fn add_pairs(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        accumulator: Value,
        value: Value,
        lanes: i64,
    ) -> Result<Value, Unsupported> {
        let [even, odd] = [0, 1].map(|first| {
            let positions: Vec<i64> = (first..lanes).step_by(2).collect();
            self.makers.vectors.shuffle(b, value, value, &positions)
        });
        let sums = self.combine(b, number, even, odd, Some(lanes / 2))?;
        self.combine(b, number, accumulator, sums, Some(lanes / 2))
    }

    /// The part of a tile along the parallel axes.
    pub(super) fn kept(&self, number: usize, tile: &Tile) -> Tile {
        let statement = &self.kernel.statements[number];
        let keeps = |&(axis, _): &(Axis, i64)| !statement.reduces(axis);
        Tile {
            unrolled: tile.unrolled.iter().copied().filter(keeps).collect(),
            lanes: tile.lanes.filter(keeps),
            groups: tile.groups.filter(keeps),
        }
    }

    /// The initial contents of the result, as a tile; after the first block of the reduction, the partial results.
    fn initial(&mut self, b: &mut Builder<'_>, number: usize, tile: &Tile) -> Result<Register, Unsupported> {
        let statement = &self.kernel.statements[number];
        let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
        let Some(read) = accumulator else { return Err("a reduction without an accumulator".to_owned()) };
        let index = self.makers.index;
        let mut is_first: Option<Value> = None;
        for &axis in self.storage.blocks(number) {
            let state = self.axes[axis].ok_or("a block outside of its loop")?;
            let one = index.index(b, 1);
            let is_first_here = index.less(b, state.base, one);
            is_first = Some(match is_first {
                Some(others) => index.select(b, others, is_first_here, others),
                None => is_first_here,
            });
        }
        let mut values = Vec::new();
        let mut loaded = rustc_hash::FxHashMap::default();
        for offsets in super::leaf::positions(tile) {
            let lane = self.read(b, number, read, tile, &offsets, &mut loaded)?;
            let (Lane::Uniform(mut value) | Lane::Varying(mut value)) = lane;
            if let Some(is_first) = is_first {
                let partial = self.load_result(b, number, tile, &offsets)?;
                let ty = b.ty(partial);
                if ty != b.ty(value) {
                    value = self.makers.vectors.splat(b, value, ty);
                }
                value = index.select(b, is_first, value, partial);
            }
            values.push(value);
        }
        Ok(Register { tile: tile.clone(), values })
    }

    /// Ends a reduction: combines the accumulators of an element with each other and with the initial contents.
    pub(super) fn complete(&mut self, b: &mut Builder<'_>, number: usize) -> Result<(), Unsupported> {
        let accumulator = self.accumulators.remove(&number).expect("the reduction is in progress");
        let tile = accumulator.tile;
        let register = if self.is_split(number, &tile) {
            let statement = &self.kernel.statements[number];
            let (_, monoid) = statement.combine().ok_or("a reduction without a monoid is split")?;
            let kept = self.kept(number, &tile);
            let mut values = self.initial(b, number, &kept)?.values;
            let lanes = self.accumulated_lanes(&b.context(), number, &tile);
            let reduces_lanes = lanes.is_some() && kept.lanes.is_none();
            let mut combined: Vec<Option<Value>> = vec![None; values.len()];
            for (offsets, value) in super::leaf::positions(&tile).into_iter().zip(accumulator.values) {
                let at = super::leaf::position_in(&kept, &offsets);
                combined[at] = Some(match combined[at] {
                    None => value,
                    Some(old) => self.combine(b, number, old, value, lanes)?,
                });
            }
            for (initial, value) in values.iter_mut().zip(combined) {
                let mut value = value.ok_or("a tile without elements")?;
                if reduces_lanes {
                    let reassociate = monoid.order != Order::Exact;
                    value = self.makers.vectors.reduce(b, monoid.kind, value, reassociate);
                }
                *initial = self.combine(b, number, *initial, value, kept.width())?;
            }
            Register { tile: kept, values }
        } else {
            Register { tile: self.kept(number, &tile), values: accumulator.values }
        };
        self.store_tile(b, number, &register, false)?;
        self.registers.insert(number, register);
        Ok(())
    }

    /// Combines two elements, or vectors of them, by the monoid of a reduction.
    fn combine(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        lhs: Value,
        rhs: Value,
        lanes: Option<i64>,
    ) -> Result<Value, Unsupported> {
        let ctx = b.context();
        let scalar = &self.scalars.statements[number];
        let op = b.body().defining_op(scalar.result).ok_or("a reduction that combines nothing")?;
        let operands: Vec<Value> = b.body().op(op).operands().collect();
        let is_vector = [lhs, rhs].iter().any(|&value| b.ty(value).is_vector(&ctx));
        let shape: Vec<i64> = lanes.filter(|_| is_vector).into_iter().collect();
        let mut state = Lanes::new(&shape);
        for (operand, value) in operands.into_iter().zip([lhs, rhs]) {
            let lane = if b.ty(value).is_vector(&ctx) { Lane::Varying(value) } else { Lane::Uniform(value) };
            state.set(operand, lane);
        }
        state.run(b, op).ok_or("the combination of elements has no vector form")?;
        Ok(match state.get(scalar.result) {
            Lane::Uniform(value) | Lane::Varying(value) => value,
        })
    }

    /// Whether a source is the initial contents of a reduction in progress.
    pub(super) fn is_accumulator(&self, number: usize, read: usize) -> bool {
        let reduction = self.kernel.statements[number].reduction;
        reduction.is_some_and(|reduction| reduction.accumulator == read)
            && self.accumulators.contains_key(&number)
            && !matches!(self.kernel.statements[number].reads[read].source, Source::Undefined)
    }
}

//! Results of statements in memory: stores of tiles, and loads of stored tiles.

use super::leaf::{Offsets, positions};
use super::{Emitter, Makers, Register, Unsupported};
use crate::kernel::Axis;
use crate::rules::Tile;
use minoan_ir::{Builder, Type, Value};
use minoan_services::Masked;

impl Emitter<'_> {
    /// The buffer that keeps the result of a statement, if there is one, and the first index of each of its dimensions.
    fn memory_of(&self, number: usize) -> Option<(Value, Option<Vec<Option<Value>>>)> {
        match (self.storage.output_of(number), self.scratch.get(&number)) {
            (Some(output), _) => Some((self.operands[self.kernel.inputs + output], None)),
            (None, Some(&buffer)) => Some((buffer, self.bases.get(&number).cloned())),
            (None, None) => None,
        }
    }

    /// The indices in its buffer of an element of the result of a statement, and the dimension along which those of lanes differ.
    fn result_indices(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        offsets: &Offsets,
        bases: Option<&[Option<Value>]>,
    ) -> (Vec<Value>, Option<usize>) {
        let axes = self.kernel.statements[number].written_axes();
        let mut at = Vec::with_capacity(axes.len());
        let mut along = None;
        for (dim, axis) in axes.into_iter().enumerate() {
            at.push(match axis {
                Some(axis) => self.index_at(b, axis, offsets),
                None => self.makers.index.index(b, 0),
            });
            if axis.is_some() && tile.lanes.map(|(lanes, _)| lanes) == axis {
                along = Some(dim);
            }
        }
        self.relative(b, &mut at, bases);
        (at, along)
    }

    /// Loads the elements at a position of a tile of the result of a statement that have been stored before.
    pub(super) fn load_result(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        offsets: &Offsets,
    ) -> Result<Value, Unsupported> {
        let statement = &self.kernel.statements[number];
        let not_in_memory = || format!("'{}' is not in memory", statement.name);
        let (buffer, bases) = self.memory_of(number).ok_or_else(not_in_memory)?;
        let (at, along) = self.result_indices(b, number, tile, offsets, bases.as_deref());
        let (Some((axis, lanes)), Some(dim)) = (tile.lanes, along) else {
            return Ok(self.makers.buffers.load(b, buffer, &at));
        };
        if !Self::is_contiguous(b, buffer, dim) {
            return Err(format!("the lanes of '{}' are not contiguous in memory", statement.name));
        }
        let ty = Type::vector(&b.context(), &[lanes], statement.element);
        let masked = match self.mask(b, axis, lanes) {
            Some(mask) => Some(Masked { mask, otherwise: self.zeros(b, ty, statement.element)? }),
            None => None,
        };
        Ok(self.makers.vectors.load(b, ty, buffer, &at, masked))
    }

    /// Stores a tile to the output or the temporary storage of its statement, if it has one.
    pub(super) fn store_tile(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        register: &Register,
        nontemporal: bool,
    ) -> Result<(), Unsupported> {
        let Some((buffer, bases)) = self.memory_of(number) else { return Ok(()) };
        let mut parts: Vec<(Offsets, Value)> = Vec::new();
        for (offsets, &value) in positions(&register.tile).into_iter().zip(&register.values) {
            match (register.tile.groups, register.tile.lanes) {
                (Some((axis, groups)), Some((_, lanes))) => {
                    for group in 0..groups {
                        let own: Vec<i64> = (group * lanes..(group + 1) * lanes).collect();
                        let part = self.makers.vectors.shuffle(b, value, value, &own);
                        let offset = std::iter::once((axis, group));
                        parts.push((offsets.iter().copied().chain(offset).collect(), part));
                    }
                }
                _ => parts.push((offsets, value)),
            }
        }
        for (offsets, value) in &parts {
            let (at, along) = self.result_indices(b, number, &register.tile, offsets, bases.as_deref());
            self.store(b, *value, buffer, &at, register.tile.lanes.zip(along), nontemporal);
        }
        Ok(())
    }

    fn store(
        &mut self,
        b: &mut Builder<'_>,
        value: Value,
        buffer: Value,
        at: &[Value],
        lanes: Option<((Axis, i64), usize)>,
        nontemporal: bool,
    ) {
        let makers = self.makers;
        let Some(((axis, lanes), dim)) = lanes else { return makers.buffers.store(b, value, buffer, at) };
        let remaining = self.axes[axis].and_then(|state| state.remaining);
        if Self::is_contiguous(b, buffer, dim) {
            return match remaining {
                Some(remaining) if !self.machine.masks && lanes.count_ones() == 1 => {
                    self.store_below(b, value, (buffer, at, dim), remaining, lanes);
                }
                _ => {
                    let mask = self.mask(b, axis, lanes);
                    makers.vectors.store(b, value, buffer, at, mask, nontemporal && mask.is_none());
                }
            };
        }
        // A lane beyond the end writes the element of the last lane below it again.
        let ctx = b.context();
        let element = b.ty(value).element_or_self(&ctx);
        let mut last = None;
        for lane in 0..lanes {
            let at = self.lane_indices(b, at, (dim, 1), axis, lane);
            let mut scalar = makers.vectors.extract(b, value, &[lane]);
            if let (Some(remaining), Some(before)) = (remaining, last) {
                let lane = makers.index.index(b, lane);
                let inside = makers.index.less(b, lane, remaining);
                scalar = makers.index.select(b, inside, scalar, before);
            }
            debug_assert_eq!(b.ty(scalar), element);
            makers.buffers.store(b, scalar, buffer, &at);
            last = Some(scalar);
        }
    }

    /// Stores the first `remaining` lanes of a vector, whose number is a power of two, at consecutive indices of a dimension:
    /// all of them at once, or by the halves, quarters and so on that `remaining` consists of. A masked store takes about 20
    /// cycles on processors without mask registers, and the elements cannot be loaded before it is complete.
    fn store_below(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        (buffer, at, dim): (Value, &[Value], usize),
        remaining: Value,
        lanes: i64,
    ) {
        let Emitter { makers: Makers { loops, vectors, index, .. }, .. } = *self;
        let all = index.index(b, lanes);
        let is_part = index.less(b, remaining, all);
        let mut by_parts = |b: &mut Builder<'_>| {
            let (mut value, mut at, mut remaining) = (value, at.to_vec(), remaining);
            for size in
                std::iter::successors(Some(lanes / 2), |size| Some(size / 2)).take_while(|&size| size > 0)
            {
                let [low, high] = [0, size].map(|first| vectors.slice(b, value, &[first], &[size]));
                let (less, zero) = (index.index(b, size - 1), index.index(b, 0));
                let has_low = index.less(b, less, remaining);
                let mut store = |b: &mut Builder<'_>| {
                    vectors.store(b, low, buffer, &at, None, false);
                    Vec::new()
                };
                loops.choose(b, has_low, &[], &mut store, &mut |_| Vec::new());
                let count = index.index(b, size);
                let done = index.select(b, has_low, count, zero);
                value = index.select(b, has_low, high, low);
                at[dim] = index.add(b, at[dim], done);
                remaining = index.sub(b, remaining, done);
            }
            Vec::new()
        };
        loops.choose(b, is_part, &[], &mut by_parts, &mut |b| {
            vectors.store(b, value, buffer, at, None, false);
            Vec::new()
        });
    }
}

//! Loads of vectors that repeat the elements of a row or interleave those of several rows: upsampling, transposed convolutions.

use super::leaf::Offsets;
use super::{Emitter, Unsupported};
use crate::kernel::Phases;
use crate::rules::Tile;
use minoan_ir::{Builder, Type, Value};
use minoan_services::Masked;

impl Emitter<'_> {
    /// The phases of a read whose vectors are combined from shorter ones: the number of lanes is a multiple of that of the phases,
    /// and the first lane has the remainder 0.
    pub(super) fn phases(&self, number: usize, read: usize, tile: &Tile) -> Option<Phases> {
        let (axis, lanes) = tile.lanes?;
        let is_shifted = self.axes[axis].is_some_and(|state| state.shifted);
        if is_shifted || self.packed.contains_key(&(number, read)) {
            return None;
        }
        let access = self.access(number, read);
        let phases = self.kernel.statements[number].phases(&access.map.results, axis)?;
        (access.outside.is_none() && lanes > phases.count && lanes % phases.count == 0).then_some(phases)
    }

    /// Loads a vector for each remainder, and interleaves them.
    pub(super) fn load_phases(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        tile: &Tile,
        offsets: &Offsets,
        phases: Phases,
    ) -> Result<Value, Unsupported> {
        let statement = &self.kernel.statements[number];
        let Some((axis, lanes)) = tile.lanes else {
            return Err(format!("'{}' has no lanes", statement.name));
        };
        let access = self.access(number, read);
        let (buffer, bases) = self.source_of(access.source)?;
        if !Self::is_contiguous(b, buffer, phases.quotient) {
            return Err(format!("'{}' reads rows that are not contiguous", statement.name));
        }
        let at = self.indices_at(b, number, &access, offsets)?;
        let (ctx, count) = (b.context(), lanes / phases.count);
        let ty = Type::vector(&ctx, &[count], access.element);
        let masked = match self.axes[axis].and_then(|state| state.remaining) {
            Some(remaining) => {
                let index = self.makers.index;
                let [behind, by] = [phases.count - 1, phases.count].map(|value| index.index(b, value));
                let rounded_up = index.add(b, remaining, behind);
                let elements = index.div(b, rounded_up, by);
                let mask_ty = Type::vector(&ctx, &[count], Type::I1);
                let mask = self.makers.vectors.mask(b, mask_ty, &[elements]);
                Some(Masked { mask, otherwise: self.zeros(b, ty, access.element)? })
            }
            None => None,
        };
        let mut rows = Vec::new();
        for phase in 0..phases.remainder.map_or(1, |_| phases.count) {
            let mut at = at.clone();
            if let Some(dim) = phases.remainder {
                at[dim] = self.makers.index.index(b, phase);
            }
            self.relative(b, &mut at, bases.as_deref());
            rows.push(self.makers.vectors.load(b, ty, buffer, &at, masked));
        }
        let [row] = rows[..] else { return Ok(self.interleaved(b, &rows, count)) };
        let repeated: Vec<i64> = (0..lanes).map(|lane| lane / phases.count).collect();
        Ok(self.makers.vectors.shuffle(b, row, row, &repeated))
    }

    /// A vector with the first elements of all rows, then the second ones, and so on. The number of rows is a power of two.
    fn interleaved(&self, b: &mut Builder<'_>, rows: &[Value], count: i64) -> Value {
        if let [row] = *rows {
            return row;
        }
        let of_parity = |parity: usize| rows.iter().skip(parity).step_by(2).copied().collect::<Vec<_>>();
        let [even, odd] = [0, 1].map(of_parity);
        let half = count * even.len() as i64;
        let [even, odd] = [even, odd].map(|rows| self.interleaved(b, &rows, count));
        let positions: Vec<i64> = (0..half).flat_map(|at| [at, half + at]).collect();
        self.makers.vectors.shuffle(b, even, odd, &positions)
    }
}

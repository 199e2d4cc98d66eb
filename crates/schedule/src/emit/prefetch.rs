//! Prefetches for the next step of a loop.

use super::{Emitter, Unsupported};
use crate::rules::{Prefetched, Tile};
use minoan_ir::{Builder, Value};
use minoan_services::IndexOps;

impl Emitter<'_> {
    /// Prefetches one cache line for each line that a step of a statement reads: in the pass number `p` of `n`, the step at index
    /// `i` of the innermost loop prefetches what the next pass over the argument reads at `p * (extent / n) + i / n`.
    pub(super) fn prefetch(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        tile: &Tile,
        prefetched: &Prefetched,
    ) -> Result<(), Unsupported> {
        let Prefetched { read, strip, step, along, ref passes } = *prefetched;
        let (kernel, makers) = (self.kernel, self.makers);
        let statement = &kernel.statements[number];
        let access = &statement.reads[read];
        let crate::kernel::Source::Argument(argument) = access.source else {
            return Err("a prefetch of no argument".to_owned());
        };
        let index = makers.index;
        let extent = kernel.known_extent(along).ok_or("a prefetch along an unknown extent")?;
        let mut pass = None;
        let mut all = 1;
        for around in passes {
            let mut at = self.index_at(b, around.axis, &Vec::new());
            at = quotient(b, index, at, around.step);
            pass = Some(match pass {
                Some(outer) => {
                    let trips = index.index(b, around.trips);
                    let first = index.mul(b, outer, trips);
                    index.add(b, first, at)
                }
                None => at,
            });
            all *= around.trips;
        }
        let mut dims: Vec<Value> = Vec::with_capacity(statement.axes.len());
        for &axis in &statement.axes {
            dims.push(self.index_at(b, axis, &Vec::new()));
        }
        let place =
            |axis| statement.axes.iter().position(|&other| other == axis).ok_or("an axis of no dimension");
        let at = place(along)?;
        dims[at] = quotient(b, index, dims[at], all);
        if let Some(pass) = pass {
            let part = index.index(b, extent / all);
            let first = index.mul(b, pass, part);
            dims[at] = index.add(b, first, dims[at]);
        }
        // A line of each vector; the last step prefetches its own part again.
        let element = i64::from(crate::choose::bits(b.body().context(), access.element) / 8).max(1);
        let line = self.machine.caches.first().map_or(64, |cache| cache.line.max(1) as i64);
        let lanes = tile.lanes.filter(|&(axis, _)| axis == strip).map_or(1, |(_, lanes)| lanes);
        let at = place(strip)?;
        let base = dims[at];
        for first in (0..lanes).step_by((line / element).max(1) as usize) {
            let distance = index.index(b, step + first);
            let one = index.index(b, 1);
            let last = index.sub(b, self.extents[strip], one);
            let next = index.add(b, base, distance);
            dims[at] = index.min(b, next, last);
            let mut indices = Vec::with_capacity(access.map.results.len());
            for expr in &access.map.results {
                let found = index.apply(b, expr, &dims);
                indices.push(found.ok_or("a prefetch at indices without a form")?);
            }
            makers.buffers.prefetch(b, self.operands[argument], &indices);
        }
        Ok(())
    }
}

/// An index divided by a number of steps.
fn quotient(b: &mut Builder<'_>, ops: &dyn IndexOps, value: Value, by: i64) -> Value {
    if by == 1 {
        return value;
    }
    let by = ops.index(b, by);
    ops.div(b, value, by)
}

//! Empty domains: a loop has no iterations if a loop inside of it has none, however many there would be.
//!
//! A buffer of 2^40 by 0 elements takes no memory, so the extent of an outer axis says nothing about the work. The extents of inner
//! axes are compared once, before the outermost loop whose extent is unknown.

use super::Emitter;
use crate::kernel::Axis;
use crate::rules::Step;
use minoan_ir::{Builder, Value};

impl Emitter<'_> {
    /// The end of a loop over an axis whose bounds are those of the axis: 0 if the extent of another axis, without which an iteration
    /// computes nothing, is 0 at run time.
    pub(super) fn unless_empty(
        &self,
        b: &mut Builder<'_>,
        axis: Axis,
        upper: Value,
        body: &[Step],
        path: &[usize],
    ) -> Value {
        let is_unknown = |axis: Axis| self.kernel.known_extent(axis).is_none();
        let is_inside = (0..self.axes.len()).any(|at| self.axes[at].is_some() && is_unknown(at));
        if !is_unknown(axis) || is_inside {
            return upper;
        }
        let carried = self.storage.reductions.get(path).map_or(&[][..], Vec::as_slice);
        let mut extents: Vec<Value> = Vec::new();
        for at in (0..self.extents.len()).filter(|&at| is_unknown(at)) {
            let extent = self.extents[at];
            if extent != upper && !extents.contains(&extent) && self.is_nothing(body, at, carried) {
                extents.push(extent);
            }
        }
        let index = self.makers.index;
        let mut is_empty = None;
        for extent in extents {
            let one = index.index(b, 1);
            let none = index.less(b, extent, one);
            is_empty = Some(is_empty.map_or(none, |before| index.or(b, before, none)));
        }
        let Some(is_empty) = is_empty else { return upper };
        let zero = index.index(b, 0);
        index.select(b, is_empty, zero, upper)
    }

    /// Whether steps compute nothing if an axis has no indices: it is an axis of all results, or of reductions whose accumulators
    /// are carried.
    fn is_nothing(&self, steps: &[Step], axis: Axis, carried: &[usize]) -> bool {
        steps.iter().all(|step| match step {
            Step::Loop { body, .. } => self.is_nothing(body, axis, carried),
            Step::Leaf { statement, .. } => {
                let of = &self.kernel.statements[*statement];
                of.has_axis(axis) && (!of.reduces(axis) || carried.contains(statement))
            }
            Step::Pack { .. } => true,
        })
    }
}

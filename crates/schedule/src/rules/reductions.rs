//! The rules for the loops of reductions: S3, S7, S8 and S9.

use super::{Around, Checker, Tile, Violation, violation};
use crate::kernel::Statement;
use crate::plan::{Leaf, Tail};
use minoan_services::Order;

impl Checker<'_, '_> {
    /// The loops around a reduction.
    pub(super) fn reduction(&self, leaf: &Leaf, statement: &Statement, tile: &Tile) -> Result<(), Violation> {
        if statement.reduction.is_none() {
            return Ok(());
        }
        let reduces = |around: &&Around<'_>| statement.reduces(around.axis);
        let outermost = self.around.iter().position(|around| reduces(&around));
        for around in &self.around[outermost.unwrap_or(self.around.len())..] {
            if !statement.has_axis(around.axis) {
                let message = format!("'{}' would be accumulated again in '{}'", leaf.statement, around.text);
                return violation(3, message);
            }
        }
        self.blocks(leaf, statement, tile)?;
        if statement.combine().is_some_and(|(_, monoid)| monoid.order != Order::Fixed) {
            return Ok(());
        }
        let tiled = tile.axes().any(|(axis, size)| size > 1 && statement.reduces(axis));
        let position = |axis| statement.axes.iter().position(|&at| at == axis);
        let loops = self.around.iter().filter(reduces).map(|around| position(around.axis));
        if tiled || !loops.is_sorted() {
            return violation(
                7,
                format!("'{leaf}' combines elements in another order than '{}'", leaf.statement),
            );
        }
        Ok(())
    }

    /// Reduction loops around loops over the parallel axes of a reduction.
    fn blocks(&self, leaf: &Leaf, statement: &Statement, tile: &Tile) -> Result<(), Violation> {
        let name = &leaf.statement;
        let is_outer = |around: &Around<'_>| statement.reduces(around.axis);
        let Some(outermost) = self.around.iter().position(is_outer) else { return Ok(()) };
        let inside = &self.around[outermost..];
        let Some(innermost) = inside.iter().rposition(|around| !is_outer(around)) else { return Ok(()) };
        let (blocks, own) = inside.split_at(innermost + 1);
        for around in blocks {
            let text = around.text;
            let extent = self.kernel.known_extent(around.axis);
            if is_outer(around) && extent.is_none_or(|extent| extent <= 0) {
                let message = format!("'{text}', around other loops of '{name}', may have no iterations");
                return violation(8, message);
            }
            if !is_outer(around) && around.tail == Some(Tail::Shift) {
                let message = format!("the shifted last step of '{text}' repeats updates of '{name}'");
                return violation(9, message);
            }
        }
        let text = blocks[innermost].text;
        if own.is_empty() {
            return violation(8, format!("'{name}' has no reduction loop inside of '{text}'"));
        }
        if tile.groups.is_some() {
            let message =
                format!("'{leaf}' has lanes along two axes, but its reduction loops contain '{text}'");
            return violation(8, message);
        }
        Ok(())
    }
}

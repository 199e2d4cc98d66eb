//! Replaces conditions whose value is implied by a branch.

use crate::{Matched, NoMatch, Rewriter};
use minoan_ir::{Attr, Body, Op, Type, Value};

impl Rewriter<'_> {
    /// Replaces uses of a condition where a branch implies its value, as determined by `value_in` for each user.
    /// Constants are created before `op`, which branches on the condition; at most the first `near` uses are
    /// examined.
    ///
    /// # Errors
    /// The value is implied at no use, or no dialect has such a constant.
    pub fn replace_known_condition(
        &mut self,
        op: Op,
        condition: Value,
        near: usize,
        value_in: impl Fn(&Body, Op) -> Option<bool>,
    ) -> Result<Matched, NoMatch> {
        let body = self.body();
        let inside: Vec<(Op, usize, bool)> = body
            .uses(condition)
            .take(near)
            .filter_map(|at| value_in(body, at.op).map(|value| (at.op, at.index, value)))
            .collect();
        if inside.is_empty() {
            return Err(NoMatch::because("the condition is not used where its value is implied"));
        }
        let mut values = [None, None];
        for (user, index, value) in inside {
            let slot = &mut values[usize::from(value)];
            let known = match *slot {
                Some(known) => known,
                None => *slot.insert(self.constant(op, Attr::bool(value), Type::I1)?),
            };
            self.set_operand(user, index, known);
        }
        Ok(Matched)
    }
}

//! Comments with the users of values: `// users: %3, %4`.
//!
//! An operation without results is identified by an unused number.

use super::Writer;
use crate::{Block, Body, Op, OpRef, Value};
use rustc_hash::FxHashSet;

impl<'b> Writer<'b> {
    fn writes_users(&self) -> bool {
        self.flags.value_users && self.collector.is_none()
    }

    /// Prints the comment after an operation.
    #[inline]
    pub(super) fn users_of_results(&mut self, op: OpRef<'b>) {
        if self.writes_users() {
            self.write_users_of_results(op);
        }
    }

    #[inline(never)]
    fn write_users_of_results(&mut self, op: OpRef<'b>) {
        let body = op.body();
        let results: Vec<Value> = op.results().collect();
        if results.is_empty() {
            if op.n_operands() > 0 {
                self.text(" // id: ");
                self.op_id(body, op.id());
            }
            return;
        }
        let users: FxHashSet<Op> =
            results.iter().flat_map(|&result| body.uses(result)).map(|used| used.op).collect();
        if users.is_empty() {
            return self.text(" // unused");
        }
        let made: usize = users.iter().map(|&user| body.op(user).n_results()).sum();
        let is_one = results.len() == 1 && users.len() == 1 && made <= 1;
        self.text(if is_one { " // user: " } else { " // users: " });
        for (at, &result) in results.iter().enumerate() {
            self.text(if at > 0 { ", " } else { "" });
            self.text(if results.len() > 1 { "(" } else { "" });
            self.users(body, result);
            self.text(if results.len() > 1 { ")" } else { "" });
        }
    }

    /// Prints the comments at the start of a block, one line per argument.
    pub(super) fn users_of_arguments(&mut self, body: &'b Body, block: Block) {
        if !self.writes_users() {
            return;
        }
        for arg in body.block(block).args() {
            self.write_indent();
            self.text("// ");
            self.value(body, arg);
            self.text(" is ");
            if body.is_used(arg) {
                self.text("used by ");
            }
            self.users(body, arg);
            self.text("\n");
        }
    }

    /// Prints the users of a value, without duplicates.
    fn users(&mut self, body: &'b Body, value: Value) {
        if !body.is_used(value) {
            return self.text("unused");
        }
        let mut seen = FxHashSet::default();
        for (at, used) in body.uses(value).enumerate() {
            if !seen.insert(used.op) {
                continue;
            }
            self.text(if at > 0 { ", " } else { "" });
            let user = body.op(used.op);
            if user.n_results() == 0 {
                self.op_id(body, used.op);
            }
            for (at, result) in user.results().enumerate() {
                self.text(if at > 0 { ", " } else { "" });
                self.value(body, result);
            }
        }
    }

    fn op_id(&mut self, body: &Body, op: Op) {
        self.names.op_id(body, op, &mut self.out);
    }
}

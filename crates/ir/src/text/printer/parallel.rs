//! Parallel printing of functions.
//!
//! The text of an operation that owns a body depends on the enclosing names, but not on preceding text, unless
//! something is numbered in text order. So the operations of a module are printed in pieces, which are concatenated
//! in order: the bytes are those of a sequential printer.

use super::Writer;
use crate::{Block, Body, Name, Op, OpRef};
use rayon::prelude::*;
use std::io;

/// The number of operations in a piece, including nested ones.
const PIECE: usize = 1024;

/// The minimum number of operations for which threads pay off.
const ENOUGH: usize = 32 * PIECE;

/// The text of a piece, the keys of its resources, and the error of an elided part.
type Printed = (Vec<u8>, Vec<Name>, Option<io::Error>);

impl<'b> Writer<'b> {
    /// Whether a block is large enough for several threads and can be printed out of order.
    #[inline(never)]
    pub(super) fn is_worth_threads(&self, body: &'b Body, block: Block) -> bool {
        if self.names.is_whole() || self.collector.is_some() || self.ctx.has_aliases() || self.marks.is_some()
        {
            return false;
        }
        let mut rest = ENOUGH;
        let enough = body.block(block).op_refs().any(|op| {
            // One operation is printed by one thread, and its text is kept in memory.
            rest = rest.saturating_sub(size(op).min(PIECE));
            rest == 0
        });
        enough && rayon::current_num_threads() > 1
    }

    /// Prints the operations of a block except one, each on its line.
    #[inline(never)]
    pub(super) fn ops_in_parallel(&mut self, body: &'b Body, block: Block, except: Option<Op>) {
        let ops: Vec<Op> = body.block(block).ops().filter(|&op| Some(op) != except).collect();
        let mut pieces: Vec<&[Op]> = Vec::new();
        let (mut start, mut sum) = (0, 0);
        for (at, &op) in ops.iter().enumerate() {
            sum += size(body.op(op));
            if sum >= PIECE || at + 1 == ops.len() {
                pieces.push(&ops[start..=at]);
                (start, sum) = (at + 1, 0);
            }
        }
        let (ctx, indent) = (self.ctx, self.indent);
        let (flags, names, dialects) =
            (self.flags.clone(), self.names.clone(), self.default_dialects.clone());
        let writer = || {
            let mut writer = Writer::new(ctx, &flags);
            writer.names = names.clone();
            writer.indent = indent;
            writer.default_dialects.clone_from(&dialects);
            writer
        };
        // Lines are rarely longer than this.
        let print = |writer: &mut Writer<'b>, piece: &&[Op]| {
            writer.out.reserve(PIECE * 48);
            for &op in *piece {
                writer.op_line(body.op(op));
                writer.text("\n");
            }
            let (out, keys) = (std::mem::take(&mut writer.out), std::mem::take(&mut writer.resource_keys));
            (out, keys, writer.failed.take())
        };
        // Bounded, so that text does not accumulate: while one group is printed, the previous one is written.
        let mut groups = pieces.chunks(32 * rayon::current_num_threads());
        let print = |group: Option<&[&[Op]]>| -> Vec<Printed> {
            group.map_or(Vec::new(), |group| group.par_iter().map_init(writer, print).collect())
        };
        let mut texts = print(groups.next());
        while !texts.is_empty() {
            let (group, mut next) = (groups.next(), Vec::new());
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| next = print(group));
                texts.into_iter().for_each(|printed| self.put(printed));
            });
            texts = next;
        }
    }

    /// Appends a printed piece.
    fn put(&mut self, (text, keys, failed): Printed) {
        self.failed = self.failed.take().or(failed);
        match self.sink {
            // Without copying, since the text may be long.
            Some(_) if self.collector.is_none() => {
                self.flush();
                self.out = text;
                self.flush();
            }
            _ => self.out.extend_from_slice(&text),
        }
        self.resource_keys.extend(keys);
    }
}

/// The approximate number of operations in an operation.
fn size(op: OpRef<'_>) -> usize {
    1 + op.nested().map_or(0, Body::op_capacity)
}

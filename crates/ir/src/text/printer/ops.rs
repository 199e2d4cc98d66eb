//! Printing of operations, regions and blocks.

use super::{Writer, append_from, write_int};
use crate::text::byte_names::bytes_of_name;
use crate::text::parser::default_dialect;
use crate::text::{OpPrinter, RegionStyle};
use crate::with_stack;
use crate::{Assembly, Attr, Block, Body, Op, OpRef, Region, Traits, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The maximum indentation in columns, so that the text of deeply nested IR has linear size.
const MAX_INDENT: usize = 512;

/// The numbers of the predecessors of each block; `None` if no block has any.
type Predecessors = Option<Box<FxHashMap<Block, Vec<u32>>>>;

/// The predecessors of the blocks whose labels are printed.
#[inline(never)]
fn predecessors(body: &Body, region: Region, style: RegionStyle) -> Predecessors {
    let blocks = body.region(region).blocks();
    let n_blocks = blocks.len();
    let mut preds = None;
    for (at, block) in blocks.enumerate() {
        if n_blocks > 1 || body.block(block).n_args() > 0 || style.empty_block {
            for successor in body.block(block).successors() {
                let preds: &mut FxHashMap<_, Vec<u32>> = &mut **preds.get_or_insert_with(Box::default);
                preds.entry(successor).or_default().push(at as u32);
            }
        }
    }
    preds
}

impl<'b> Writer<'b> {
    pub(crate) fn write_indent(&mut self) {
        const SPACES: [u8; MAX_INDENT] = [b' '; MAX_INDENT];
        append_from(&mut self.out, &SPACES, 0, self.indent.min(MAX_INDENT));
    }

    pub(crate) fn value(&mut self, body: &Body, value: Value) {
        self.value_at(body, value.index());
    }

    /// Prints the name of the value with this index in its body.
    #[inline]
    pub(crate) fn value_at(&mut self, body: &Body, value: usize) {
        self.names.value(body, value, true, &mut self.out);
    }

    /// Reserves space in the buffer.
    fn make_room(&mut self) {
        if self.collector.is_some() {
            // The text is discarded.
            self.out.clear();
        }
        self.flush_when_full();
    }

    /// Prints an operation with its results and its location, indented.
    ///
    /// Functions that are called rarely in the recursion over nested regions are not inlined, since they would take
    /// stack space at each level of nesting.
    pub(crate) fn op_line(&mut self, view: OpRef<'b>) {
        self.make_room();
        self.parts = 0;
        self.mark(view);
        self.write_indent();
        if view.n_results() == 1 {
            self.names.value(view.body(), view.result_indices().start, false, &mut self.out);
            self.text(" = ");
        } else if view.n_results() > 1 {
            self.results_in_groups(view);
        }
        self.op_inline(view);
        if self.debuginfo && self.collector.is_none() {
            self.text(" ");
            self.loc_with_keyword(view.loc(), true);
        }
        self.users_of_results(view);
    }

    #[inline(never)]
    fn results_in_groups(&mut self, view: OpRef<'b>) {
        let body = view.body();
        let starts = self.names.groups(body, view.id());
        for (at, &start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(view.n_results());
            if at > 0 {
                self.text(", ");
            }
            self.names.value(body, view.result_indices().start + start, false, &mut self.out);
            if end - start > 1 {
                self.text(":");
                write_int(&mut self.out, (end - start) as i64);
            }
        }
        self.text(" = ");
    }

    /// Prints an operation without its results and its location.
    #[inline]
    pub(crate) fn op_inline(&mut self, view: OpRef<'b>) {
        if self.debuginfo && self.collector.is_some() {
            self.loc_alias(view.loc());
        }
        let nested = view.nested().is_some();
        if nested {
            self.names.enter(view);
        }
        self.custom_or_generic(view.body(), view);
        if nested {
            self.names.leave(view);
        }
    }

    fn custom_or_generic(&mut self, body: &'b Body, op: OpRef<'b>) {
        let info = op.context().info(op.kind());
        let spec = info.and_then(|info| Some((info, info.spec?))).filter(|_| !self.generic);
        let Some((info, spec)) = spec else { return self.generic_op(body, op) };
        let format = match spec.assembly {
            Assembly::Generic => return self.generic_op(body, op),
            Assembly::Custom { .. } => None,
            Assembly::Format(_) => match crate::text::format::compiled(body.context(), info) {
                Ok(format) => Some(format),
                Err(_) => return self.generic_op(body, op),
            },
        };
        let dialect = self.default_dialects.last().copied().unwrap_or("");
        // Most operations are of another dialect, which the first letter already shows.
        let may_be_short = spec.name.as_bytes().first() == dialect.as_bytes().first();
        let short = if may_be_short { spec.name.strip_prefix(dialect) } else { None };
        let short = short.and_then(|rest| rest.strip_prefix('.')).filter(|rest| !rest.contains('.'));
        let mut printer = OpPrinter::new(self, body, op);
        match (format, spec.assembly) {
            (Some(format), _) => format.print(&mut printer, spec.name, short),
            (None, Assembly::Custom { print, .. }) => {
                printer.text(short.unwrap_or(spec.name));
                print(&mut printer);
            }
            (None, _) => {}
        }
    }

    #[inline(never)]
    fn generic_op(&mut self, body: &'b Body, op: OpRef<'b>) {
        if self.collector.is_some() {
            return self.collect_generic(body, op);
        }
        self.generic_head(body, op);
        if op.n_regions() > 0 {
            self.text(" (");
            let (inside, regions) = op.inside();
            self.separated(regions, |printer, region| {
                printer.region(op, inside, region, RegionStyle::GENERIC)
            });
            self.text(")");
        }
        self.generic_tail(op);
    }

    /// Prints the part of a generic form before the regions.
    #[inline(never)]
    fn generic_head(&mut self, body: &'b Body, op: OpRef<'b>) {
        self.string(&bytes_of_name(op.name()));
        self.text("(");
        self.separated(op.operands(), |printer, value| printer.value(body, value));
        self.text(")");
        if op.n_successors() > 0 {
            self.text("[");
            self.separated(op.successors(), |printer, block| printer.successor(body, block));
            self.text("]");
        }
        if op.props() != Attr::EMPTY {
            self.text(" <");
            self.attr(op.props());
            self.text(">");
        }
    }

    /// Prints the part of a generic form after the regions.
    #[inline(never)]
    fn generic_tail(&mut self, op: OpRef<'b>) {
        if let Some(entries) = op.attrs().as_dictionary(self.ctx).filter(|entries| !entries.is_empty()) {
            self.text(" {");
            self.entries(entries.iter().copied());
            self.text("}");
        }
        self.text(" : ");
        let inputs: SmallVec<[_; 4]> = op.operand_types().collect();
        let results: SmallVec<[_; 4]> = op.result_types().collect();
        self.functional_type(&inputs, &results);
    }

    /// Collects aliases: MLIR visits them in another order than it prints.
    fn collect_generic(&mut self, _body: &'b Body, op: OpRef<'b>) {
        let (inside, regions) = op.inside();
        for region in regions {
            self.region(op, inside, region, RegionStyle::GENERIC);
        }
        for ty in op.operand_types().chain(op.result_types()) {
            self.ty(ty);
        }
        let list = |attr: Attr| attr.as_dictionary(self.ctx).unwrap_or(&[]).to_vec();
        let entries = [list(op.props()), list(op.attrs())].concat();
        self.entries(entries.into_iter());
    }

    pub(crate) fn successor(&mut self, body: &Body, block: Block) {
        match self.names.block(body, block) {
            Some(number) => {
                self.text("^bb");
                write_int(&mut self.out, i64::from(number));
            }
            None => self.text("^INVALIDBLOCK"),
        }
    }

    /// Prints a region of `op` with its braces.
    pub(crate) fn region(&mut self, op: OpRef<'b>, body: &'b Body, region: Region, style: RegionStyle) {
        if self.skip_regions {
            return self.text("{...}");
        }
        let info = op.context().info(op.kind());
        let dialect = info.and_then(|info| Some((info, info.spec?)));
        self.default_dialects.push(dialect.map_or("", |(info, spec)| default_dialect(info, spec.name)));
        self.text("{\n");
        with_stack(|| self.blocks(body, region, style));
        self.make_room();
        self.write_indent();
        self.text("}");
        self.default_dialects.pop();
    }

    fn blocks(&mut self, body: &'b Body, region: Region, style: RegionStyle) {
        let preds = predecessors(body, region, style);
        for (at, block) in body.region(region).blocks().enumerate() {
            let last = self.block_start(body, block, at, style, &preds);
            if self.is_worth_threads(body, block) {
                self.ops_in_parallel(body, block, last);
            } else {
                let count = body.block(block).len() - usize::from(last.is_some());
                for op in body.block(block).op_refs().take(count) {
                    self.op_line(op);
                    self.text("\n");
                }
            }
            self.indent -= 2;
        }
    }

    /// Prints the part of a block before its operations and starts their indentation; returns the terminator if it is
    /// omitted.
    #[inline(never)]
    fn block_start(
        &mut self,
        body: &'b Body,
        block: Block,
        at: usize,
        style: RegionStyle,
        preds: &Predecessors,
    ) -> Option<Op> {
        let view = body.block(block);
        if at > 0 || style.empty_block && view.is_empty() || style.entry_args && view.n_args() > 0 {
            let preds = preds.as_ref().and_then(|preds| preds.get(&block));
            self.block_header(body, block, at > 0, preds.map_or(&[], |preds| preds));
        }
        self.indent += 2;
        self.users_of_arguments(body, block);
        view.last().filter(|&last| {
            (at == 0 && !style.terminator) && {
                let op = body.op(last);
                op.has_trait(Traits::TERMINATOR) || op.context().info(op.kind()).is_none()
            }
        })
    }

    fn block_header(&mut self, body: &'b Body, block: Block, later: bool, preds: &[u32]) {
        self.write_indent();
        self.successor(body, block);
        let view = body.block(block);
        if view.n_args() > 0 {
            self.text("(");
            self.separated(view.args(), |printer, arg| printer.block_arg(body, arg));
            self.text(")");
        }
        self.text(":");
        match preds {
            [] if later => self.text("  // no predecessors"),
            [] => {}
            [one] => {
                self.text("  // pred: ^bb");
                write_int(&mut self.out, i64::from(*one));
            }
            _ => {
                self.text("  // ");
                write_int(&mut self.out, preds.len() as i64);
                self.text(" preds: ");
                for (at, &pred) in preds.iter().enumerate() {
                    self.text(if at > 0 { ", ^bb" } else { "^bb" });
                    write_int(&mut self.out, i64::from(pred));
                }
            }
        }
        self.text("\n");
    }

    /// Prints `%arg0: i32`, with its location if enabled.
    pub(crate) fn block_arg(&mut self, body: &Body, arg: Value) {
        self.value(body, arg);
        self.text(": ");
        self.ty(body.ty(arg));
        self.arg_loc(body, arg);
    }

    pub(crate) fn arg_loc(&mut self, body: &Body, arg: Value) {
        if !self.debuginfo {
            return;
        }
        let loc = body.value_loc(arg);
        if self.collector.is_some() {
            self.note_loc(loc);
        } else {
            self.text(" ");
            self.loc_with_keyword(loc, false);
        }
    }
}

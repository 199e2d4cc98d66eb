//! Parallel parsing of functions.
//!
//! The text of a long module is split after lines that begin with a closing brace in the column of the module's
//! operations. Each piece is parsed by its own parser, and the operations are moved to the module in text order. A
//! split is a guess: a piece is valid if it is parsed to its end without an error and contains only operations that
//! own a body. From the first invalid piece on, and after the last split, a single parser parses the text. So
//! diagnostics are always those of a sequential parser.

use super::names::Scope;
use super::{BlockScope, Parser, Tok};
use crate::body::OpParts;
use crate::text::lexer::Lexer;
use crate::{Block, Body, InsertionPoint, Op};
use memchr::{memchr, memchr_iter, memmem};
use rayon::prelude::*;

/// The size of a piece in bytes, minimum and maximum: a long piece warms up caches less often, and short ones finish
/// at the same time.
const MIN_LENGTH: usize = 256 * 1024;
const MAX_LENGTH: usize = 1024 * 1024;

/// The fraction of the remaining text that a piece takes.
const PART: usize = 16;

/// The approximate size in bytes of the text after the last split, which is parsed while other threads are idle.
const TAIL: usize = 32 * 1024;

/// The minimum size in bytes for which threads pay off.
const ENOUGH: usize = 1024 * 1024;

/// A position in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    at: u32,
    line: u32,
    /// The start of the line.
    line_start: u32,
}

/// A piece of the text, which ends at the start of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    start: Place,
    end: Place,
}

impl<'c> Parser<'c> {
    /// Parses operations of a module in parallel as far as possible; the caller parses the rest.
    #[inline]
    pub(super) fn operations_in_parallel(&mut self, block: Block) {
        let rest = self.text.len() - self.tok.start as usize;
        // Only in a region of the module itself: searching for splits at every level of nesting would be quadratic.
        let in_module = self.bodies.len() == 2 && self.blocks.len() == 1 && !self.is_piece;
        let has_names = |scope: &Scope<'_>| !scope.is_empty() || scope.is_inside_names();
        let in_module = in_module && !has_names(self.scope());
        if in_module && !self.is_recording() && rest >= ENOUGH && rayon::current_num_threads() >= 2 {
            self.read_pieces(block);
        }
    }

    /// Not inlined, since it would take stack space at each level of nesting.
    #[inline(never)]
    fn read_pieces(&mut self, block: Block) {
        let start = Place { at: self.tok.start, line: self.lexer.line, line_start: self.lexer.line_start };
        let Some(cuts) = Cuts::new(self.text, start) else { return };
        let fork = Fork {
            ctx: self.ctx,
            text: self.text,
            file: self.file,
            file_handle: self.file_handle,
            depth: self.depth,
            allow_unregistered: self.allow_unregistered,
            compiled: self.compiled,
            aliases: &self.aliases,
            default_dialects: &self.default_dialects,
        };
        // Pieces are parsed while the next ones are searched for.
        let mut pieces: Vec<(Piece, Option<Body>)> =
            cuts.par_bridge().map(|piece| (piece, fork.read(piece))).collect();
        pieces.sort_unstable_by_key(|(piece, _)| piece.start.at);
        let mut end = None;
        for (piece, body) in pieces {
            let Some(body) = body else { break };
            self.take_ops(body, block);
            end = Some(piece.end);
        }
        if let Some(end) = end {
            self.lexer.jump(end.at, end.line);
            self.prev_end = end.at;
            self.tok = self.lexer.next();
        }
    }

    /// Moves the operations at the top of a piece to the end of a block.
    fn take_ops(&mut self, mut piece: Body, block: Block) {
        let ops: Vec<Op> = top_ops(&piece).collect();
        for op in ops {
            let view = piece.op(op);
            let (kind, loc, props, attrs) = (view.kind(), view.loc(), view.props(), view.attrs());
            let parts = OpParts {
                kind,
                loc,
                operands: &[],
                results: &[],
                props,
                attrs,
                successors: &[],
                regions: &[],
                nested: piece.take_nested(op),
            };
            self.body().create_from_parts(parts, InsertionPoint::End(block));
        }
    }
}

/// The state that the parser of a piece inherits.
struct Fork<'p, 'c> {
    ctx: &'c crate::Context,
    text: &'c str,
    file: minoan_diag::FileId,
    file_handle: crate::FileHandle,
    depth: usize,
    allow_unregistered: bool,
    compiled: bool,
    aliases: &'p rustc_hash::FxHashMap<&'c str, super::Defined>,
    default_dialects: &'p [&'c str],
}

impl Fork<'_, '_> {
    /// Parses the operations of a piece to a body; `None` if another parser must parse them.
    fn read(&self, piece: Piece) -> Option<Body> {
        let mut lexer = Lexer::new(&self.text[..piece.end.at as usize]);
        lexer.jump(piece.start.line_start, piece.start.line);
        lexer.reset(piece.start.at);
        let mut parser = Parser::at(self.ctx, self.text, self.file, self.file_handle, lexer);
        parser.depth = self.depth;
        parser.allow_unregistered = self.allow_unregistered;
        parser.compiled = self.compiled;
        parser.aliases.clone_from(self.aliases);
        parser.default_dialects = self.default_dialects.to_vec();
        parser.is_piece = true;
        let mut holder = Body::new(self.ctx, 1);
        let root = holder.root(0);
        let block = holder.add_block(root, &[]);
        parser.bodies.push(holder);
        parser.open_names(true);
        parser.blocks.push(BlockScope::default());
        parser.operations(block).ok()?;
        parser.close_names(true);
        let right = parser.tok.kind == Tok::Eof
            && parser.distinct.is_empty()
            && parser.diagnostics.into_inner().is_empty();
        let body = parser.bodies.pop()?;
        let movable = |op: Op| {
            let op = body.op(op);
            op.nested().is_some() && op.n_operands() + op.n_results() + op.n_successors() == 0
        };
        (right && top_ops(&body).all(movable)).then_some(body)
    }
}

fn top_ops(body: &Body) -> impl Iterator<Item = Op> + '_ {
    let entry = body.region(body.root(0)).entry();
    entry.into_iter().flat_map(|block| body.block(block).ops())
}

/// The pieces of the text from a position on, up to the last line that looks like the end of an operation.
struct Cuts<'t> {
    text: &'t str,
    /// The beginning of the last line of an operation, with the preceding newline.
    closing: memmem::Finder<'t>,
    /// The start of the next piece.
    start: Place,
}

impl<'t> Cuts<'t> {
    /// Starts at the first operation, if only spaces precede it in its line.
    fn new(text: &'t str, start: Place) -> Option<Self> {
        let indent = &text[start.line_start as usize..start.at as usize];
        let closing = memmem::Finder::new(&format!("\n{indent}}}")).into_owned();
        indent.bytes().all(|byte| byte.is_ascii_whitespace()).then_some(Self { text, closing, start })
    }
}

impl Iterator for Cuts<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let rest = &self.text.as_bytes()[self.start.at as usize..];
        let length = (rest.len() / PART).clamp(MIN_LENGTH, MAX_LENGTH).min(rest.len().checked_sub(TAIL)?);
        let closing = length + self.closing.find(&rest[length..])? + 1;
        let length = closing + memchr(b'\n', &rest[closing..])? + 1;
        let at = self.start.at + length as u32;
        let lines = memchr_iter(b'\n', &rest[..length]).count() as u32;
        let end = Place { at, line: self.start.line + lines, line_start: at };
        Some(Piece { start: std::mem::replace(&mut self.start, end), end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_after_closing_braces_at_operation_indentation() {
        let function =
            format!("  func.func @f() {{\n{}  }} // }}\n", "    \"a\"() {} : () -> ()\n".repeat(20_000));
        let text = format!("module {{\n{function}{function}{function}}}");
        let start = Place { at: 11, line: 2, line_start: 9 };
        let pieces: Vec<Piece> = Cuts::new(&text, start).expect("the line begins with spaces").collect();
        let lines = function.lines().count() as u32;
        let place = |functions: u32| {
            let at = 9 + functions * function.len() as u32;
            Place { at, line: 2 + functions * lines, line_start: at }
        };
        let whole = |from: u32| Piece { start: place(from), end: place(from + 1) };
        assert_eq!(pieces, [Piece { start, ..whole(0) }, whole(1), whole(2)]);
    }

    #[test]
    fn unbalanced_text_is_not_split() {
        let text = format!("func.func @f() {{\n{}", "  \"a\"() {} : () -> ()\n".repeat(50_000));
        let cuts = |at: u32| Cuts::new(&text, Place { at, line: 1, line_start: 0 });
        assert_eq!(cuts(0).expect("nothing stands before it").next(), None);
        assert!(cuts(10).is_none(), "something stands before it");
    }
}

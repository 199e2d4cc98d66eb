//! Functions read side by side.
//!
//! The text of a long module is cut where a brace closes an operation of the module, by a look at braces, strings and
//! comments alone. Each piece is read by a parser of its own, and the operations are moved into the module in the order
//! of the text. The cut is a guess: when a piece does not read to its end without an error, or holds anything but
//! operations that own their storage, all pieces are dropped and the module is read from its start by one parser. So
//! diagnostics are always those of one thread.

use super::{BlockScope, Parser, Tok};
use crate::body::OpParts;
use crate::text::lexer::Lexer;
use crate::{Block, Body, Op, Point};
use rayon::prelude::*;

/// Bytes of a piece.
const PIECE: usize = 256 * 1024;

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    start: u32,
    end: u32,
    /// Line of the start, and where it begins.
    line: u32,
    line_start: u32,
}

impl<'c> Parser<'c> {
    /// Reads the operations of a module up to its closing brace; `false` when nothing was read.
    pub(super) fn operations_in_parallel(&mut self, block: Block) -> bool {
        let rest = self.text.len() - self.tok.start as usize;
        // In a region of the module itself: to look for cuts at every level of nesting would be quadratic.
        let in_module =
            self.bodies.len() == 2 && self.blocks.len() == 1 && !self.is_piece && self.scope().is_empty();
        if !in_module || rest < 2 * PIECE || rayon::current_num_threads() < 2 {
            return false;
        }
        let (line, line_start) = (self.lexer.line, self.lexer.line_start);
        let start = Piece { start: self.tok.start, end: self.tok.start, line, line_start };
        let Some((pieces, end)) = cut(self.text.as_bytes(), start) else { return false };
        if pieces.len() < 2 {
            return false;
        }
        let fork = Fork {
            ctx: self.ctx,
            text: self.text,
            file: self.file,
            file_handle: self.file_handle,
            depth: self.depth,
            allow_unregistered: self.allow_unregistered,
            aliases: &self.aliases,
            default_dialects: &self.default_dialects,
        };
        let Some(bodies) = pieces.par_iter().map(|piece| fork.read(*piece)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        for mut body in bodies {
            let ops: Vec<Op> = top_ops(&body).collect();
            for op in ops {
                let view = body.op(op);
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
                    nested: body.take_nested(op),
                };
                self.body().create_from_parts(parts, Point::End(block));
            }
        }
        self.lexer.jump(end.line_start, end.line);
        self.lexer.reset(end.start);
        self.prev_end = end.start;
        self.tok = self.lexer.next();
        true
    }
}

/// What the parser of a piece takes over.
struct Fork<'p, 'c> {
    ctx: &'c crate::Context,
    text: &'c str,
    file: minoan_diag::FileId,
    file_handle: crate::FileHandle,
    depth: usize,
    allow_unregistered: bool,
    aliases: &'p rustc_hash::FxHashMap<&'c str, super::Alias>,
    default_dialects: &'p [&'c str],
}

impl Fork<'_, '_> {
    /// The operations of a piece, in a body of their own; `None` when another parser must read them.
    fn read(&self, piece: Piece) -> Option<Body> {
        let mut lexer = Lexer::new(&self.text[..piece.end as usize]);
        lexer.jump(piece.line_start, piece.line);
        lexer.reset(piece.start);
        let mut parser = Parser::at(self.ctx, self.text, self.file, self.file_handle, lexer);
        parser.depth = self.depth;
        parser.allow_unregistered = self.allow_unregistered;
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

/// The pieces of the text from a place to the brace that closes the region there, and the line of that brace; `None`
/// when there is none.
fn cut(text: &[u8], from: Piece) -> Option<(Vec<Piece>, Piece)> {
    let mut pieces = Vec::new();
    let mut piece = from;
    let (mut line, mut line_start) = (from.line, from.line_start);
    let mut depth = 0;
    // Whether nothing but spaces came since the last closing brace.
    let mut closed = false;
    let mut at = from.start as usize;
    loop {
        match *text.get(at)? {
            b'"' => {
                at += 1;
                while *text.get(at)? != b'"' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                closed = false;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at += text[at..].iter().position(|&byte| byte == b'\n')?;
                continue;
            }
            b'{' => {
                depth += 1;
                closed = false;
            }
            b'}' if depth == 0 => {
                piece.end = line_start.max(piece.start);
                if piece.end > piece.start {
                    pieces.push(piece);
                }
                let end = line_start.max(from.start);
                return Some((pieces, Piece { start: end, end, line, line_start }));
            }
            b'}' => {
                depth -= 1;
                closed = true;
            }
            b'\n' => {
                line += 1;
                line_start = at as u32 + 1;
                if depth == 0 && closed && at - piece.start as usize >= PIECE {
                    piece.end = line_start;
                    pieces.push(piece);
                    piece = Piece { start: line_start, end: line_start, line, line_start };
                }
            }
            b' ' | b'\t' | b'\r' => {}
            _ => closed = false,
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces_of(text: &str) -> Option<(Vec<&str>, &str, u32)> {
        let start = Piece { start: 0, end: 0, line: 1, line_start: 0 };
        let (pieces, end) = cut(text.as_bytes(), start)?;
        let texts = pieces.iter().map(|piece| &text[piece.start as usize..piece.end as usize]).collect();
        Some((texts, &text[end.start as usize..], end.line))
    }

    #[test]
    fn a_text_is_cut_behind_closing_braces() {
        let function =
            format!("func.func @f() {{ // }}\n{}\n}}\n", "  \"a\\\"}\"() {} : () -> ()\n".repeat(20_000));
        let text = format!("{function}{function}{function}}}\nrest");
        let (pieces, rest, line) = pieces_of(&text).expect("the braces match");
        assert_eq!(pieces, [&function, &function, &function]);
        assert_eq!((rest, line as usize), ("}\nrest", 1 + 3 * function.lines().count()));
    }

    #[test]
    fn a_text_that_does_not_close_is_not_cut() {
        assert_eq!(pieces_of("func.func @f() {\n}\n"), None);
        assert_eq!(pieces_of("\"a"), None);
    }
}

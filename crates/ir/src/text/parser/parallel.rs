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

/// Bytes of a piece, at least and at most: a long one has less to learn again, and short ones end at the same time.
const SHORTEST: usize = 256 * 1024;
const LONGEST: usize = 1024 * 1024;

/// Bytes from which on threads are worth their start.
const ENOUGH: usize = 1024 * 1024;

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
    #[inline]
    pub(super) fn operations_in_parallel(&mut self, block: Block) -> bool {
        let rest = self.text.len() - self.tok.start as usize;
        // In a region of the module itself: to look for cuts at every level of nesting would be quadratic.
        let in_module =
            self.bodies.len() == 2 && self.blocks.len() == 1 && !self.is_piece && self.scope().is_empty();
        in_module && rest >= ENOUGH && rayon::current_num_threads() >= 2 && self.read_pieces(block)
    }

    /// Not inlined: it would have room on the stack at each level of nesting.
    #[inline(never)]
    fn read_pieces(&mut self, block: Block) -> bool {
        let (line, line_start) = (self.lexer.line, self.lexer.line_start);
        let start = Piece { start: self.tok.start, end: self.tok.start, line, line_start };
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
        // Pieces are read while the next ones are looked for.
        let (sender, bodies) = std::sync::mpsc::channel();
        let end = rayon::in_place_scope(|scope| {
            let mut cuts = Cuts::new(self.text.as_bytes(), start);
            for (number, piece) in cuts.by_ref().enumerate() {
                let (sender, fork) = (sender.clone(), &fork);
                // Nobody listens any more where the text turned out not to be cut.
                scope.spawn(move |_| drop(sender.send((number, fork.read(piece)))));
            }
            cuts.end
        });
        drop(sender);
        let Some(end) = end else { return false };
        let mut bodies: Vec<(usize, Option<Body>)> = bodies.into_iter().collect();
        bodies.sort_unstable_by_key(|(number, _)| *number);
        let bodies: Option<Vec<Body>> = bodies.into_iter().map(|(_, body)| body).collect();
        let Some(bodies) = bodies.filter(|bodies| bodies.len() > 1) else { return false };
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
    aliases: &'p rustc_hash::FxHashMap<&'c str, super::Defined>,
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

/// The pieces of the text from a place to the brace that closes the region there.
struct Cuts<'t> {
    text: &'t [u8],
    from: u32,
    /// The piece that has begun.
    piece: Piece,
    at: usize,
    line: u32,
    line_start: u32,
    depth: usize,
    /// Bytes from which on a piece may end.
    enough: usize,
    /// Where the closing brace is, with its line; `None` before it was found, and for good where there is none.
    end: Option<Piece>,
}

impl<'t> Cuts<'t> {
    fn new(text: &'t [u8], from: Piece) -> Self {
        let Piece { start, line, line_start, .. } = from;
        let enough = ((text.len() - start as usize) / 32).clamp(SHORTEST, LONGEST);
        let at = start as usize;
        Self { text, from: start, piece: from, at, line, line_start, depth: 0, enough, end: None }
    }

    /// The rest of the line at a place, where nothing in it opens or closes anything.
    fn plain_line(&self) -> Option<&'t [u8]> {
        let rest = &self.text[self.at..];
        let line = &rest[..memchr::memchr(b'\n', rest)?];
        let plain = memchr::memchr3(b'{', b'}', b'"', line).is_none() && memchr::memchr(b'/', line).is_none();
        plain.then_some(line)
    }
}

impl Iterator for Cuts<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.end.is_some() {
            return None;
        }
        let text = self.text;
        // Whether nothing but spaces came since the last closing brace.
        let mut closed = false;
        loop {
            let at = self.at;
            match *text.get(at)? {
                b'"' => {
                    self.at += 1;
                    while *text.get(self.at)? != b'"' {
                        self.at += if text[self.at] == b'\\' { 2 } else { 1 };
                    }
                    closed = false;
                }
                b'/' if text.get(at + 1) == Some(&b'/') => {
                    self.at += text[at..].iter().position(|&byte| byte == b'\n')?;
                    continue;
                }
                b'{' => {
                    self.depth += 1;
                    closed = false;
                }
                b'}' if self.depth == 0 => {
                    let end = self.line_start.max(self.from);
                    self.end = Some(Piece { start: end, end, line: self.line, line_start: self.line_start });
                    let last = Piece { end: self.line_start.max(self.piece.start), ..self.piece };
                    return (last.end > last.start).then_some(last);
                }
                b'}' => {
                    self.depth -= 1;
                    closed = true;
                }
                b'\n' => {
                    self.line += 1;
                    self.line_start = at as u32 + 1;
                    if self.depth == 0 && closed && at - self.piece.start as usize >= self.enough {
                        let start = self.line_start;
                        let next = Piece { start, end: start, line: self.line, line_start: start };
                        self.at += 1;
                        return Some(Piece { end: start, ..std::mem::replace(&mut self.piece, next) });
                    }
                    self.at += 1;
                    if let Some(line) = self.plain_line() {
                        closed &= line.trim_ascii().is_empty();
                        self.at += line.len();
                    }
                    continue;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => closed = false,
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces_of(text: &str) -> Option<(Vec<&str>, &str, u32)> {
        let start = Piece { start: 0, end: 0, line: 1, line_start: 0 };
        let mut cuts = Cuts::new(text.as_bytes(), start);
        let pieces: Vec<Piece> = cuts.by_ref().collect();
        let texts = pieces.iter().map(|piece| &text[piece.start as usize..piece.end as usize]).collect();
        let end = cuts.end?;
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

//! Operations that were read before, but for the names in them.
//!
//! A program says the same few things again and again: `arith.addi %a, %b : i64` on thousands of lines, with other names.
//! What a line means follows from the text between its names and from the types of what they name. So it is read once,
//! and then found by that text.
//!
//! What is found is what reading would give. A line is kept only if the operation ends with it, has nothing inside, names
//! no blocks, and each of its operands is a name of its own; it is used again only in front of such a token as followed
//! it before, since an operation may go on in the next line.

use super::names::Key;
use super::{Parser, Tok, short};
use crate::body::OpParts;
use crate::text::lexer::{name_end, plain_end};
use crate::{Attr, Loc, Op, OpKind, Point, Type, Value};
use smallvec::SmallVec;

const SIZE: usize = 1024;
const MAX_NAMES: usize = 8;
const MAX_LENGTH: usize = 256;

/// What is left of a line, from the name of an operation on.
#[derive(Clone, Copy)]
struct Line<'c> {
    text: &'c str,
    start: u32,
    /// Of what stands between the names.
    hash: u64,
    names: [(u32, u32); MAX_NAMES],
    n_names: usize,
}

/// A line that was read, and what it means.
struct Template<'c> {
    line: Line<'c>,
    /// The dialect that the operation's name left out; `None` where it says it.
    dialect: Option<&'c str>,
    kind: OpKind,
    props: Attr,
    attrs: Attr,
    /// For each operand, which of the names it is, and its type.
    operands: SmallVec<[(u8, Type); 4]>,
    results: SmallVec<[Type; 2]>,
    /// What came behind it: bits of [`Parser::what_follows`].
    followed_by: u8,
}

/// The lines that were read lately, each at the place that its hash gives it; a later one takes the place.
#[derive(Default)]
pub(super) struct Templates<'c> {
    slots: Vec<Option<Template<'c>>>,
}

impl<'c> Line<'c> {
    /// The line of a text from a place on; `None` for one that is not looked for.
    fn at(text: &'c str, start: u32) -> Option<Self> {
        let from = start as usize;
        // No further: a long line may hold many operations.
        let limit = text.len().min(from + MAX_LENGTH);
        let bytes = &text.as_bytes()[..limit];
        let (mut hash, mut names, mut n_names) = (0, [(0, 0); MAX_NAMES], 0);
        let mut chunk = from;
        loop {
            let at = plain_end(bytes, chunk);
            hash = mix(hash, bytes, chunk, at);
            match bytes.get(at) {
                None if limit < text.len() => return None,
                None | Some(b'\n') => {
                    return Some(Self { text: &text[from..at], start, hash, names, n_names });
                }
                Some(b'%') if n_names < MAX_NAMES => {
                    let end = name_end(bytes, at + 1)?;
                    if bytes.get(end) == Some(&b'#') {
                        return None;
                    }
                    names[n_names] = (at as u32, end as u32);
                    n_names += 1;
                    chunk = end;
                }
                _ => return None,
            }
        }
    }

    fn end(&self) -> u32 {
        self.start + self.text.len() as u32
    }

    fn names(&self) -> &[(u32, u32)] {
        &self.names[..self.n_names]
    }

    /// Whether two lines are the same but for the names.
    fn is_like(&self, other: &Self) -> bool {
        if self.hash != other.hash || self.n_names != other.n_names {
            return false;
        }
        let (mut a, mut b) = (0, 0);
        for (&(from, to), &(other_from, other_to)) in self.names().iter().zip(other.names()) {
            let (end, other_end) = ((from - self.start) as usize, (other_from - other.start) as usize);
            if self.text.as_bytes()[a..end] != other.text.as_bytes()[b..other_end] {
                return false;
            }
            (a, b) = ((to - self.start) as usize, (other_to - other.start) as usize);
        }
        self.text.as_bytes()[a..] == other.text.as_bytes()[b..]
    }

    fn slot(&self) -> usize {
        (self.hash >> (u64::BITS - SIZE.trailing_zeros())) as usize
    }
}

/// A hash with the bytes `start..end` of a text added.
#[inline]
fn mix(mut hash: u64, bytes: &[u8], start: usize, end: usize) -> u64 {
    let mut at = start;
    while at < end {
        let word = short::head(bytes, at as u32, end as u32);
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at += 8;
    }
    // Where a chunk ends counts too.
    hash ^ (end - start) as u64
}

impl<'c> Parser<'c> {
    /// Makes the operation whose name is the current token, where its line was read before. Otherwise nothing was done;
    /// [`Parser::keep_line`] keeps the line once it was read.
    #[inline(never)]
    pub(super) fn operation_like_before(&mut self, loc: Loc, point: Point) -> Option<Op> {
        let line = Line::at(self.text, self.tok.start)?;
        let template = self.templates.slots.get(line.slot())?.as_ref()?;
        let is_meant = template.dialect.is_none_or(|dialect| dialect == self.default_dialect());
        if !is_meant || !line.is_like(&template.line) {
            return None;
        }
        let mut operands: SmallVec<[Value; MAX_NAMES]> = SmallVec::new();
        for &(name, ty) in &template.operands {
            let (start, end) = line.names[usize::from(name)];
            operands.push(self.value_of_type(start, end, ty)?);
        }
        let before = self.mark();
        self.reset(line.end());
        let follows = self.what_follows();
        let template = self.templates.slots.get(line.slot())?.as_ref()?;
        if follows & template.followed_by == 0 {
            self.go_back(before);
            return None;
        }
        let parts = OpParts {
            kind: template.kind,
            loc,
            operands: &operands,
            results: &template.results,
            props: template.props,
            attrs: template.attrs,
            successors: &[],
            regions: &[],
            nested: None,
        };
        let body = self.bodies.last_mut()?;
        Some(body.create_from_parts(parts, point))
    }

    /// Keeps what the operation that was read last means, whose name begins at `start`.
    #[inline(never)]
    pub(super) fn keep_line(&mut self, start: u32, op: Op) {
        let Some(line) = Line::at(self.text, start).filter(|line| line.end() == self.prev_end) else {
            return;
        };
        // A location that is written is one line's own.
        if line.text.contains("loc(") {
            return;
        }
        let Some((scope, body)) = self.scopes.last().zip(self.bodies.last()) else { return };
        let view = body.op(op);
        if view.n_regions() + view.n_successors() > 0 || view.nested().is_some() {
            return;
        }
        let value = |&(start, end): &(u32, u32)| scope.get(Key::at(self.text, start, end, 0))?.value;
        let Some(values) = line.names().iter().map(value).collect::<Option<SmallVec<[Value; 4]>>>() else {
            return;
        };
        // With a value twice it could not be said which operand is which name.
        let is_one = |value: &Value| values.iter().filter(|&other| other == value).count() == 1;
        if values.len() != view.n_operands() || !values.iter().all(is_one) {
            return;
        }
        let number = |operand: Value| values.iter().position(|&value| value == operand);
        let operands = view.operands().zip(view.operand_types());
        let operands = operands.map(|(operand, ty)| Some((number(operand)? as u8, ty)));
        let Some(operands) = operands.collect::<Option<SmallVec<_>>>() else { return };
        let name_ends = line.text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '$' | '.'));
        let name = &line.text[..name_ends.unwrap_or(line.text.len())];
        let dialect = if name.contains('.') { None } else { Some(self.default_dialect()) };
        let template = Template {
            line,
            dialect,
            kind: view.kind(),
            props: view.props(),
            attrs: view.attrs(),
            operands,
            results: view.result_types().collect(),
            followed_by: self.what_follows(),
        };
        if self.templates.slots.is_empty() {
            self.templates.slots.resize_with(SIZE, || None);
        }
        self.templates.put(template);
    }

    fn default_dialect(&self) -> &'c str {
        self.default_dialects.last().copied().unwrap_or("")
    }

    /// What the current token is to the operation before it, as a bit; none where the operation may go on there.
    fn what_follows(&self) -> u8 {
        match self.tok.kind {
            Tok::Eof => 1,
            Tok::Percent => 2,
            Tok::String => 4,
            Tok::Caret => 8,
            Tok::Punct if self.is_mark(b'}') => 16,
            Tok::Word if self.spelling().contains('.') => 32,
            // A keyword of the operation, unless it is known as the name of another one.
            Tok::Word if self.recent.kind(self.spelling(), self.default_dialect()).is_some() => 64,
            _ => 0,
        }
    }
}

impl<'c> Templates<'c> {
    fn put(&mut self, template: Template<'c>) {
        match &mut self.slots[template.line.slot()] {
            Some(known) if known.dialect == template.dialect && known.is_same(&template) => {
                known.followed_by |= template.followed_by;
            }
            slot => *slot = Some(template),
        }
    }
}

impl Template<'_> {
    /// Whether another line has the same text and the same meaning.
    fn is_same(&self, other: &Self) -> bool {
        self.line.is_like(&other.line)
            && (self.kind, self.props, self.attrs) == (other.kind, other.props, other.attrs)
            && self.operands == other.operands
            && self.results == other.results
    }
}

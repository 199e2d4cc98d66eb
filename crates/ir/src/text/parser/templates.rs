//! A cache of operations that differ only in the names of values.
//!
//! Programs repeat lines such as `arith.addi %a, %b : i64` thousands of times with different names. The meaning of a
//! line follows from the text between its names and the types of the named values, so it is parsed once and then
//! found by that text.
//!
//! A cache hit is equivalent to parsing. A line is cached only if the operation ends with it, has no regions and no
//! successors, and its operands have different names; it is used only before the same kind of token as
//! before, since an operation may continue on the next line.

use super::names::Key;
use super::{Parser, Tok, short};
use crate::body::OpParts;
use crate::recent_cache::RecentCache;
use crate::text::lexer::name_end;
use crate::{Attr, InsertionPoint, Op, OpKind, Type, Value};
use smallvec::SmallVec;

const MAX_NAMES: usize = 8;
const MAX_WORDS: usize = 32;

/// The part of a line from the name of an operation on. It is large, so one instance is reused.
struct Line {
    start: u32,
    end: u32,
    /// The hash of the text between the names.
    hash: u64,
    /// The text between the names in words of eight bytes. A piece ends with a byte that does not occur in text, so
    /// that pieces of different lengths have different words.
    words: [u64; MAX_WORDS],
    n_words: usize,
    names: [(u32, u32); MAX_NAMES],
    n_names: usize,
}

/// A cached line and its meaning.
struct Template<'c> {
    hash: u64,
    words: Box<[u64]>,
    /// The implicit dialect prefix; `None` if the dialect is written.
    dialect: Option<&'c str>,
    kind: OpKind,
    props: Attr,
    attrs: Attr,
    /// For each operand, the index of its name, and its type.
    operands: SmallVec<[(u8, Type); 4]>,
    results: SmallVec<[Type; 2]>,
    /// The following tokens: bits of [`Parser::what_follows`].
    followed_by: u8,
}

/// The cached lines by hash; later ones replace earlier ones.
#[derive(Default)]
pub(super) struct Templates<'c> {
    /// The current line.
    line: Line,
    known: RecentCache<Template<'c>>,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            start: 0,
            end: 0,
            hash: 0,
            words: [0; MAX_WORDS],
            n_words: 0,
            names: [(0, 0); MAX_NAMES],
            n_names: 0,
        }
    }
}

impl Line {
    /// Reads the line of a text from a position on; `None` if it cannot be cached.
    #[inline]
    fn read(&mut self, text: &str, start: u32) -> Option<()> {
        let bytes = text.as_bytes();
        (self.start, self.hash, self.n_words, self.n_names) = (start, 0, 0, 0);
        let mut at = start as usize;
        loop {
            // Pads with newlines at the end of the text.
            let word = match bytes.get(at..at + 8).and_then(|rest| rest.first_chunk::<8>()) {
                Some(chunk) => u64::from_le_bytes(*chunk),
                None => short::until_end(bytes, at, b'\n'),
            };
            let found = short::places_of(word, b'%') | short::places_of(word, b'\n');
            if found == 0 {
                self.add(word)?;
                at += 8;
                continue;
            }
            let length = found.trailing_zeros() & !7;
            self.add(word & !(u64::MAX << length) | 0xff << length)?;
            at += length as usize / 8;
            if bytes.get(at) != Some(&b'%') {
                self.end = at as u32;
                return Some(());
            }
            let end = name_end(bytes, at + 1)?;
            if bytes.get(end) == Some(&b'#') {
                return None;
            }
            *self.names.get_mut(self.n_names)? = (at as u32, end as u32);
            self.n_names += 1;
            at = end;
        }
    }

    #[inline]
    fn add(&mut self, word: u64) -> Option<()> {
        *self.words.get_mut(self.n_words)? = word;
        self.n_words += 1;
        self.hash = (self.hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Some(())
    }

    fn text<'c>(&self, of: &'c str) -> &'c str {
        &of[self.start as usize..self.end as usize]
    }

    fn names(&self) -> &[(u32, u32)] {
        &self.names[..self.n_names]
    }

    fn words(&self) -> &[u64] {
        &self.words[..self.n_words]
    }
}

impl<'c> Parser<'c> {
    /// Creates the operation whose name starts at a position of the current line, if the line is cached. Otherwise
    /// has no effect; [`Parser::keep_line`] caches the line after it is parsed.
    #[inline(never)]
    pub(super) fn operation_like_before(&mut self, start: u32, point: InsertionPoint) -> Option<Op> {
        if self.is_recording() {
            return None;
        }
        self.templates.line.read(self.text, start)?;
        let (line, template) = (&self.templates.line, self.templates.find()?);
        if template.dialect.is_some_and(|dialect| dialect != self.default_dialect()) {
            return None;
        }
        let mut operands: SmallVec<[Value; MAX_NAMES]> = SmallVec::new();
        for &(name, ty) in &template.operands {
            let (start, end) = line.names[usize::from(name)];
            operands.push(self.value_of_type(start, end, ty)?);
        }
        let loc = self.loc_at(start);
        let before = self.mark();
        self.reset(line.end);
        let follows = self.what_follows();
        // The same line is still current.
        let template = self.templates.known.get(self.templates.line.hash)?;
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

    /// Caches the last parsed operation, whose name starts at `start`.
    #[inline(never)]
    pub(super) fn keep_line(&mut self, start: u32, op: Op) {
        if self.is_recording()
            || self.templates.line.read(self.text, start).is_none()
            || self.templates.line.end != self.prev_end
        {
            return;
        }
        let line = &self.templates.line;
        let text = line.text(self.text);
        // An explicit location is specific to one line.
        if text.contains("loc(") {
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
        // A repeated value would make the mapping from operands to names ambiguous.
        let is_one = |value: &Value| values.iter().filter(|&other| other == value).count() == 1;
        if values.len() != view.n_operands() || !values.iter().all(is_one) {
            return;
        }
        let number = |operand: Value| values.iter().position(|&value| value == operand);
        let operands = view.operands().zip(view.operand_types());
        let operands = operands.map(|(operand, ty)| Some((number(operand)? as u8, ty)));
        let Some(operands) = operands.collect::<Option<SmallVec<_>>>() else { return };
        let name_ends = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '$' | '.'));
        let name = &text[..name_ends.unwrap_or(text.len())];
        let dialect = if name.contains('.') { None } else { Some(self.default_dialect()) };
        let template = Template {
            hash: line.hash,
            words: line.words().into(),
            dialect,
            kind: view.kind(),
            props: view.props(),
            attrs: view.attrs(),
            operands,
            results: view.result_types().collect(),
            followed_by: self.what_follows(),
        };
        self.templates.put(template);
    }

    fn default_dialect(&self) -> &'c str {
        self.default_dialects.last().copied().unwrap_or("")
    }

    /// The kind of the current token relative to the preceding operation, as a bit; 0 if the operation may continue.
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
    /// The cached line equal to the current one.
    #[inline]
    fn find(&self) -> Option<&Template<'c>> {
        let known = self.known.get(self.line.hash)?;
        (known.hash == self.line.hash && *known.words == *self.line.words()).then_some(known)
    }

    fn put(&mut self, template: Template<'c>) {
        match self.known.get_mut(template.hash) {
            Some(known) if known.is_same(&template) => known.followed_by |= template.followed_by,
            _ => self.known.put(template.hash, template),
        }
    }
}

impl Template<'_> {
    /// Whether another line has the same text and meaning.
    fn is_same(&self, other: &Self) -> bool {
        (self.hash, &self.words, self.dialect) == (other.hash, &other.words, other.dialect)
            && (self.kind, self.props, self.attrs) == (other.kind, other.props, other.attrs)
            && self.operands == other.operands
            && self.results == other.results
    }
}

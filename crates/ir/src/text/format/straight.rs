//! The straight way through a format: `%a, %b : i64`.
//!
//! Most operations of most programs compute one value from a few of the same type, and write neither flags nor a
//! dictionary. For their formats nothing must be collected and inferred: each step reads one token or one type. Where
//! an optional group or a dictionary is there after all, the text is read again by the general way.

use super::{Anchor, Element, Kind, Slot, Types};
use crate::text::lexer::Tok;
use crate::text::{OpParser, OpPrinter, ParseError, Unresolved};
use crate::{Arity, Attr, OpSpec, Traits, Type, ValueSpec};
use smallvec::SmallVec;

/// The straight way through the format of an operation whose operands and result have one type.
pub(super) struct Straight {
    reading: Vec<Step>,
    writing: Vec<Piece>,
    operands: usize,
}

/// What is read.
enum Step {
    /// Punctuation of one byte.
    Mark(u8),
    Token(Tok, &'static str),
    Operand,
    /// The type of everything.
    Type,
    /// What must not stand here.
    Unless(Tok, &'static str),
    NoDictionary,
}

/// What is written.
enum Piece {
    /// Few bytes, and how many.
    Text([u8; 16], usize),
    Operand(usize),
    Type(Slot),
}

impl Straight {
    /// The straight way through a format, where it has one.
    pub(super) fn of(spec: &OpSpec, elements: &[Element]) -> Option<Self> {
        let single = |values: &[ValueSpec]| {
            values.iter().all(|value| value.arity == Arity::One && value.constraint.only.is_none())
        };
        let may_be_absent = spec.attrs.iter().all(|attr| attr.optional || attr.default.is_some());
        let one_result = single(spec.operands) && single(spec.results) && spec.results.len() == 1;
        if !spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT) || !one_result || !may_be_absent {
            return None;
        }
        let mut straight = Self { reading: Vec::new(), writing: Vec::new(), operands: 0 };
        let mut types = 0;
        for element in elements {
            if element.space {
                straight.write(" ")?;
            }
            match &element.kind {
                Kind::Space(space) => straight.write(if *space { " " } else { "" })?,
                Kind::Literal(text, tokens) => {
                    straight.reading.extend(tokens.iter().map(|&(kind, text)| match *text.as_bytes() {
                        [mark] if kind == Tok::Punct => Step::Mark(mark),
                        _ => Step::Token(kind, text),
                    }));
                    straight.write(text)?;
                }
                Kind::Operand(at) if *at == straight.operands => {
                    straight.operands += 1;
                    straight.reading.push(Step::Operand);
                    straight.writing.push(Piece::Operand(*at));
                }
                Kind::AttrDict => straight.reading.push(Step::NoDictionary),
                Kind::Type(of) => {
                    types += 1;
                    straight.reading.push(Step::Type);
                    straight.writing.push(Piece::Type(match *of {
                        Types::Operand(at) => Slot::Operand(at),
                        Types::Result(at) => Slot::Result(at),
                        Types::Operands | Types::Results => return None,
                    }));
                }
                // Flags, which begin with a word.
                Kind::Group { anchor: Anchor::Attr(_), then, otherwise } if otherwise.is_empty() => {
                    let Kind::Literal(_, tokens) = &then.first()?.kind else { return None };
                    let &(kind, text) = tokens.first()?;
                    straight.reading.push(Step::Unless(kind, text));
                }
                _ => return None,
            }
        }
        (straight.operands == spec.operands.len() && types == 1).then_some(straight)
    }

    /// Adds a text to the last one, or as a new one; `None` when it is too long.
    fn write(&mut self, text: &str) -> Option<()> {
        if let Some(Piece::Text(bytes, length)) = self.writing.last_mut()
            && let Some(free) = bytes.get_mut(*length..*length + text.len())
        {
            free.copy_from_slice(text.as_bytes());
            *length += text.len();
            return Some(());
        }
        let mut bytes = [0; 16];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        self.writing.push(Piece::Text(bytes, text.len()));
        Some(())
    }

    /// Reads what follows the operation's name; `false` when the straight way does not lead through, and nothing was
    /// read.
    pub(super) fn parse(&self, parser: &mut OpParser<'_, '_>) -> Result<bool, ParseError> {
        let OpParser { p, build } = parser;
        let start = p.mark();
        let mut names: SmallVec<[Unresolved; 3]> = SmallVec::new();
        let mut ty = Type::NONE;
        for step in &self.reading {
            match *step {
                Step::Mark(mark) if p.is_mark(mark) => p.advance(),
                Step::Mark(mark) => p.expect(std::str::from_utf8(&[mark]).unwrap_or_default())?,
                Step::Token(Tok::Word, word) => p.expect_word(word)?,
                Step::Token(_, punct) => p.expect(punct)?,
                Step::Operand => names.push(p.operand()?),
                Step::Type => ty = p.ty()?,
                Step::NoDictionary if !p.is_mark(b'{') => {}
                Step::NoDictionary => {
                    p.go_back(start);
                    return Ok(false);
                }
                Step::Unless(kind, text) if p.tok.kind == kind && p.spelling() == text => {
                    p.go_back(start);
                    return Ok(false);
                }
                Step::Unless(..) => {}
            }
        }
        for name in &names {
            let value = p.resolve(name, ty)?;
            build.operands.push(value);
        }
        build.results.push(ty);
        build.default_props = p.ctx.info(build.kind).map(|info| info.default_props(p.ctx));
        Ok(true)
    }

    /// Writes what follows the operation's name; `false` when there is more to it, and nothing was written.
    pub(super) fn print(&self, printer: &mut OpPrinter<'_, '_>) -> bool {
        let (op, ctx) = (printer.op(), printer.ctx());
        let usual = op.n_operands() == self.operands
            && op.n_results() == 1
            && op.attrs() == Attr::EMPTY
            && ctx.info(op.kind()).is_some_and(|info| info.default_props(ctx) == op.props());
        if !usual {
            return false;
        }
        for piece in &self.writing {
            match piece {
                Piece::Text(bytes, length) => printer.short_text(bytes, *length),
                Piece::Operand(at) => printer.operands(*at..*at + 1),
                Piece::Type(Slot::Operand(at)) => printer.types_between(op.operand_types().skip(*at).take(1)),
                Piece::Type(Slot::Result(_)) => printer.types_between(op.result_types()),
            }
        }
        true
    }
}

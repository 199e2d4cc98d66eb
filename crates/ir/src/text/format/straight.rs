//! The straight way through a format: `%a, %b : i64`.
//!
//! Most operations of most programs compute one value from a few of the same type, and write neither flags nor a
//! dictionary. What is written for them is a few pieces, and most texts were written by a printer: so the same pieces
//! are compared with the bytes of the text, without tokens, collecting or inference. Text that is spelled in any other
//! way, names that are not defined yet and everything that is wrong are left to the general way.

use super::{Anchor, Element, Kind, Slot, Types};
use crate::text::OpPrinter;
use crate::text::parser::{Parser, short};
use crate::{Arity, Attr, OpSpec, Traits, Type, Value, ValueSpec};

/// The straight way through the format of an operation whose operands and result have one type.
pub(super) struct Straight {
    /// What stands behind the operation's name.
    pieces: Vec<Piece>,
    operands: usize,
}

/// Operands of an operation that is read or written on the straight way.
const MAX_OPERANDS: usize = 4;

enum Piece {
    /// A few bytes as a number (see [`short`]), and how many.
    Text(u64, u32),
    Operand(usize),
    /// The type of everything.
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
        let mut straight = Self { pieces: Vec::new(), operands: 0 };
        for element in elements {
            if let Some(Piece::Type(_)) = straight.pieces.last() {
                // Behind the type only a dictionary may follow, which the reader looks for.
                match element.kind {
                    Kind::AttrDict => continue,
                    _ => return None,
                }
            }
            if element.space {
                straight.text(" ");
            }
            match &element.kind {
                Kind::Space(space) => straight.text(if *space { " " } else { "" }),
                Kind::Literal(text, _) => straight.text(text),
                Kind::Operand(at) if *at == straight.operands => {
                    straight.operands += 1;
                    straight.pieces.push(Piece::Operand(*at));
                }
                // Nothing is written where there are no attributes.
                Kind::AttrDict => {}
                Kind::Group { anchor: Anchor::Attr(_), otherwise, .. } if otherwise.is_empty() => {}
                Kind::Type(of) => straight.pieces.push(Piece::Type(match *of {
                    Types::Operand(at) => Slot::Operand(at),
                    Types::Result(at) => Slot::Result(at),
                    Types::Operands | Types::Results => return None,
                })),
                _ => return None,
            }
        }
        let typed = matches!(straight.pieces.last(), Some(Piece::Type(_)));
        (straight.operands == spec.operands.len() && straight.operands <= MAX_OPERANDS && typed)
            .then_some(straight)
    }

    /// Adds a text, in parts that fit into a number.
    fn text(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            match self.pieces.last_mut() {
                Some(Piece::Text(number, length)) if *length < 8 => {
                    *number |= u64::from(byte) << (8 * *length);
                    *length += 1;
                }
                _ => self.pieces.push(Piece::Text(u64::from(byte), 1)),
            }
        }
    }

    /// Reads what follows the operation's name, which is the current token: operands, and the type of everything.
    /// Where this way does not lead through, nothing was read.
    pub(super) fn parse(&self, p: &mut Parser<'_>, operands: &mut Vec<Value>) -> Option<Type> {
        let start = p.mark();
        let (mut at, mut typed) = (p.tok.end, None);
        let mut names = [(0, 0); MAX_OPERANDS];
        for piece in &self.pieces {
            match *piece {
                Piece::Text(number, length) => {
                    if short::head(p.text.as_bytes(), at, at + length) != number {
                        return None;
                    }
                    at += length;
                }
                Piece::Operand(operand) => {
                    let end = p.value_name_end(at)?;
                    names[operand] = (at, end);
                    at = end;
                }
                Piece::Type(_) => typed = p.type_at(at),
            }
        }
        operands.clear();
        if let Some(ty) = typed
            && !p.is_mark(b'{')
        {
            let names = names[..self.operands].iter();
            operands.extend(names.map_while(|&(start, end)| p.value_of_type(start, end, ty)));
            if operands.len() == self.operands {
                return Some(ty);
            }
        }
        p.go_back(start);
        None
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
        for piece in &self.pieces {
            match *piece {
                Piece::Text(number, length) => printer.short_text(&number.to_le_bytes(), length as usize),
                Piece::Operand(at) => printer.operand(at),
                Piece::Type(Slot::Operand(at)) => printer.types_between(op.operand_types().skip(at).take(1)),
                Piece::Type(Slot::Result(_)) => printer.types_between(op.result_types()),
            }
        }
        true
    }
}

//! The fast path for printing operations by their format: `%a, %b : i64`.
//!
//! Most operations compute one value from a few of the same type, and have neither flags nor other attributes.
//! Printing them takes a few pieces.

use super::{Anchor, Element, Kind, Slot, Types};
use crate::text::OpPrinter;
use crate::{Arity, Attr, OpRef, OpSpec, Traits, ValueSpec};

/// The fast path of a format, for an operation whose operands and result have one type.
pub(super) struct Straight {
    /// The operation's name, and its length in bytes.
    name: ([u8; MAX_NAME], usize),
    /// The pieces after the operation's name.
    pieces: Vec<Piece>,
    operands: usize,
}

/// Operations with longer names are printed by the elements of their format.
const MAX_NAME: usize = 24;

enum Piece {
    /// Up to eight bytes, with their number.
    Text([u8; 8], usize),
    Operand(usize),
    /// The common type.
    Type(Slot),
}

impl Straight {
    /// The fast path of a format, if it has one.
    pub(super) fn of(spec: &OpSpec, elements: &[Element]) -> Option<Self> {
        let single = |values: &[ValueSpec]| {
            values.iter().all(|value| value.arity == Arity::One && !value.constraint.has_only_type())
        };
        let may_be_absent = spec.attrs.iter().all(|attr| attr.optional || attr.default.is_some());
        let one_result = single(spec.operands) && single(spec.results) && spec.results.len() == 1;
        if !spec.traits.has(Traits::SAME_OPERANDS_AND_RESULT) || !one_result || !may_be_absent {
            return None;
        }
        let mut name = ([0; MAX_NAME], spec.name.len());
        name.0.get_mut(..name.1)?.copy_from_slice(spec.name.as_bytes());
        let mut straight = Self { name, pieces: Vec::new(), operands: 0 };
        for element in elements {
            if let Some(Piece::Type(_)) = straight.pieces.last() {
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
                // Prints nothing if there are no attributes.
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
        (straight.operands == spec.operands.len() && typed).then_some(straight)
    }

    /// Appends a text in pieces.
    fn text(&mut self, text: &str) {
        for &byte in text.as_bytes() {
            match self.pieces.last_mut() {
                Some(Piece::Text(bytes, length)) if *length < bytes.len() => {
                    bytes[*length] = byte;
                    *length += 1;
                }
                _ => self.pieces.push(Piece::Text([byte, 0, 0, 0, 0, 0, 0, 0], 1)),
            }
        }
    }

    /// Whether the fast path applies to an operation.
    pub(super) fn applies(&self, op: OpRef<'_>) -> bool {
        let ctx = op.context();
        op.n_operands() == self.operands
            && op.n_results() == 1
            && op.attrs() == Attr::EMPTY
            && ctx.info(op.kind()).is_some_and(|info| info.default_props(ctx) == op.props())
    }

    /// Prints the operation with its name or the given part of it.
    pub(super) fn print(&self, printer: &mut OpPrinter<'_, '_>, short: Option<&str>) {
        let op = printer.op();
        match short {
            Some(short) => printer.text(short),
            None => printer.short_text(&self.name.0, self.name.1),
        }
        for piece in &self.pieces {
            match *piece {
                Piece::Text(bytes, length) => printer.short_text(&bytes, length),
                Piece::Operand(at) => printer.operand(at),
                Piece::Type(Slot::Operand(at)) => printer.types_between(op.operand_types().skip(at).take(1)),
                Piece::Type(Slot::Result(_)) => printer.types_between(op.result_types()),
            }
        }
    }
}

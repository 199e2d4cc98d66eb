//! What was found right already: a program has few different operations, and each is checked once.

use crate::{Attr, OpKind, OpRef, OpSpec, Traits, Type};

/// Operations with more operands and results than this are checked each time.
const MAX_TYPES: usize = 6;
const SIZE: usize = 1024;

/// What is known of an operation, because one like it was checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// Rules 2 to 15 and 35 hold.
    Right,
    /// No rule but the operation's own is left.
    Plain,
}

/// All that rules 2 to 15 and 35 look at.
#[derive(Clone, Copy)]
struct Shape {
    kind: OpKind,
    operands: u8,
    results: u8,
    regions: u32,
    successors: u32,
    props: Attr,
    attrs: Attr,
    types: [Type; MAX_TYPES],
    /// Whether no other rule than the operation's own has anything to say of it: it ends no block, has nothing inside,
    /// names no block, is no symbol and stands wherever it likes.
    plain: bool,
}

impl Shape {
    fn of(op: OpRef<'_>, spec: &OpSpec) -> Option<Self> {
        let (operands, results) = (op.n_operands(), op.n_results());
        if operands + results > MAX_TYPES {
            return None;
        }
        let mut types = [Type::NONE; MAX_TYPES];
        for (slot, ty) in types.iter_mut().zip(op.operand_types().chain(op.result_types())) {
            *slot = ty;
        }
        Some(Self {
            kind: op.kind(),
            operands: operands as u8,
            results: results as u8,
            regions: op.n_regions() as u32,
            successors: op.n_successors() as u32,
            props: op.props(),
            attrs: op.attrs(),
            types,
            plain: op.n_regions() == 0
                && op.n_successors() == 0
                && op.attrs() == Attr::EMPTY
                && !spec.traits.has(Traits::TERMINATOR)
                && !spec.traits.has(Traits::SYMBOL)
                && !spec.traits.has(Traits::SYMBOL_TABLE)
                && !spec.traits.has(Traits::ALLOCATES_ON_STACK)
                && spec.parents.is_empty(),
        })
    }

    /// Whether it is the shape of an operation.
    #[inline(always)]
    fn is_of(&self, op: OpRef<'_>) -> bool {
        let operands = usize::from(self.operands);
        self.kind == op.kind()
            && self.props == op.props()
            && self.attrs == op.attrs()
            && operands == op.n_operands()
            && usize::from(self.results) == op.n_results()
            && self.regions as usize == op.n_regions()
            && self.successors as usize == op.n_successors()
            && op.operand_types().zip(&self.types).all(|(a, b)| a == *b)
            && op.result_types().zip(&self.types[operands..]).all(|(a, b)| a == *b)
    }
}

/// The place of an operation's shape.
#[inline]
pub(super) fn place(op: OpRef<'_>) -> usize {
    let operand = op.operand_types().next().map_or(0, Type::index);
    let result = op.result_types().next().map_or(0, Type::index);
    let words = [op.props().index(), op.attrs().index(), operand, result];
    words.iter().fold(op.kind().index(), |hash, &word| hash.wrapping_mul(31).wrapping_add(word)) % SIZE
}

/// Shapes that obey the rules, each found at the place that its numbers give it; a later one takes the place.
pub(super) struct Memory {
    right: Vec<Shape>,
    /// Positions in `right`.
    places: Vec<u16>,
}

/// A place without a shape.
const FREE: u16 = u16::MAX;

impl Default for Memory {
    fn default() -> Self {
        Self { right: Vec::new(), places: vec![FREE; SIZE] }
    }
}

impl Memory {
    /// What is known of an operation when one of the same shape obeyed the rules.
    #[inline]
    pub(super) fn find(&self, op: OpRef<'_>, place: usize) -> Option<Known> {
        let shape = self.right.get(usize::from(self.places[place])).filter(|shape| shape.is_of(op))?;
        Some(if shape.plain { Known::Plain } else { Known::Right })
    }

    /// Keeps the shape of an operation that obeys the rules.
    #[inline(never)]
    pub(super) fn keep(&mut self, op: OpRef<'_>, spec: &OpSpec, place: usize) {
        let Some(shape) = Shape::of(op, spec) else { return };
        let place = &mut self.places[place];
        match self.right.get_mut(usize::from(*place)) {
            Some(known) => *known = shape,
            None => {
                *place = self.right.len() as u16;
                self.right.push(shape);
            }
        }
    }
}

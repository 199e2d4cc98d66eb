//! A cache of verified shapes: a program has few different operations, each of which is verified once.

use crate::recent_cache::RecentCache;
use crate::{Attr, OpKind, OpRef, OpSpec, Traits, Type};

/// Operations with more operands and results than this are not cached.
const MAX_TYPES: usize = 6;

/// The known result for an operation of the same shape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verified {
    /// Rules 2 to 15 and 35 hold.
    Right,
    /// All rules except the operation's own hold.
    Plain,
}

/// All inputs of rules 2 to 15 and 35.
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
    /// Whether only the operation's own rule remains: it is not a terminator, has no regions, successors or symbol,
    /// and no restrictions on its parent.
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

    /// Whether an operation has this shape.
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

/// The hash of an operation's shape.
#[inline]
pub(super) fn hash(op: OpRef<'_>) -> u64 {
    let operand = op.operand_types().next().map_or(0, Type::index);
    let result = op.result_types().next().map_or(0, Type::index);
    let words = [op.props().index(), op.attrs().index(), operand, result];
    let hash = words.iter().fold(op.kind().index(), |hash, &word| hash.wrapping_mul(31).wrapping_add(word));
    (hash as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Valid shapes by hash; later ones replace earlier ones.
#[derive(Default)]
pub(super) struct Memory {
    right: RecentCache<Shape>,
}

impl Memory {
    /// The cached result for an operation, if an operation of the same shape was valid.
    #[inline]
    pub(super) fn find(&self, op: OpRef<'_>, hash: u64) -> Option<Verified> {
        let shape = self.right.get(hash).filter(|shape| shape.is_of(op))?;
        Some(if shape.plain { Verified::Plain } else { Verified::Right })
    }

    /// Caches the shape of a valid operation.
    #[inline(never)]
    pub(super) fn keep(&mut self, op: OpRef<'_>, spec: &OpSpec, hash: u64) {
        let Some(shape) = Shape::of(op, spec) else { return };
        self.right.put(hash, shape);
    }
}

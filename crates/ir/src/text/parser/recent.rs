//! What was looked up lately: the same few operations and dictionaries come again and again.

use super::short;
use crate::{Attr, Context, Int, Name, OpKind, Type};

const SIZE: usize = 256;
const KINDS: usize = 1024;
/// A slot without a word.
const FREE: u16 = u16::MAX;

/// Answers of the context that the parser keeps for itself. The tables are empty before their first entry: a single
/// type or attribute is read by a parser, too.
#[derive(Default)]
pub(super) struct Recent<'c> {
    /// Kinds by the word that begins an operation, and the dialect that the word left out where it did.
    kinds: Vec<(&'c str, Option<&'c str>, OpKind)>,
    /// Positions in `kinds`.
    slots: Vec<u16>,
    /// Dictionaries of one entry, by name and value.
    dictionaries: Vec<Option<(Name, Attr, Attr)>>,
    /// Integers, by value and type.
    integers: Vec<Option<(i64, Type, Attr)>>,
}

impl<'c> Recent<'c> {
    /// What a word means as the beginning of an operation where operations of `dialect` leave it out.
    #[inline]
    pub(super) fn kind(&self, word: &str, dialect: &str) -> Option<OpKind> {
        let at = *self.slots.get(kind_slot(word))?;
        let &(found, left_out, kind) = self.kinds.get(usize::from(at))?;
        (found == word && left_out.is_none_or(|left_out| left_out == dialect)).then_some(kind)
    }

    /// Keeps what a word means; `left_out` is the dialect that it means it in.
    pub(super) fn keep_kind(&mut self, word: &'c str, left_out: Option<&'c str>, kind: OpKind) {
        if self.slots.is_empty() {
            self.slots = vec![FREE; KINDS];
        }
        let slot = &mut self.slots[kind_slot(word)];
        match self.kinds.get_mut(usize::from(*slot)) {
            Some(known) => *known = (word, left_out, kind),
            None => {
                *slot = self.kinds.len() as u16;
                self.kinds.push((word, left_out, kind));
            }
        }
    }

    /// The attribute of an integer.
    pub(super) fn integer(&mut self, ctx: &Context, value: Int, ty: Type) -> Attr {
        let Some(small) = value.as_i64() else { return Attr::integer(ctx, value, ty) };
        if self.integers.is_empty() {
            self.integers = vec![None; SIZE];
        }
        let slot = &mut self.integers[(small as usize).wrapping_mul(31).wrapping_add(ty.index()) % SIZE];
        match *slot {
            Some((of, with, attr)) if (of, with) == (small, ty) => attr,
            _ => {
                let attr = Attr::integer(ctx, value, ty);
                *slot = Some((small, ty, attr));
                attr
            }
        }
    }

    /// The dictionary with these entries.
    pub(super) fn dictionary(&mut self, ctx: &Context, entries: &[(Name, Attr)]) -> Attr {
        match *entries {
            [] => Attr::EMPTY,
            [(name, value)] => {
                if self.dictionaries.is_empty() {
                    self.dictionaries = vec![None; SIZE];
                }
                let slot = &mut self.dictionaries[(name.index() * 61 + value.index()) % SIZE];
                match *slot {
                    Some((of, with, dictionary)) if (of, with) == (name, value) => dictionary,
                    _ => {
                        let dictionary = Attr::dictionary(ctx, entries);
                        *slot = Some((name, value, dictionary));
                        dictionary
                    }
                }
            }
            _ => Attr::dictionary(ctx, entries),
        }
    }
}

/// Where the kind of a word is kept: most words of one dialect differ in their last letters.
#[inline]
fn kind_slot(word: &str) -> usize {
    let (text, end) = (word.as_bytes(), word.len() as u32);
    let ends = short::head(text, 0, end) ^ short::head(text, end.saturating_sub(8), end).rotate_left(29);
    (ends.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % KINDS
}

//! Caches of recent lookups, since the same few operations and dictionaries recur.

use super::short;
use crate::recent_cache::RecentCache;
use crate::{Attr, Context, Int, Name, OpKind, Type};

const SIZE: usize = 256;

/// Cached results of the context. The tables are empty before their first entry, since a parser is also created for
/// single types or attributes.
#[derive(Default)]
pub(super) struct Recent<'c> {
    /// Kinds by the word that begins an operation, with the implicit dialect prefix if any.
    kinds: RecentCache<(&'c str, Option<&'c str>, OpKind)>,
    /// Dictionaries with one entry, by name and value.
    dictionaries: Vec<Option<(Name, Attr, Attr)>>,
    /// Integers by value and type.
    integers: Vec<Option<(i64, Type, Attr)>>,
}

impl<'c> Recent<'c> {
    /// The kind that a word denotes if `dialect` is the implicit prefix.
    #[inline]
    pub(super) fn kind(&self, word: &str, dialect: &str) -> Option<OpKind> {
        let &(found, left_out, kind) = self.kinds.get(hash_of_word(word))?;
        (found == word && left_out.is_none_or(|left_out| left_out == dialect)).then_some(kind)
    }

    /// Caches the kind of a word; `left_out` is the implicit dialect prefix.
    pub(super) fn keep_kind(&mut self, word: &'c str, left_out: Option<&'c str>, kind: OpKind) {
        self.kinds.put(hash_of_word(word), (word, left_out, kind));
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

/// Most words of a dialect differ in their last letters.
#[inline]
fn hash_of_word(word: &str) -> u64 {
    let (text, end) = (word.as_bytes(), word.len() as u32);
    let ends = short::head(text, 0, end) ^ short::head(text, end.saturating_sub(8), end).rotate_left(29);
    ends.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

//! Interned identifiers.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An interned identifier of a [`Names`] table: two symbols are equal if and only if their spellings are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table of all identifiers of a program.
#[derive(Clone, Default, Debug)]
pub struct Names {
    spellings: IndexSet<Box<str>, FxBuildHasher>,
}

impl Names {
    /// Interns a spelling.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        if let Some(index) = self.spellings.get_index_of(spelling) {
            return Symbol(index as u32);
        }
        Symbol(self.spellings.insert_full(spelling.into()).0 as u32)
    }

    /// The symbol of a spelling, if it has been interned.
    pub fn get(&self, spelling: &str) -> Option<Symbol> {
        self.spellings.get_index_of(spelling).map(|index| Symbol(index as u32))
    }

    /// The spelling of a symbol; empty for a symbol of another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.spellings.get_index(symbol.0 as usize).map_or("", |spelling| spelling)
    }

    /// The number of symbols; every symbol is smaller.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }
}

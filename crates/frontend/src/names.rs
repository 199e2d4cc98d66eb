//! Identifiers as small numbers.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An identifier of one [`Names`] table: equal exactly when the spellings are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The spellings of all identifiers of a program.
#[derive(Clone, Default, Debug)]
pub struct Names {
    spellings: IndexSet<Box<str>, FxBuildHasher>,
}

impl Names {
    /// The symbol of a spelling, new or old.
    pub fn intern(&mut self, spelling: &str) -> Symbol {
        if let Some(index) = self.spellings.get_index_of(spelling) {
            return Symbol(index as u32);
        }
        Symbol(self.spellings.insert_full(spelling.into()).0 as u32)
    }

    /// The symbol of a spelling that occurs in the program.
    pub fn get(&self, spelling: &str) -> Option<Symbol> {
        self.spellings.get_index_of(spelling).map(|index| Symbol(index as u32))
    }

    /// How a symbol is spelled; empty for a symbol of another table.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.spellings.get_index(symbol.0 as usize).map_or("", |spelling| spelling)
    }

    /// How many there are: symbols are below.
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }
}

//! Facts about dialects that are not loaded.

use crate::Traits;

/// A dialect whose operations, attributes and types are kept as text, though some facts about them are known.
///
/// If a dialect is not loaded, its operations are undeclared: they have no traits, and its
/// attributes are unknown. That is not enough to check operations of loaded dialects inside of operations, or with attributes, of
/// such a dialect. A loaded dialect of the same name replaces these facts.
#[derive(Debug)]
pub struct ForeignDialect {
    /// The namespace.
    pub name: &'static str,
    /// Operations inside of which symbols are looked up.
    pub symbol_tables: &'static [&'static str],
    /// Operations that free stack allocations inside of them.
    pub allocation_scopes: &'static [&'static str],
    /// Operations at the top of whose regions values are symbols of affine maps.
    pub affine_scopes: &'static [&'static str],
    /// Attributes that are printed by aliases: the mnemonic of the attribute, and the prefix of its alias.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl ForeignDialect {
    /// The traits among those that the verifier of other operations queries.
    pub(crate) fn traits(&self, op: &str) -> Traits {
        let mut traits = Traits::NONE;
        if self.symbol_tables.contains(&op) {
            traits = traits.and(Traits::SYMBOL_TABLE);
        }
        if self.allocation_scopes.contains(&op) {
            traits = traits.and(Traits::ALLOCATION_SCOPE);
        }
        if self.affine_scopes.contains(&op) {
            traits = traits.and(Traits::AFFINE_SCOPE);
        }
        traits
    }

    /// The prefix of the alias of an attribute; `text` is the text after the namespace.
    pub(crate) fn alias(&self, text: &str) -> Option<&'static str> {
        let text = text.strip_prefix('.')?;
        let mnemonic = &text[..text.find('<').unwrap_or(text.len())];
        self.aliases.iter().find(|(name, _)| *name == mnemonic).map(|&(_, alias)| alias)
    }
}

//! Symbol tables.

use crate::{Attr, AttrData, Body, Context, Name, Op, OpRef, Traits, Violation, service};
use rustc_hash::FxHashMap;

/// The symbols defined directly in a body, by name: built in one traversal, for repeated lookups.
pub struct SymbolTable {
    by_name: FxHashMap<Name, Op>,
}

impl SymbolTable {
    /// Builds the table of a body. Of two definitions of one name the first is kept; the verifier reports the second.
    pub fn of(body: &Body) -> Self {
        let ctx = body.context();
        let mut by_name = FxHashMap::default();
        for block in body.regions().flat_map(|region| body.region(region).blocks()) {
            for op in body.block(block).ops() {
                if let Some(name) = body.op(op).symbol_name() {
                    by_name.entry(ctx.name(name)).or_insert(op);
                }
            }
        }
        Self { by_name }
    }

    /// The operation that defines a name.
    pub fn get(&self, name: Name) -> Option<Op> {
        self.by_name.get(&name).copied()
    }

    /// The defined names, in unspecified order.
    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.by_name.keys().copied()
    }

    /// An unused name: `wanted`, or `wanted_0` etc.
    pub fn fresh(&self, ctx: &Context, wanted: &str) -> Name {
        let free = |name: &Name| !self.by_name.contains_key(name);
        let numbered = (0..).map(|number| ctx.name(&format!("{wanted}_{number}")));
        std::iter::once(ctx.name(wanted)).chain(numbered).find(free).expect("numbers do not end")
    }

    /// Adds a definition.
    pub fn insert(&mut self, name: Name, op: Op) {
        self.by_name.insert(name, op);
    }
}

/// Resolves a symbol reference from the body that defines its root; also returns the body that contains the
/// operation. Traverses the body; build a [`SymbolTable`] for repeated lookups.
pub fn lookup_symbol(body: &Body, symbol: Attr) -> Option<(&Body, Op)> {
    let AttrData::SymbolRef { root, nested } = symbol.data(body.context()) else { return None };
    let mut at = (body, SymbolTable::of(body).get(*root)?);
    for &name in nested.iter() {
        let (body, op) = at;
        let view = body.op(op);
        if !view.has_trait(Traits::SYMBOL_TABLE) {
            return None;
        }
        let inner = view.nested()?;
        at = (inner, SymbolTable::of(inner).get(name)?);
    }
    Some(at)
}

/// Verification of symbol uses: the referenced symbols must exist and match. Queried by the verifier for every
/// operation in a symbol table that is otherwise valid; the symbols found need not be. Default: the operation uses no symbols.
pub trait SymbolUser: Send + Sync {
    /// Returns an error message if the uses are invalid. `declared` looks up a symbol of the innermost table.
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation>;
}
service!(dyn SymbolUser, "SymbolUser", Optional);

//! Symbols: names that operations declare in a symbol table.

use crate::{Attr, AttrData, Body, Context, Name, Op, OpRef, Traits, Violation, service};
use rustc_hash::FxHashMap;

/// The symbols declared directly in a body, by name: built in one walk, asked many times.
pub struct SymbolTable {
    by_name: FxHashMap<Name, Op>,
}

impl SymbolTable {
    /// The symbols at the top of a body. Of two declarations of one name the first is kept; the verifier reports
    /// the second.
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

    /// The operation that declares a name.
    pub fn get(&self, name: Name) -> Option<Op> {
        self.by_name.get(&name).copied()
    }

    /// The declared names, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.by_name.keys().copied()
    }

    /// A name that is not declared: `wanted`, or `wanted_0` and so on.
    pub fn fresh(&self, ctx: &Context, wanted: &str) -> Name {
        let free = |name: &Name| !self.by_name.contains_key(name);
        let numbered = (0..).map(|number| ctx.name(&format!("{wanted}_{number}")));
        std::iter::once(ctx.name(wanted)).chain(numbered).find(free).expect("numbers do not end")
    }

    /// Adds a declaration.
    pub fn insert(&mut self, name: Name, op: Op) {
        self.by_name.insert(name, op);
    }
}

/// The operation that a symbol reference names, seen from the body that declares its root, with the body it is in.
/// Walks once; for many look-ups build a [`SymbolTable`].
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

/// Rules of an operation that names symbols: what it names must be there, and fit. Asked by the verifier for every
/// operation inside a symbol table; without an answer an operation names nothing.
pub trait SymbolUser: Send + Sync {
    /// What is wrong. `declared` finds a symbol of the innermost table.
    fn check<'a>(&self, op: OpRef<'_>, declared: &dyn Fn(Name) -> Option<OpRef<'a>>) -> Option<Violation>;
}
service!(dyn SymbolUser, "SymbolUser", Optional);

//! Symbols: who may name an operation, and what it names.

use minoan_ir::{Attr, AttrData, Body, Name, Op, OpRef, service};

/// Who may name a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Visibility {
    /// Anybody, code that is not seen too.
    Public,
    /// Only what is in the same symbol table.
    Private,
    /// What is in the same table, and in tables around it.
    Nested,
}

impl Visibility {
    /// Its word in the attribute `sym_visibility`.
    pub fn word(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
            Visibility::Nested => "nested",
        }
    }
}

/// Who may name an operation, and which symbols it names. Asked by whoever removes, hides or inlines symbols; the default
/// is what attributes say: `sym_visibility`, and each symbol reference in any of them.
pub trait Symbols: Send + Sync {
    /// Who may name the symbol that the operation declares.
    fn visibility(&self, op: OpRef<'_>) -> Visibility {
        let ctx = op.context();
        match op.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx)) {
            Some("private") => Visibility::Private,
            Some("nested") => Visibility::Nested,
            _ => Visibility::Public,
        }
    }

    /// Lets others name the symbol, or no longer; false, and nothing is changed, where that is not possible.
    fn set_visibility(&self, body: &mut Body, op: Op, visibility: Visibility) -> bool {
        let ctx = body.context().clone();
        let attr = (visibility != Visibility::Public).then(|| Attr::string(&ctx, visibility.word()));
        body.set_attr(op, ctx.names().sym_visibility, attr);
        true
    }

    /// Adds the symbols that the operation itself names; those of operations inside it are added by the asker.
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        let ctx = op.context();
        let mut pending = vec![op.attrs(), op.props()];
        while let Some(attr) = pending.pop() {
            match attr.data(ctx) {
                AttrData::SymbolRef { root, .. } => names.push(*root),
                AttrData::Array(elements) => pending.extend(elements),
                AttrData::Dictionary(entries) => pending.extend(entries.iter().map(|(_, attr)| attr)),
                _ => {}
            }
        }
    }
}
service!(dyn Symbols, "Symbols", Default(ByAttributes));

/// The default: what attributes say.
pub struct ByAttributes;

impl Symbols for ByAttributes {}

impl dyn Symbols {
    /// The answer for an operation.
    pub fn of(op: OpRef<'_>) -> &dyn Symbols {
        op.context().service::<dyn Symbols>(op.kind()).unwrap_or(&ByAttributes)
    }
}

//! Symbols: visibility, uses and renaming.

use minoan_ir::{
    Attr, AttrData, Body, Context, Name, Op, OpRef, Replacer, ServiceTable, Traits, TypeOrAttr, service,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The visibility of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Visibility {
    /// Visible everywhere, including code outside of the module.
    Public,
    /// Visible in its symbol table only.
    Private,
    /// Visible in its symbol table and the enclosing ones.
    Nested,
}

impl Visibility {
    /// The keyword in the attribute `sym_visibility`.
    pub fn word(self) -> &'static str {
        match self {
            Visibility::Public => "public",
            Visibility::Private => "private",
            Visibility::Nested => "nested",
        }
    }
}

/// A reference to a nested symbol: `@root::@nested`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolPath {
    /// The outermost symbol, which is looked up first.
    pub root: Name,
    /// The nested symbols, each looked up in the table of the one before.
    pub nested: Vec<Name>,
}

/// Calls `found` for each symbol reference in the attributes of an operation.
fn references(op: OpRef<'_>, mut found: impl FnMut(Name, &[Name])) {
    let ctx = op.context();
    let mut pending = vec![TypeOrAttr::Attr(op.attrs()), TypeOrAttr::Attr(op.props())];
    // Types and attributes share subterms.
    let mut seen: FxHashSet<TypeOrAttr> = FxHashSet::default();
    while let Some(element) = pending.pop() {
        let mut add = |part| pending.push(part);
        match element {
            TypeOrAttr::Attr(attr) => match attr.data(ctx) {
                AttrData::SymbolRef { root, nested } => found(*root, nested),
                AttrData::Integer { .. } | AttrData::Float { .. } | AttrData::String { .. } => {}
                _ if seen.insert(element) => attr.for_each_sub_element(ctx, &mut add),
                _ => {}
            },
            TypeOrAttr::Type(ty) if seen.insert(element) => ty.for_each_sub_element(ctx, &mut add),
            TypeOrAttr::Type(_) => {}
        }
    }
}

/// The visibility of the symbol that an operation defines, and the symbols that it uses. Queried by passes that remove,
/// privatize, rename or inline symbols. Default: determined by the attributes `sym_name`, `sym_visibility`, and all
/// symbol references in attributes. A dialect that refers to symbols in another way implements [`Symbols::uses`] and
/// [`Symbols::rename_uses`].
pub trait Symbols: Send + Sync {
    /// The visibility of the symbol that the operation defines.
    fn visibility(&self, op: OpRef<'_>) -> Visibility {
        let ctx = op.context();
        match op.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx)) {
            Some("private") => Visibility::Private,
            Some("nested") => Visibility::Nested,
            _ => Visibility::Public,
        }
    }

    /// Sets the visibility; returns false, with nothing changed, if that is impossible.
    fn set_visibility(&self, body: &mut Body, op: Op, visibility: Visibility) -> bool {
        let ctx = body.context().clone();
        let attr = (visibility != Visibility::Public).then(|| Attr::string(&ctx, visibility.word()));
        body.set_attr(op, ctx.names().sym_visibility, attr);
        true
    }

    /// Adds the symbols that the operation itself references; of nested references, the first symbol. The caller adds
    /// those of operations inside it.
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        references(op, |root, _| names.push(root));
    }

    /// Adds the nested symbol references of the operation itself: `@inner::@f`.
    fn nested_uses(&self, op: OpRef<'_>, paths: &mut Vec<SymbolPath>) {
        references(op, |root, nested| {
            if !nested.is_empty() {
                paths.push(SymbolPath { root, nested: nested.to_vec() });
            }
        });
    }

    /// Renames the symbol that the operation defines.
    fn set_name(&self, body: &mut Body, op: Op, name: Name) {
        let ctx = body.context().clone();
        body.set_attr(op, ctx.names().sym_name, Some(Attr::string(&ctx, name.as_str(&ctx))));
    }

    /// Renames the symbols that the operation itself uses, excluding nested operations.
    fn rename_uses(&self, body: &mut Body, op: Op, renaming: &mut Renaming<'_>) {
        let (props, attrs) = (body.op(op).props(), body.op(op).attrs());
        let (new_props, new_attrs) = (renaming.attr(props), renaming.attr(attrs));
        if new_props != props {
            body.set_props(op, new_props);
        }
        if new_attrs != attrs {
            body.set_attrs(op, new_attrs);
        }
    }
}
service!(dyn Symbols, "Symbols", Default(ByAttributes));

/// The default implementation, based on attributes.
pub struct ByAttributes;

impl Symbols for ByAttributes {}

impl dyn Symbols {
    /// The implementation for an operation.
    pub fn of(op: OpRef<'_>) -> &dyn Symbols {
        op.context().service::<dyn Symbols>(op.kind()).unwrap_or(&ByAttributes)
    }
}

/// A renaming of symbols.
pub struct Renaming<'r> {
    names: &'r FxHashMap<Name, Name>,
    replacer: Replacer<'r>,
}

impl<'r> Renaming<'r> {
    /// Creates a renaming from old to new names.
    pub fn new(ctx: &'r Context, names: &'r FxHashMap<Name, Name>) -> Self {
        let replacer = Replacer::new(ctx, |element| {
            let TypeOrAttr::Attr(attr) = element else { return None };
            let AttrData::SymbolRef { root, nested } = attr.data(ctx) else { return None };
            let renamed =
                |&root: &Name| ctx.intern_attr(AttrData::SymbolRef { root, nested: nested.clone() });
            Some(TypeOrAttr::Attr(names.get(root).map_or(attr, renamed)))
        });
        Self { names, replacer }
    }

    /// The new name of a symbol; `None` if it is not renamed.
    pub fn name(&self, name: Name) -> Option<Name> {
        self.names.get(&name).copied()
    }

    /// Renames the roots of the symbol references in an attribute.
    pub fn attr(&mut self, attr: Attr) -> Attr {
        self.replacer.attr(attr)
    }
}

/// Renames symbols defined at the top of a body, with all their uses in nested operations that see the body's symbol
/// table. Uses [`Symbols`] for each operation.
pub fn rename_symbols(body: &mut Body, names: &FxHashMap<Name, Name>) {
    if names.is_empty() {
        return;
    }
    let ctx = body.context().clone();
    let table = ctx.service_table::<dyn Symbols>();
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    for op in blocks.flat_map(|block| body.block(block).ops()).collect::<Vec<_>>() {
        let name = body.op(op).symbol_name().map(|name| ctx.name(name));
        if let Some(&new) = name.and_then(|name| names.get(&name)) {
            service(table, body.op(op)).set_name(body, op, new);
        }
    }
    rename_inside(body, table, &mut Renaming::new(&ctx, names));
}

fn rename_inside(body: &mut Body, table: Option<&ServiceTable<dyn Symbols>>, renaming: &mut Renaming<'_>) {
    minoan_ir::with_stack(|| {
        for op in body.walk() {
            service(table, body.op(op)).rename_uses(body, op, renaming);
            let own_table = body.op(op).has_trait(Traits::SYMBOL_TABLE);
            if let Some(nested) = body.nested_mut(op).filter(|_| !own_table) {
                rename_inside(nested, table, renaming);
            }
        }
    });
}

fn service<'t>(table: Option<&'t ServiceTable<dyn Symbols>>, op: OpRef<'_>) -> &'t dyn Symbols {
    table.and_then(|table| table.get(op.kind())).unwrap_or(&ByAttributes)
}

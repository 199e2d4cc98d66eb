//! `symbol-dce`: erases symbols that cannot be referenced from outside and that no live operation references.
//!
//! A symbol is live if unknown code may reference it, or if a live operation does. A nested reference (`@inner::@f`) keeps every
//! symbol on its path alive. A public symbol can be referenced from anywhere, a nested one only if the enclosing tables can be
//! reached from outside, a private one only from its own table and by nested references. An operation that is not a symbol is
//! live if its table is.
//!
//! Takes linear time.

use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Body, Context, Name, Op, OpRef, ServiceTable, SymbolTable, Traits};
use minoan_pass::{Pass, PassRun, queries};
use minoan_services::{ByAttributes, SymbolPath, Symbols, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};

/// Erases dead symbols.
pub struct SymbolDce;

impl Pass for SymbolDce {
    fn name(&self) -> &'static str {
        "symbol-dce"
    }

    fn description(&self) -> &'static str {
        "eliminate dead symbols"
    }

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-dce'd", "Number of symbols DCE'd")]
    }

    queries!(Symbols);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let hidden = is_hidden(run);
        let erased = erase_dead_symbols(run.body_mut(), hidden, |_| true);
        run.count("num-dce'd", erased as u64);
        Ok(())
    }
}

/// Whether the symbols nested in an operation that a pass runs on cannot be referenced from outside of it: it is the
/// outermost operation, not a symbol, or a private symbol.
pub(crate) fn is_hidden(run: &PassRun<'_>) -> bool {
    if run.is_outermost() {
        return true;
    }
    let (ctx, op) = (run.context(), run.op());
    if op.symbol(&ctx).is_none() {
        return true;
    }
    let name = ctx.names().sym_visibility;
    let visibility = op.props.get(&ctx, name).or_else(|| op.attrs.get(&ctx, name));
    visibility.and_then(|attr| attr.as_str(&ctx)) == Some(Visibility::Private.word())
}

/// Whether a symbol can be referenced only from inside its table, or by nested references from the enclosing tables.
pub(crate) fn is_private(op: OpRef<'_>) -> bool {
    visibility(op) == Visibility::Private
}

fn visibility(op: OpRef<'_>) -> Visibility {
    <dyn Symbols>::of(op).visibility(op)
}

/// Whether unknown code cannot reference a symbol; `hidden` is the same property of the table that declares it.
pub(crate) fn is_discardable(op: OpRef<'_>, hidden: bool) -> bool {
    match visibility(op) {
        Visibility::Private => true,
        Visibility::Nested => hidden,
        Visibility::Public => false,
    }
}

/// Erases the dead symbols of a table and of nested tables that `choose` accepts; returns their number. For `hidden`
/// see [`is_hidden`].
pub(crate) fn erase_dead_symbols(body: &mut Body, hidden: bool, choose: impl Fn(OpRef<'_>) -> bool) -> usize {
    let ctx = body.context().clone();
    let mut dead = Tables::of(&ctx, body, hidden, &choose).dead().into_iter();
    let (mut pending, mut count) = (vec![body], 0);
    while let Some(body) = pending.pop() {
        let dead = dead.next().expect("one list for each body that stays");
        count += dead.len();
        dead.into_iter().for_each(|op| body.erase(op));
        let from = pending.len();
        pending.extend(body.nested_in_order().into_iter().map(|(_, body)| body));
        pending[from..].reverse();
    }
    count
}

/// A body, and its symbols if it belongs to a symbol table.
struct Table<'m> {
    body: &'m Body,
    symbols: Option<SymbolTable>,
    /// Whether unknown code cannot reference its nested symbols.
    hidden: bool,
    /// Its operations with a body of their own in text order, each with the number of that body.
    inner: Vec<(Op, usize)>,
    live: FxHashSet<Op>,
}

/// A body and its nested bodies, and which of their operations are live.
struct Tables<'m> {
    tables: Vec<Table<'m>>,
    numbers: FxHashMap<(usize, Op), usize>,
    services: Option<&'m ServiceTable<dyn Symbols>>,
    pending: Vec<(usize, Op)>,
}

impl<'m> Tables<'m> {
    fn of(ctx: &'m Context, top: &'m Body, hidden: bool, choose: &impl Fn(OpRef<'_>) -> bool) -> Self {
        let table = |body, hidden, symbols| Table {
            body,
            symbols,
            hidden,
            inner: Vec::new(),
            live: FxHashSet::default(),
        };
        let mut tables = vec![table(top, hidden, Some(SymbolTable::of(top)))];
        let mut numbers = FxHashMap::default();
        let mut at = 0;
        while at < tables.len() {
            let (body, hidden) = (tables[at].body, tables[at].hidden);
            for op in body.walk() {
                let view = body.op(op);
                let Some(inside) = view.nested() else { continue };
                let number = tables.len();
                numbers.insert((at, op), number);
                tables[at].inner.push((op, number));
                let symbols = view.has_trait(Traits::SYMBOL_TABLE).then(|| SymbolTable::of(inside));
                let unnamed = view.symbol_name().is_none();
                tables.push(table(inside, hidden || unnamed || is_private(view), symbols));
            }
            at += 1;
        }
        let mut all = Self { tables, numbers, services: ctx.service_table(), pending: Vec::new() };
        all.enter(0, choose);
        let (mut names, mut paths) = (Vec::new(), Vec::new());
        while let Some((table, op)) = all.pending.pop() {
            all.visit(table, op, choose, &mut names, &mut paths);
        }
        all
    }

    /// Marks the operations of a table that are live regardless of references.
    fn enter(&mut self, number: usize, choose: &impl Fn(OpRef<'_>) -> bool) {
        let Table { body, hidden, .. } = self.tables[number];
        let blocks = body.regions().flat_map(|region| body.region(region).blocks());
        for op in blocks.flat_map(|block| body.block(block).ops()) {
            let view = body.op(op);
            let is_symbol = view.has_trait(Traits::SYMBOL) && view.symbol_name().is_some();
            if !(is_symbol && is_discardable(view, hidden) && choose(view)) {
                self.mark(number, op);
            }
        }
    }

    fn mark(&mut self, table: usize, op: Op) {
        if self.tables[table].live.insert(op) {
            self.pending.push((table, op));
        }
    }

    /// Marks the symbols that a live operation and the operations inside it reference.
    fn visit(
        &mut self,
        table: usize,
        op: Op,
        choose: &impl Fn(OpRef<'_>) -> bool,
        names: &mut Vec<Name>,
        paths: &mut Vec<SymbolPath>,
    ) {
        // A body without a symbol table belongs to its operation; its references are resolved in the enclosing
        // table.
        let mut inside = vec![(table, op)];
        while let Some((at, op)) = inside.pop() {
            let view = self.tables[at].body.op(op);
            if (view.props(), view.attrs()) != (Attr::EMPTY, Attr::EMPTY) {
                let service = self.services.and_then(|table| table.get(view.kind())).unwrap_or(&ByAttributes);
                service.uses(view, names);
                service.nested_uses(view, paths);
            }
            let mut add = |at: usize, body: &Body, regions: &mut dyn Iterator<Item = minoan_ir::Region>| {
                let blocks = regions.flat_map(|region| body.region(region).blocks());
                inside.extend(blocks.flat_map(|block| body.block(block).ops()).map(|op| (at, op)));
            };
            match self.numbers.get(&(at, op)).copied() {
                Some(number) if self.tables[number].symbols.is_some() => self.enter(number, choose),
                Some(number) => {
                    let body = self.tables[number].body;
                    add(number, body, &mut body.regions());
                }
                None => add(at, view.body(), &mut view.own_regions()),
            }
        }
        for name in names.drain(..) {
            self.mark_path(table, name, &[]);
        }
        for SymbolPath { root, nested } in paths.drain(..) {
            self.mark_path(table, root, &nested);
        }
    }

    /// Marks the symbols on the path of a reference.
    fn mark_path(&mut self, table: usize, root: Name, nested: &[Name]) {
        let mut at = Some(table);
        for &name in std::iter::once(&root).chain(nested) {
            let Some(table) = at else { return };
            let found = self.tables[table].symbols.as_ref().and_then(|symbols| symbols.get(name));
            let Some(op) = found else { return };
            self.mark(table, op);
            at = self.numbers.get(&(table, op)).copied();
        }
    }

    /// The dead operations of the remaining bodies in text order; each body before its nested bodies.
    fn dead(&self) -> Vec<Vec<Op>> {
        let (mut pending, mut lists) = (vec![0], Vec::new());
        while let Some(number) = pending.pop() {
            let Table { body, symbols, inner, live, .. } = &self.tables[number];
            let blocks = body.regions().flat_map(|region| body.region(region).blocks());
            let ops = blocks.flat_map(|block| body.block(block).ops());
            let dead: Vec<Op> = match symbols {
                Some(_) => ops.filter(|op| !live.contains(op)).collect(),
                None => Vec::new(),
            };
            let from = pending.len();
            let stays = |op: &Op| symbols.is_none() || body.op(*op).parent().is_some() || live.contains(op);
            pending.extend(inner.iter().filter(|(op, _)| stays(op)).map(|&(_, number)| number));
            pending[from..].reverse();
            lists.push(dead);
        }
        lists
    }
}

//! `symbol-dce`: removes unused private symbols.
//!
//! A symbol is live if it is not private, or if a live operation uses it. Each symbol table is processed separately,
//! including nested ones. The time is linear.

use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Body, Name, Op, OpRef, ServiceId, ServiceTable, SymbolTable, Traits};
use minoan_pass::{Pass, PassRun};
use minoan_services::{ByAttributes, Symbols, Visibility};
use rustc_hash::FxHashSet;

/// Erases unused private symbols.
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

    fn asks(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<dyn Symbols>()]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        // Symbols are defined in symbol tables only: the bodies of other operations have none.
        let erased = run.each_body(|body| erase_dead_symbols(body, |_| true));
        run.count("num-dce'd", erased.into_iter().sum::<usize>() as u64);
        Ok(())
    }
}

/// Whether a symbol is only visible in its table.
pub(crate) fn is_private(op: OpRef<'_>) -> bool {
    <dyn Symbols>::of(op).visibility(op) == Visibility::Private
}

/// Erases the dead private symbols at the top of a body that `choose` accepts; returns their number.
pub(crate) fn erase_dead_symbols(body: &mut Body, choose: impl Fn(OpRef<'_>) -> bool) -> usize {
    let ctx = body.context().clone();
    let blocks = body.regions().flat_map(|region| body.region(region).blocks());
    let top: Vec<Op> = blocks.flat_map(|block| body.block(block).ops()).collect();
    let may_go = |view: OpRef<'_>| view.has_trait(Traits::SYMBOL) && is_private(view) && choose(view);
    if !top.iter().any(|&op| may_go(body.op(op))) {
        return 0;
    }
    let table = SymbolTable::of(body);
    let mut live: FxHashSet<Op> = top.iter().copied().filter(|&op| !may_go(body.op(op))).collect();
    let mut pending: Vec<Op> = top.iter().copied().filter(|op| live.contains(op)).collect();
    let symbols = ctx.service_table::<dyn Symbols>();
    let mut names = Vec::new();
    while let Some(op) = pending.pop() {
        names_inside(symbols, body.op(op), &mut names);
        for target in names.drain(..).filter_map(|name| table.get(name)) {
            if live.insert(target) {
                pending.push(target);
            }
        }
    }
    let dead: Vec<Op> = top.into_iter().filter(|op| !live.contains(op)).collect();
    dead.iter().for_each(|&op| body.erase(op));
    dead.len()
}

/// Appends the symbols used by an operation and everything in it.
fn names_inside(symbols: Option<&ServiceTable<dyn Symbols>>, op: OpRef<'_>, names: &mut Vec<Name>) {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        if (op.props(), op.attrs()) != (Attr::EMPTY, Attr::EMPTY) {
            let service = symbols.and_then(|table| table.get(op.kind())).unwrap_or(&ByAttributes);
            service.uses(op, names);
        }
        let (body, regions) = op.inside();
        let blocks = regions.into_iter().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()).map(|op| body.op(op)));
    }
}

//! Programs to verify, and the diagnostics as text.

use super::{Func, Program};
use minoan_ir::{Attr, Builder, Context, Module, OpState, Traits, Type, Value};

/// Creates an empty `toy.program`.
pub fn program(ctx: &Context) -> Module {
    let mut module = Module::with_top(ctx, OpState::new(ctx.kind_of::<Program>()).regions(1));
    let body = module.body_mut();
    let root = body.root(0);
    body.add_block(root, &[]);
    module
}

/// The verifier's diagnostics, one line per message and note.
pub fn report(module: &Module) -> String {
    let Err(wrong) = minoan_ir::verify::verify(module) else { return String::new() };
    let lines = wrong.iter().flat_map(|diagnostic| {
        let notes = diagnostic.notes.iter().map(|note| format!("  note: {}", note.message));
        std::iter::once(diagnostic.message.clone()).chain(notes)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The verifier's diagnostics for a program with one function, filled by `build`; adds a return if the entry block
/// lacks a terminator.
pub fn check(args: &[Type], build: impl FnOnce(&Context, &mut Builder<'_>, &[Value])) -> String {
    let ctx = super::context();
    let mut module = program(&ctx);
    let block = module.block();
    let mut b = Builder::at_end(module.body_mut(), block);
    let ty = Attr::ty(&ctx, Type::function(&ctx, args, &[]));
    let func = Func::build(&mut b, Attr::string(&ctx, "f"), ty);
    let inside = func.inside_mut(b.body_mut());
    let root = inside.root(0);
    let entry = inside.add_block(root, args);
    let values: Vec<Value> = inside.block(entry).args().collect();
    let mut b = Builder::at_end(inside, entry);
    build(&ctx, &mut b, &values);
    let last = b.body().block(entry).last();
    if !last.is_some_and(|last| b.body().op(last).has_trait(Traits::TERMINATOR)) {
        b.set_insertion_point(minoan_ir::InsertionPoint::End(entry));
        super::Return::build(&mut b, &[]);
    }
    report(&module)
}

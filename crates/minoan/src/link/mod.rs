//! Functions of one program that another defines, in whatever language.
//!
//! A module in the shared dialects declares what it does not define: `func.func private @f(...)`. Linking looks for a
//! function of that name among the linked programs, takes it with all that it reaches, and repeats for what that
//! declares. Types must agree; where the two languages write the same values differently (extents that one knows and
//! the other does not, a number and a tensor of rank 0) an [adapter](adapt) stands between them.

mod adapt;

use crate::{Failure, Float, Program, Session, Stage};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_func::Func;
use minoan_ir::text::print_type;
use minoan_ir::{Attr, Builder, Mapping, Module, Name, Op, OpDef, Point, SymbolTable, Type, rename_symbols};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions whose names begin so are the run-time library's.
const RUNTIME: &str = "minoan_";

impl Session {
    /// Defines what a module in the shared dialects only declares by functions of other programs. What none of them
    /// has stays declared.
    ///
    /// # Errors
    /// A function has another type there, two programs have it, or it cannot be lowered.
    pub fn link(&self, module: &mut Module, programs: &[Program], float: Float) -> Result<(), Failure> {
        let mut looked_for = FxHashSet::default();
        loop {
            let open: Vec<Op> =
                undefined(module).filter(|&op| looked_for.insert(symbol(module, op))).collect();
            if open.is_empty() {
                return Ok(());
            }
            let mut errors = Diagnostics::new();
            for op in open {
                if let Err(failure) = self.define(module, op, programs, float) {
                    errors.append(failure.diagnostics);
                }
            }
            if errors.has_errors() {
                return Err(errors.into());
            }
        }
    }

    /// Defines one declared function, if a program has it.
    fn define(
        &self,
        module: &mut Module,
        declared: Op,
        programs: &[Program],
        float: Float,
    ) -> Result<(), Failure> {
        let name = symbol(module, declared);
        let name = name.as_str(self.context()).to_owned();
        let place = module.body().op(declared).loc().place(self.context());
        let having: Vec<&Program> =
            programs.iter().filter(|program| program.functions().contains(&name)).collect();
        let program = match having[..] {
            [] => return Ok(()),
            [program] => program,
            [..] => {
                let error =
                    Diagnostic::error(format!("more than one linked program defines '{name}'")).at(place);
                let note =
                    |error: Diagnostic, program: &&Program| error.note(format!("'{}' does", program.name()));
                return Err(having.iter().fold(error, note).into());
            }
        };
        let mut taken = self.module(program, &[&name], float)?;
        self.advance(&mut taken, Stage::Shared)?;
        let found = defined(&taken, &name).ok_or_else(|| {
            Diagnostic::error(format!("'{}' has no function '{name}' after lowering", program.name()))
        })?;
        self.merge(module, declared, &mut taken, found, program)
    }

    /// Takes over the functions of `taken`; what `declared` only declared is `found` from now on.
    fn merge(
        &self,
        module: &mut Module,
        declared: Op,
        taken: &mut Module,
        found: Op,
        program: &Program,
    ) -> Result<(), Failure> {
        let ctx = self.context();
        let (wanted, given) = (signature(module, declared), signature(taken, found));
        let adapter = adapt::plan(ctx, &wanted, &given).map_err(|reason| {
            let view = module.body().op(declared);
            let name = view.symbol_name().unwrap_or_default();
            let error =
                format!("'{name}' is declared with another type than '{}' defines it with", program.name());
            Diagnostic::error(error)
                .at(view.loc().place(ctx))
                .note(format!("declared as {}", shown(ctx, &wanted)))
                .note_at(
                    taken.body().op(found).loc().place(ctx),
                    format!("defined as {}", shown(ctx, &given)),
                )
                .note(reason)
        })?;

        // Everything but the function itself keeps to itself: only its name means something here.
        let table = SymbolTable::of(module.body());
        let own = symbol(taken, found);
        let mut renamed = FxHashMap::default();
        let mut names = SymbolTable::of(module.body());
        let mut shared = FxHashSet::default();
        for op in top(taken) {
            let Some(name) = taken.body().op(op).symbol_name().map(|name| ctx.name(name)) else { continue };
            let clashes = table.get(name).is_some() && (name != own || adapter.is_some());
            if clashes && is_declaration(taken, op) && name.as_str(ctx).starts_with(RUNTIME) {
                shared.insert(op);
            } else if clashes {
                let fresh = names.fresh(ctx, name.as_str(ctx));
                names.insert(fresh, declared);
                renamed.insert(name, fresh);
            }
        }
        rename_symbols(taken.body_mut(), &renamed);
        let target = symbol(taken, found);

        let block = module.block();
        for op in top(taken).into_iter().filter(|op| !shared.contains(op)) {
            let copy = module.body_mut().clone_op_from(
                taken.body(),
                op,
                Point::Before(declared),
                &mut Mapping::new(),
            );
            let private = Attr::string(ctx, "private");
            if module.body().op(copy).is::<Func>() {
                module.body_mut().set_attr(copy, ctx.names().sym_visibility, Some(private));
            }
        }
        let (name, loc) = (symbol(module, declared), module.body().op(declared).loc());
        module.body_mut().erase(declared);
        if let Some(adapter) = adapter {
            let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
            adapter.build(&mut b, name.as_str(ctx), target.as_str(ctx));
        }
        Ok(())
    }

    /// What is still declared only, and who could define it.
    pub(crate) fn check_linked(&self, module: &Module) -> Result<(), Failure> {
        let (ctx, body) = (self.context(), module.body());
        let names: Vec<&str> = top(module)
            .into_iter()
            .filter(|&op| !is_declaration(module, op))
            .filter_map(|op| body.op(op).symbol_name())
            .collect();
        let mut errors = Diagnostics::new();
        for op in undefined(module) {
            let name = body.op(op).symbol_name().unwrap_or_default();
            errors.push(
                Diagnostic::error(format!("the function '{name}' is declared, but not defined"))
                    .at(body.op(op).loc().place(ctx))
                    .did_you_mean(nearest(name, names.iter().copied()))
                    .help("link the program that defines it: --link FILE"),
            );
        }
        if errors.has_errors() { Err(errors.into()) } else { Ok(()) }
    }
}

/// Operations at the top of a module.
fn top(module: &Module) -> Vec<Op> {
    module.body().block(module.block()).ops().collect()
}

fn is_declaration(module: &Module, op: Op) -> bool {
    let view = module.body().op(op);
    view.is::<Func>() && view.nested().is_some_and(|inside| inside.region(inside.root(0)).entry().is_none())
}

/// Functions that somebody else must define.
fn undefined(module: &Module) -> impl Iterator<Item = Op> + '_ {
    let is_runtime = |op: &Op| module.body().op(*op).symbol_name().unwrap_or_default().starts_with(RUNTIME);
    top(module).into_iter().filter(|&op| is_declaration(module, op)).filter(move |op| !is_runtime(op))
}

fn symbol(module: &Module, op: Op) -> Name {
    module.context().name(module.body().op(op).symbol_name().unwrap_or_default())
}

/// The function of a name that has a body.
fn defined(module: &Module, name: &str) -> Option<Op> {
    let op = SymbolTable::of(module.body()).get(module.context().name(name))?;
    Some(op).filter(|&op| module.body().op(op).is::<Func>() && !is_declaration(module, op))
}

type Signature = (Vec<Type>, Vec<Type>);

fn signature(module: &Module, op: Op) -> Signature {
    let func = Func::cast(module.body(), op).map(|func| func.signature(module.body(), module.context()));
    func.map_or_else(Signature::default, |(inputs, results)| (inputs.to_vec(), results.to_vec()))
}

fn shown(ctx: &minoan_ir::Context, (inputs, results): &Signature) -> String {
    format!("'{}'", print_type(ctx, Type::function(ctx, inputs, results)))
}

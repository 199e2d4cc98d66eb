//! Linking of programs in any languages.
//!
//! A module in the shared dialects declares the functions that it does not define: `func.func private @f(...)`. Linking
//! looks for a function of that name among the linked programs, copies it and the functions that it reaches, and
//! continues with their declarations. A function that is reached several times is copied once. Types must match; where
//! languages represent a value differently (static and dynamic extents, a scalar and a tensor of rank 0), an
//! [adapter](adapt) converts it.

mod adapt;
mod merge;

use crate::{Failure, Float, Program, Session, Stage};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_func::Func;
use minoan_ir::text::print_type;
use minoan_ir::{Module, Name, Op, OpDef, SymbolTable, Type};
use minoan_passes::outline::parallel;

/// The prefix of the runtime's functions.
const RUNTIME: &str = "minoan_";

impl Session {
    /// Defines the functions that a module in the shared dialects declares by those of other programs. A function that no
    /// program defines remains a declaration.
    ///
    /// # Errors
    /// A definition has another type, two programs define a function, or it cannot be lowered.
    pub fn link(&self, module: &mut Module, programs: &[Program], float: Float) -> Result<(), Failure> {
        let mut parts = self.parts(module, programs, float)?;
        Ok(merge::merge(module, &mut parts)?)
    }

    /// The required functions of the programs, lowered. A program is lowered again if further functions of it are
    /// required.
    fn parts<'p>(
        &self,
        module: &Module,
        programs: &'p [Program],
        float: Float,
    ) -> Result<Vec<Part<'p>>, Failure> {
        let part = |program| Part { program, roots: Vec::new(), module: None };
        let mut parts: Vec<Part<'p>> = programs.iter().map(part).collect();
        let mut errors = Diagnostics::new();
        want(module, &mut parts, &mut errors);
        while !errors.has_errors()
            && let Some(at) = parts.iter().position(|part| part.module.is_none() && !part.roots.is_empty())
        {
            match self.lowered(&parts[at], float) {
                Ok(lowered) => {
                    want(&lowered, &mut parts, &mut errors);
                    parts[at].module = Some(lowered);
                }
                Err(failure) => errors.append(failure.diagnostics),
            }
        }
        if errors.has_errors() { Err(errors.into()) } else { Ok(parts) }
    }

    fn lowered(&self, part: &Part<'_>, float: Float) -> Result<Module, Failure> {
        let roots: Vec<&str> = part.roots.iter().map(String::as_str).collect();
        let mut module = self.module(part.program, &roots, float)?;
        self.advance(&mut module, Stage::Shared)?;
        Ok(module)
    }

    /// Checks that every declared function is defined or belongs to the runtime.
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

/// The required part of a linked program.
struct Part<'p> {
    program: &'p Program,
    /// The functions that other modules declare.
    roots: Vec<String>,
    /// The roots and the functions that they reach, in the shared dialects; `None` without roots.
    module: Option<Module>,
}

/// The part that defines a function.
fn provider(parts: &[Part<'_>], name: &str) -> Option<usize> {
    parts.iter().position(|part| part.roots.iter().any(|root| root == name))
}

/// Adds the declarations of a module to the roots of the programs that define them.
fn want(module: &Module, parts: &mut [Part<'_>], errors: &mut Diagnostics) {
    for op in undefined(module) {
        let view = module.body().op(op);
        let name = view.symbol_name().unwrap_or_default();
        let has = |part: &Part<'_>| part.program.functions().iter().any(|function| function == name);
        let having: Vec<usize> = (0..parts.len()).filter(|&at| has(&parts[at])).collect();
        match having[..] {
            [] => {}
            [_] if provider(parts, name).is_some() => {}
            [at] => {
                parts[at].roots.push(name.to_owned());
                parts[at].module = None;
            }
            [..] => {
                let error = Diagnostic::error(format!("more than one linked program defines '{name}'"))
                    .at(view.loc().place(module.context()));
                let names: Vec<&str> = having.iter().map(|&at| parts[at].program.name()).collect();
                errors.push(definitions(&names).into_iter().fold(error, Diagnostic::note));
            }
        }
    }
}

/// A note for each program that defines a function; the same file may be given more than once.
fn definitions(names: &[&str]) -> Vec<String> {
    let mut notes = Vec::new();
    for (at, name) in names.iter().enumerate().filter(|(at, name)| !names[..*at].contains(name)) {
        notes.push(match names[at..].iter().filter(|other| *other == name).count() {
            1 => format!("defined in '{name}'"),
            2 => format!("defined in '{name}', which is linked twice"),
            times => format!("defined in '{name}', which is linked {times} times"),
        });
    }
    notes
}

/// The top-level operations of a module.
fn top(module: &Module) -> Vec<Op> {
    module.body().block(module.block()).ops().collect()
}

fn is_declaration(module: &Module, op: Op) -> bool {
    let view = module.body().op(op);
    view.is::<Func>() && view.nested().is_some_and(|inside| inside.region(inside.root(0)).entry().is_none())
}

/// The functions that a module declares, except those of the runtime.
fn undefined(module: &Module) -> impl Iterator<Item = Op> + '_ {
    let is_runtime = |op: &Op| module.body().op(*op).symbol_name().unwrap_or_default().starts_with(RUNTIME);
    let is_defined_later = |op: &Op| module.body().op(*op).attr_named(parallel::BODY).is_some();
    let declared = top(module).into_iter().filter(|&op| is_declaration(module, op));
    declared.filter(move |op| !is_runtime(op) && !is_defined_later(op))
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

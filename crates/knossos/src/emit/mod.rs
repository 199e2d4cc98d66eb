//! Emission of a typed program as a module of the knossos dialect.
//!
//! Only functions reachable from the roots are emitted. Every operation has the file, line and column of its
//! expression. Lambdas become regions where they are passed and are inlined at calls if a `let` binds them. A
//! construct without a representation in the dialect is an error at its location; one run reports several.

mod call;
mod derive;
mod expr;
mod folds;
mod linear;
mod prim;
mod symbols;
mod types;

use crate::typed::{Def, DefId, EdefId, FnRef, Rule, TypedProgram};
use minoan_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use minoan_ir::{Attr, Builder, Context, Loc, Module, OpDef, Type};
use minoan_knossos_dialect::{self as ks, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};

pub use minoan_frontend::FloatWidth;

/// The options of the emission.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {
    /// The width of `Float`.
    pub float: FloatWidth,
    /// Whether out-of-bounds indices trap; otherwise they are undefined behavior.
    pub check_bounds: bool,
}

/// Emits a module of the knossos dialect with all functions reachable from the roots; the roots are its public
/// functions.
///
/// The dialect must be loaded in `ctx`, and the program must be free of errors.
///
/// # Errors
/// One error at each use of a construct that the dialect does not support.
pub fn emit(
    ctx: &Context,
    sources: &SourceMap,
    program: &TypedProgram,
    roots: &[FnRef],
    options: &EmitOptions,
) -> Result<Module, Diagnostics> {
    let mut emitter = Emitter {
        ctx,
        sources,
        program,
        float: options.float.ty(),
        symbols: FxHashMap::default(),
        types: FxHashMap::default(),
        reported: FxHashSet::default(),
        errors: Diagnostics::new(),
        lambda_calls: 0,
        inlined: 0,
    };
    let roots: Vec<FnRef> = roots.iter().map(|&root| emitter.defined(root)).collect();
    for &root in &roots {
        match root {
            FnRef::Def(_) => {}
            FnRef::Edef(id) => {
                emitter.unsupported(program.edef(id).name_span, "an external function to start from")
            }
            FnRef::Gdef(_) => {}
        }
    }
    let reachable = program.reachable_from(roots.iter().copied().chain(program.called_by_rules()));
    let external = reachable.edefs.iter().copied().filter(|&id| program.edef(id).prelude.is_none());
    let functions = reachable.defs.iter().map(|&id| FnRef::Def(id)).chain(external.clone().map(FnRef::Edef));
    let functions = functions.chain(reachable.gdefs.iter().map(|&id| FnRef::Gdef(id)));
    emitter.symbols = symbols::assign(program, &roots, functions);

    let mut module = Module::new(ctx, emitter.loc(first_span(program, &roots)));
    if options.check_bounds {
        let (op, name) = (module.op(), ctx.name(ks::CHECK_BOUNDS));
        module.holder_mut().set_attr(op, name, Some(Attr::UNIT));
    }
    let visibility = |id: FnRef| if roots.contains(&id) { Visibility::Public } else { Visibility::Private };
    // Functions of linear maps are inlined.
    let has_maps = |id: FnRef| {
        let (arg, result) = program.signature(id);
        program.types.has_linear_map(arg) || program.types.has_linear_map(result)
    };
    for &id in
        reachable.defs.iter().filter(|&&id| !has_maps(FnRef::Def(id)) || roots.contains(&FnRef::Def(id)))
    {
        emitter.function(&mut module, id, visibility(FnRef::Def(id)));
    }
    external.filter(|&id| !has_maps(FnRef::Edef(id))).for_each(|id| emitter.declaration(&mut module, id));
    for rule in &program.rules {
        emitter.rule(&mut module, rule);
    }
    for &id in &reachable.gdefs {
        emitter.derivative(&mut module, id, visibility(FnRef::Gdef(id)));
    }
    for function in program.supplied_derivatives(&reachable) {
        emitter.supplied(&mut module, function);
    }
    if emitter.errors.has_errors() { Err(emitter.errors) } else { Ok(module) }
}

fn first_span(program: &TypedProgram, roots: &[FnRef]) -> Span {
    roots.first().map_or(Span::new(program.file, 0, 0), |&root| program.span(root))
}

pub(crate) struct Emitter<'a> {
    ctx: &'a Context,
    sources: &'a SourceMap,
    program: &'a TypedProgram,
    float: Type,
    symbols: FxHashMap<FnRef, String>,
    types: FxHashMap<crate::TypeId, Result<types::Converted, String>>,
    /// The errors reported so far, to report each once.
    reported: FxHashSet<(Span, String)>,
    errors: Diagnostics,
    /// The number of lambda calls inlined so far.
    lambda_calls: u32,
    /// The depth of inlined functions of linear maps.
    inlined: u32,
}

impl<'a> Emitter<'a> {
    fn loc(&self, span: Span) -> Loc {
        let at = self.sources.line_col(span);
        Loc::in_file(self.ctx, self.ctx.file(self.sources.file(span.file).name()), at.line, at.column)
    }

    /// Reports a construct that the dialect does not support.
    fn unsupported(&mut self, span: Span, construct: &str) {
        if self.reported.insert((span, construct.to_owned())) {
            self.errors.push(Diagnostic::error(format!("not lowered yet: {construct}")).at(span));
        }
    }

    /// The definition of a function that the program also declares.
    fn defined(&self, function: FnRef) -> FnRef {
        match function {
            FnRef::Edef(id) => self.program.edef(id).definition.map_or(function, FnRef::Def),
            other => other,
        }
    }

    fn function(&mut self, module: &mut Module, id: DefId, visibility: Visibility) {
        let program = self.program;
        let def: &'a Def = program.def(id);
        let mut inputs = Vec::new();
        for &param in &def.params {
            inputs.extend(self.ty(program.var(param).ty, program.var(param).span));
        }
        let result = self.ty(def.result, def.name_span);
        let (Some(result), true) = (result, inputs.len() == def.params.len()) else { return };

        let (loc, block) = (self.loc(def.name_span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let symbol = &self.symbols[&FnRef::Def(id)];
        let (func, entry) = ks::Func::define(&mut b, symbol, &inputs, result, visibility);
        self.say_source(&mut b, func, FnRef::Def(id));
        self.say_derivative(&mut b, func, FnRef::Def(id));
        let Some(body) = b.body_mut().nested_mut(func.op()) else { return };
        let mut b = Builder::at_end(body, entry).with_loc(loc);
        let args = b.body().block(entry).args();
        let values = def.params.iter().copied().zip(args).collect();
        let value = expr::Scope::new(self, values).expr(&mut b, def.body);
        let Some(mut value) = value else { return };
        if def.discards {
            value = ks::MakeTuple::build(&mut b, &[]).result(b.body());
        }
        ks::Return::build(&mut b, value);
    }

    /// Emits a rule. A part that the dialect does not support is not an error: a remark reports it when the rule cannot be
    /// applied.
    fn rule(&mut self, module: &mut Module, rule: &'a Rule) {
        let program = self.program;
        let errors = std::mem::take(&mut self.errors);
        let mut params = Vec::new();
        for &param in &rule.params {
            params.extend(self.ty(program.var(param).ty, program.var(param).span));
        }
        let (loc, block) = (self.loc(rule.span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let mut complete = params.len() == rule.params.len();
        if complete {
            let (op, done) = ks::Rule::with(&mut b, &rule.name, &params, |b, args, is_pattern| {
                let values = rule.params.iter().copied().zip(args.iter().copied()).collect();
                let side = if is_pattern { rule.from } else { rule.to };
                expr::Scope::new(self, values).expr(b, side)
            });
            complete = done;
            if !complete {
                b.body_mut().erase(op);
            }
        }
        let reasons = std::mem::replace(&mut self.errors, errors);
        if !complete {
            let reason =
                reasons.iter().next().map_or("it cannot be emitted", |reason| reason.message.as_str());
            ks::Rule::build(&mut b, &*rule.name, Some(reason.to_owned()));
        }
    }

    /// Emits the declaration of an external function, which takes the components of its argument like a definition
    /// with one parameter for each.
    fn declaration(&mut self, module: &mut Module, id: EdefId) {
        let edef = self.program.edef(id);
        let arg = self.ty(edef.arg, edef.name_span);
        let (Some(arg), Some(result)) = (arg, self.ty(edef.result, edef.name_span)) else { return };
        let inputs = arg.as_tuple(self.ctx).map_or_else(|| vec![arg], <[Type]>::to_vec);
        let (loc, block) = (self.loc(edef.name_span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let func = ks::Func::declare(&mut b, &self.symbols[&FnRef::Edef(id)], &inputs, result);
        self.say_source(&mut b, func, FnRef::Edef(id));
        self.say_derivative(&mut b, func, FnRef::Edef(id));
    }

    /// Attaches name and types as written in the source.
    fn say_source(&self, b: &mut Builder<'_>, func: ks::Func, function: FnRef) {
        let program = self.program;
        let (arg, result) = program.signature(function);
        for (name, text) in [
            ("knossos.name", program.name_text(program.identity(function).0)),
            ("knossos.args", program.types.text(arg)),
            ("knossos.results", program.types.text(result)),
        ] {
            let (name, text) = (self.ctx.name(name), Attr::string(self.ctx, text));
            b.body_mut().set_attr(func.op(), name, Some(text));
        }
    }
}

//! Emission of a typed program as a module of the relay dialect.
//!
//! Only functions reachable from the roots are emitted; polymorphic functions are monomorphized. Every operation has
//! the file, line and column of its expression. A local function that is only called is lambda-lifted: it becomes a
//! function whose captures are additional parameters. An unsupported construct is an error at its location; one run
//! reports several.

mod constant;
mod expr;
mod local;
mod types;

use crate::ast::{BinderId, FnId};
use crate::typed::{DefId, TypedProgram};
use crate::types::{TyVarId, TypeId, Types};
use minoan_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use minoan_ir::{Attr, Builder, Context, Loc, Module, OpDef, Type as IrType, Value};
use minoan_relay_dialect as relay;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The options of the emission; none so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {}

/// Emits a module of the relay dialect with all functions reachable from the roots; the roots are its public
/// functions.
///
/// A function has the attributes `relay.name`, `relay.params` (the parameter names), `relay.args` and `relay.results`
/// (the types as written). The dialect must be loaded in `ctx`, and the program must be free of errors.
///
/// # Errors
/// One error at each use of an unsupported construct.
pub fn emit(
    ctx: &Context,
    sources: &SourceMap,
    program: &TypedProgram,
    roots: &[DefId],
    _options: &EmitOptions,
) -> Result<Module, Diagnostics> {
    let mut emitter = Emitter {
        ctx,
        sources,
        program,
        types: program.types.clone(),
        ir_types: FxHashMap::default(),
        symbols: FxHashMap::default(),
        taken: FxHashSet::default(),
        queue: VecDeque::new(),
        captures: FxHashMap::default(),
        locals: FxHashMap::default(),
        reported: FxHashSet::default(),
        errors: Diagnostics::new(),
    };
    for &root in roots {
        let def = program.def(root);
        if program.scheme(def.ty).is_some() {
            let text = program.types.text(def.ty);
            let error =
                Diagnostic::error(format!("'@{}' has a polymorphic type, '{text}'", def.name)).at(def.span);
            emitter.errors.push(error.help("write the types of its parameters"));
            continue;
        }
        emitter.symbol(Instance { function: Function::Global(root), types: Box::default() }, &def.name);
    }
    let span = roots.first().map_or(Span::new(program.module.file, 0, 0), |&root| program.def(root).span);
    let mut module = Module::new(ctx, emitter.loc(span));
    while let Some(instance) = emitter.queue.pop_front() {
        let public = matches!(instance.function, Function::Global(def) if roots.contains(&def));
        emitter.function(&mut module, &instance, public);
    }
    if emitter.errors.has_errors() { Err(emitter.errors) } else { Ok(module) }
}

/// A function that is emitted as a function of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Function {
    Global(DefId),
    /// A local function, by its variable.
    Local(BinderId),
}

/// An instance of a function: type arguments for its type parameters and those of the enclosing functions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Instance {
    function: Function,
    types: Box<[(TyVarId, TypeId)]>,
}

struct Emitter<'a> {
    ctx: &'a Context,
    sources: &'a SourceMap,
    program: &'a TypedProgram,
    /// The types of the program and of instances.
    types: Types,
    ir_types: FxHashMap<TypeId, Option<IrType>>,
    symbols: FxHashMap<Instance, String>,
    taken: FxHashSet<String>,
    /// Instances that have a symbol and are not emitted yet.
    queue: VecDeque<Instance>,
    /// The captures of local functions, in order.
    captures: FxHashMap<BinderId, std::sync::Arc<[local::Capture]>>,
    /// The local functions encountered so far.
    locals: FxHashMap<BinderId, FnId>,
    /// The errors reported so far, to report each once.
    reported: FxHashSet<(Span, String)>,
    errors: Diagnostics,
}

impl<'a> Emitter<'a> {
    fn loc(&self, span: Span) -> Loc {
        let at = self.sources.line_col(span);
        Loc::in_file(self.ctx, self.ctx.file(self.sources.file(span.file).name()), at.line, at.column)
    }

    /// Reports an unsupported construct.
    fn unsupported(&mut self, span: Span, construct: &str) {
        if self.reported.insert((span, construct.to_owned())) {
            self.errors.push(Diagnostic::error(format!("cannot run yet: {construct}")).at(span));
        }
    }

    /// The symbol of an instance; a new instance is queued for emission.
    fn symbol(&mut self, instance: Instance, name: &str) -> String {
        if let Some(known) = self.symbols.get(&instance) {
            return known.clone();
        }
        // Names of the runtime library are reserved.
        let base = if name.starts_with("minoan_") { format!("relay${name}") } else { name.to_owned() };
        let mut symbol = base.clone();
        let mut count = 0;
        while !self.taken.insert(symbol.clone()) {
            count += 1;
            symbol = format!("{base}${count}");
        }
        self.symbols.insert(instance.clone(), symbol.clone());
        self.queue.push_back(instance);
        symbol
    }

    fn function(&mut self, module: &mut Module, instance: &Instance, public: bool) {
        let program = self.program;
        let (function, span, name) = match instance.function {
            Function::Global(def) => {
                let def = program.def(def);
                (def.function, def.span, format!("@{}", def.name))
            }
            Function::Local(binder) => {
                let ident = program.module.binder(binder).name;
                let Some(&function) = self.locals.get(&binder) else { return };
                (function, ident.span, format!("%{}", program.module.text(ident.name)))
            }
        };
        let node = program.module.function(function);
        let captures = match instance.function {
            Function::Global(_) => Vec::new(),
            Function::Local(binder) => self.captures_of(binder).to_vec(),
        };
        let subst: FxHashMap<TyVarId, TypeId> = instance.types.iter().copied().collect();
        let mut inputs = Vec::new();
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        for capture in &captures {
            let (ty, span) = self.capture_type(*capture);
            let ty = self.concrete(ty, &subst);
            inputs.extend(self.ir_type(ty, span));
        }
        for &param in &node.params {
            let ident = program.module.binder(param).name;
            let ty = self.concrete(program.binder_ty(param), &subst);
            names.push(Attr::string(self.ctx, program.module.text(ident.name)));
            texts.push(self.types.text(ty));
            inputs.extend(self.ir_type(ty, ident.span));
        }
        let result = self.function_result(instance.function, &subst);
        let Some(result_ir) = self.ir_type(result, span) else { return };
        if inputs.len() != captures.len() + node.params.len() {
            return;
        }
        let (loc, block) = (self.loc(span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let symbol = self.symbols[instance].clone();
        let (func, entry) = relay::Func::define(&mut b, &symbol, &inputs, result_ir, !public);
        for (key, value) in [
            ("relay.name", Attr::string(self.ctx, name)),
            ("relay.params", Attr::array(self.ctx, &names)),
            ("relay.args", Attr::string(self.ctx, format!("({})", texts.join(", ")))),
            ("relay.results", Attr::string(self.ctx, self.types.text(result))),
        ] {
            let key = self.ctx.name(key);
            b.body_mut().set_attr(func.op(), key, Some(value));
        }
        let Some(body) = b.body_mut().nested_mut(func.op()) else { return };
        let mut b = Builder::at_end(body, entry).with_loc(loc);
        let args: Vec<Value> = b.body().block(entry).args().collect();
        let mut scope = expr::Scope::new(self, subst);
        for (capture, &value) in captures.iter().zip(&args) {
            scope.bind_capture(*capture, value);
        }
        for (&param, &value) in node.params.iter().zip(&args[captures.len()..]) {
            scope.values.insert(param, value);
        }
        let value = scope.expr(&mut b, node.body);
        let Some(value) = value.and_then(|value| scope.fit(&mut b, node.body, value, result_ir)) else {
            return;
        };
        relay::Return::build(&mut b, value);
    }

    /// The result type of a function in an instance.
    fn function_result(&mut self, function: Function, subst: &FxHashMap<TyVarId, TypeId>) -> TypeId {
        let program = self.program;
        let ty = match function {
            Function::Global(def) => program.def(def).ty,
            Function::Local(binder) => program.binder_ty(binder),
        };
        let result = program.function_type(ty).map_or(Types::ERROR, |(_, result)| result);
        self.concrete(result, subst)
    }
}

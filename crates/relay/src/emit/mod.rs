//! Emission of a typed program as a module of the relay dialect.
//!
//! Only functions reachable from the roots are emitted; polymorphic functions are monomorphized. Every operation has
//! the file, line and column of its expression. A local function that is only called is lambda-lifted: it becomes a
//! function whose captures are additional parameters; one that is a value becomes a closure of such a function. Data types
//! and references are those of the data dialect, with one declaration for each instance of a data type. An unsupported
//! construct is an error at its location; one run reports several.

mod attributes;
mod constant;
mod expr;
mod extents;
mod growth;
mod instance;
mod local;
mod matches;
mod types;
mod values;

use self::extents::Representations;
use crate::ast::{BinderId, CtorId, ExprId, FnId};
use crate::typed::{DefId, TypedProgram};
use crate::types::{TyVarId, Type, TypeId, Types};
use minoan_diag::{Diagnostic, Diagnostics, SourceMap, Span};
use minoan_ir::{Attr, Builder, Context, Loc, Module, OpDef, Type as IrType, Value};
use minoan_relay_dialect::{self as relay, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The options of the emission; none so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EmitOptions {}

/// Emits a module of the relay dialect with all functions reachable from the roots; the roots are its public
/// functions.
///
/// A function has the attributes `relay.name`, `relay.params` (the parameter names), `relay.args` and `relay.results`
/// (the types as written), `relay.param_attrs` if parameters have attributes, and the attributes of the source. The declaration
/// of a data type has the attribute `relay.instance`. The module has the objects of the metadata section that attributes can
/// refer to as its attribute `relay.metadata`, in JSON. The dialect must be loaded in `ctx`, and the program must be free of
/// errors.
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
    let (mut types, mut representations) = (program.types.clone(), Representations::default());
    for _ in 1..MAX_EMISSIONS {
        let (module, all, found) = emit_once(ctx, sources, program, roots, (types, representations));
        if found.found.is_empty() {
            return module;
        }
        (types, representations) = (all, found.next());
    }
    emit_once(ctx, sources, program, roots, (types, representations)).0
}

/// Upper bound on the emissions of a program: each may find types that need one representation.
const MAX_EMISSIONS: usize = 100;

/// One emission, with the types known so far and their representations. If it finds others, the result is not used.
fn emit_once(
    ctx: &Context,
    sources: &SourceMap,
    program: &TypedProgram,
    roots: &[DefId],
    (types, representations): (Types, Representations),
) -> (Result<Module, Diagnostics>, Types, Representations) {
    let mut emitter = Emitter {
        ctx,
        sources,
        program,
        types,
        representations,
        relay_types: FxHashMap::default(),
        ir_types: FxHashMap::default(),
        source_types: FxHashMap::default(),
        symbols: FxHashMap::default(),
        taken: FxHashSet::default(),
        queue: VecDeque::new(),
        origins: Vec::new(),
        emitting: None,
        captures: FxHashMap::default(),
        datas: FxHashMap::default(),
        declarations: VecDeque::new(),
        declaring: None,
        containers: FxHashMap::default(),
        locals: FxHashMap::default(),
        names: FxHashMap::default(),
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
        let instance = Instance { function: Function::Global(root), types: Box::default() };
        emitter.symbol(instance, &def.name, def.span);
    }
    let span = roots.first().map_or(Span::new(program.module.file, 0, 0), |&root| program.def(root).span);
    let mut module = Module::new(ctx, emitter.loc(span));
    let objects = program.module.metadata.without_expressions();
    if !objects.is_empty() {
        let (op, text) = (module.op(), Attr::string(ctx, objects.line()));
        module.holder_mut().set_attr(op, ctx.name("relay.metadata"), Some(text));
    }
    loop {
        if let Some(id) = emitter.queue.pop_front() {
            let instance = emitter.origins[id].instance.clone();
            emitter.emitting = Some(id);
            let visibility = match instance.function {
                Function::Global(def) if roots.contains(&def) => Visibility::Public,
                _ => Visibility::Private,
            };
            emitter.function(&mut module, &instance, visibility);
        } else if let Some(ty) = emitter.declarations.pop_front() {
            (emitter.emitting, emitter.declaring) = (None, Some(ty));
            emitter.declare(&mut module, ty);
            emitter.declaring = None;
        } else {
            break;
        }
    }
    let result = if emitter.errors.has_errors() { Err(emitter.errors) } else { Ok(module) };
    (result, emitter.types, emitter.representations)
}

/// A function that is emitted as a function of the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Function {
    Global(DefId),
    /// A local function, by its variable.
    Local(BinderId),
    /// A function expression that is a value.
    Lambda(ExprId),
    /// A function of this type that calls a constructor.
    Ctor(CtorId, TypeId),
    /// A function of this type that calls the operator that the expression names.
    Operator(ExprId, TypeId),
    /// A wrapper of type `to` around a function of type `from`, for uses as the type `to`.
    Adapter {
        from: IrType,
        to: IrType,
        at: Span,
    },
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
    /// The source types of types, in which data types are not instances.
    source_types: FxHashMap<TypeId, Option<IrType>>,
    /// The types that IR types are converted from.
    relay_types: FxHashMap<IrType, TypeId>,
    representations: Representations,
    symbols: FxHashMap<Instance, String>,
    taken: FxHashSet<String>,
    /// Instances that have a symbol and are not emitted yet, by their position in `origins`.
    queue: VecDeque<usize>,
    /// All instances, and why they are needed.
    origins: Vec<growth::Origin>,
    /// The instance that is being emitted.
    emitting: Option<usize>,
    /// The captures of local functions, in order.
    captures: FxHashMap<Function, std::sync::Arc<[local::Capture]>>,
    /// The symbols of the instances of data types.
    datas: FxHashMap<TypeId, String>,
    /// Instances of data types that have a symbol and are not declared yet.
    declarations: VecDeque<TypeId>,
    /// The instance of a data type that is being declared.
    declaring: Option<TypeId>,
    /// An instance of a data type that contains another one.
    containers: FxHashMap<TypeId, TypeId>,
    /// The local functions encountered so far.
    locals: FxHashMap<BinderId, FnId>,
    /// The variables bound to an operator, or to a polymorphic constructor or function, with the expression that
    /// names it. They are not values; their uses are those of the name.
    names: FxHashMap<BinderId, ExprId>,
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

    /// The symbol of an instance that is needed at `at`; a new instance is queued for emission.
    fn symbol(&mut self, instance: Instance, name: &str, at: Span) -> String {
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
        self.queue(instance, at);
        symbol
    }

    /// The name of an instance's function, as in the source, and its location.
    fn described(&self, function: Function) -> (String, Span) {
        let module = &self.program.module;
        match function {
            Function::Global(def) => {
                let def = self.program.def(def);
                (format!("@{}", def.name), def.span)
            }
            Function::Local(binder) => {
                let ident = module.binder(binder).name;
                (format!("%{}", module.text(ident.name)), ident.span)
            }
            Function::Lambda(expr) => ("fn".to_owned(), module.expr(expr).span),
            Function::Ctor(ctor, _) => (self.ctor_name(ctor).0, module.ctor(ctor).name.span),
            Function::Operator(expr, _) => {
                let span = module.expr(expr).span;
                (self.sources.text(span).to_owned(), span)
            }
            Function::Adapter { at, .. } => ("fn".to_owned(), at),
        }
    }

    /// The parameters of an instance with their types in the source, and the result type.
    fn params(&mut self, instance: &Instance) -> (Vec<(String, TypeId, Span)>, TypeId) {
        let program = self.program;
        let subst: FxHashMap<TyVarId, TypeId> = instance.types.iter().copied().collect();
        if let Function::Ctor(_, ty) | Function::Operator(_, ty) = instance.function {
            let (_, span) = self.described(instance.function);
            let Type::Fn(params, result) = self.types.get(ty).clone() else {
                return (Vec::new(), Types::ERROR);
            };
            let params = params.iter().enumerate().map(|(at, &ty)| (format!("x{at}"), ty, span));
            return (params.collect(), result);
        }
        let Some(function) = self.fn_of(instance.function) else { return (Vec::new(), Types::ERROR) };
        let mut params = Vec::new();
        for &param in &program.module.function(function).params {
            let ident = program.module.binder(param).name;
            let ty = self.concrete(program.binder_ty(param), &subst);
            params.push((program.module.text(ident.name).to_owned(), ty, ident.span));
        }
        (params, self.function_result(instance.function, &subst))
    }

    /// The captures of an instance; reports types that have no equivalent.
    fn signature(&mut self, instance: &Instance) -> Option<values::Signature> {
        if let Function::Adapter { from, to, .. } = instance.function {
            return extents::adapter_signature(self, from, to);
        }
        let subst: FxHashMap<TyVarId, TypeId> = instance.types.iter().copied().collect();
        let mut inputs = Vec::new();
        for capture in self.captures_of(instance.function).iter() {
            let (ty, span) = self.capture_type(*capture);
            let ty = self.concrete(ty, &subst);
            inputs.push(self.ir_type(ty, span)?);
        }
        let (params, result) = self.params(instance);
        for (_, ty, span) in params {
            inputs.push(self.ir_type(ty, span)?);
        }
        let (_, span) = self.described(instance.function);
        Some(values::Signature { inputs, result: self.ir_type(result, span)? })
    }

    fn function(&mut self, module: &mut Module, instance: &Instance, visibility: Visibility) {
        let program = self.program;
        let (name, span) = self.described(instance.function);
        let Some(values::Signature { inputs, result: result_ir }) = self.signature(instance) else { return };
        let captures = self.captures_of(instance.function).to_vec();
        let subst: FxHashMap<TyVarId, TypeId> = instance.types.iter().copied().collect();
        let (params, result) = self.params(instance);
        let names: Vec<Attr> = params.iter().map(|(name, ..)| Attr::string(self.ctx, name)).collect();
        let texts: Vec<String> = params.iter().map(|&(_, ty, _)| self.types.text(ty)).collect();
        let (loc, block) = (self.loc(span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let symbol = self.symbols[instance].clone();
        let (func, entry) = relay::Func::define(&mut b, &symbol, &inputs, result_ir, visibility);
        if !matches!(instance.function, Function::Adapter { .. }) {
            for (key, value) in [
                ("relay.name", Attr::string(self.ctx, name)),
                ("relay.params", Attr::array(self.ctx, &names)),
                ("relay.args", Attr::string(self.ctx, format!("({})", texts.join(", ")))),
                ("relay.results", Attr::string(self.ctx, self.types.text(result))),
            ] {
                let key = self.ctx.name(key);
                b.body_mut().set_attr(func.op(), key, Some(value));
            }
        }
        if let Some(function) = self.fn_of(instance.function) {
            let node = program.module.function(function);
            for (key, value) in attributes::entries(self.ctx, &program.module, &node.attrs) {
                b.body_mut().set_attr(func.op(), key, Some(value));
            }
            let attrs = attributes::of_params(self.ctx, &program.module, node);
            b.body_mut().set_attr(func.op(), self.ctx.name("relay.param_attrs"), attrs);
        }
        let Some(body) = b.body_mut().nested_mut(func.op()) else { return };
        let mut b = Builder::at_end(body, entry).with_loc(loc);
        let args: Vec<Value> = b.body().block(entry).args().collect();
        let function = self.fn_of(instance.function);
        let mut scope = expr::Scope::new(self, subst);
        let Some(function) = function else {
            if let Some(value) = scope.wrapped(&mut b, instance.function, &args, result_ir) {
                relay::Return::build(&mut b, value);
            }
            return;
        };
        let node = program.module.function(function);
        for (capture, &value) in captures.iter().zip(&args) {
            scope.bind_capture(*capture, value);
        }
        for (&param, &value) in node.params.iter().zip(&args[captures.len()..]) {
            scope.values.insert(param, value);
        }
        let value = scope.expr(&mut b, node.body);
        let Some(value) = value.and_then(|value| scope.fit(&mut b, scope.span(node.body), value, result_ir))
        else {
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
            Function::Lambda(expr) => program.fn_ty(expr),
            Function::Ctor(_, ty) | Function::Operator(_, ty) => ty,
            Function::Adapter { .. } => return Types::ERROR,
        };
        let result = program.function_type(ty).map_or(Types::ERROR, |(_, result)| result);
        self.concrete(result, subst)
    }

    /// The symbol of an instance of a data type, which is declared later.
    fn data_symbol(&mut self, ty: TypeId) -> String {
        if let Some(outer) = self.declaring {
            self.containers.entry(ty).or_insert(outer);
        }
        if let Some(known) = self.datas.get(&ty) {
            return known.clone();
        }
        let base = self.types.text(ty);
        let mut symbol = base.clone();
        let mut count = 0;
        while !self.taken.insert(symbol.clone()) {
            count += 1;
            symbol = format!("{base}${count}");
        }
        self.datas.insert(ty, symbol.clone());
        self.queue_data(ty);
        symbol
    }

    /// Emits the declaration of an instance of a data type.
    fn declare(&mut self, module: &mut Module, ty: TypeId) {
        let program = self.program;
        let Type::Data(id, _) = *self.types.get(ty) else { return };
        let span = program.module.data(id).name.span;
        if self.datas.len() > MAX_DATA_TYPES {
            let what = format!(
                "more than {MAX_DATA_TYPES} instances of data types; '{}' has infinitely many",
                self.types.text(ty).chars().take(40).collect::<String>()
            );
            self.declarations.clear();
            return self.unsupported(span, &what);
        }
        let mut ctors = Vec::new();
        for ctor in program.module.ctors_of(id) {
            let mut fields = Vec::new();
            for field in self.fields_of(ctor, ty) {
                if let Type::Data(..) = self.types.get(field) {
                    self.containers.entry(field).or_insert(ty);
                }
                fields.extend(self.ir_type(field, program.module.ctor(ctor).name.span));
            }
            ctors.push(minoan_data::Ctor { name: self.ctor_name(ctor).0, fields });
        }
        if ctors.is_empty() {
            // A type without values; a declaration has a constructor, which nothing makes.
            let name = program.module.text(program.module.data(id).name.name).to_owned();
            ctors.push(minoan_data::Ctor { name, fields: Vec::new() });
        }
        let (loc, block) = (self.loc(span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let declared = minoan_data::Declaration::declare(&mut b, &self.datas[&ty], &ctors);
        if let Some(instance) = self.instance(ty) {
            b.body_mut().set_attr(declared.op(), self.ctx.name(relay::INSTANCE), Some(instance));
        }
    }
}

/// Upper bound on the instances of data types: the fields of an instance may be ever larger instances.
const MAX_DATA_TYPES: usize = 1000;

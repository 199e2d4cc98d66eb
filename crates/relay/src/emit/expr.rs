//! Emission of expressions.

use super::local::Capture;
use super::{Emitter, Function, Instance, constant};
use crate::ast::{BinderId, Binding, BlockId, CtorId, ExprId, ExprKind, FnId, Literal, Run};
use crate::typed::Target;
use crate::types::{TyVarId, Type, TypeId};
use minoan_data as data;
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::{Builder, OpDef, Type as IrType, Value};
use minoan_relay_dialect as relay;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::Operator;
use rustc_hash::FxHashMap;

/// The state of the function being emitted. A value of `None` means that an error has been reported.
pub(super) struct Scope<'e, 'a> {
    pub(super) emitter: &'e mut Emitter<'a>,
    /// The instantiation of the type parameters.
    pub(super) subst: FxHashMap<TyVarId, TypeId>,
    /// The emitted values of variables. Each variable has one binding in the program, so scopes need no undo.
    pub(super) values: FxHashMap<BinderId, Value>,
    /// The emitted values of graph variables.
    graphs: FxHashMap<ExprId, Value>,
    /// The graph variables of the open regions, in order.
    graph_order: Vec<ExprId>,
}

impl<'e, 'a> Scope<'e, 'a> {
    pub(super) fn new(emitter: &'e mut Emitter<'a>, subst: FxHashMap<TyVarId, TypeId>) -> Self {
        Scope {
            emitter,
            subst,
            values: FxHashMap::default(),
            graphs: FxHashMap::default(),
            graph_order: Vec::new(),
        }
    }

    pub(super) fn bind_capture(&mut self, capture: Capture, value: Value) {
        match capture {
            Capture::Var(binder) => _ = self.values.insert(binder, value),
            Capture::Graph(expr) => _ = self.graphs.insert(expr, value),
        }
    }

    pub(super) fn expr(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<Value> {
        let outside = b.set_loc(self.emitter.loc(self.span(id)));
        let value = with_stack(|| self.expr_at(b, id));
        b.set_loc(outside);
        value
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.emitter.program.module.expr(id).span
    }

    /// The type of an expression in this instance.
    pub(super) fn concrete(&mut self, id: ExprId) -> TypeId {
        let ty = self.emitter.program.ty(id);
        self.emitter.concrete(ty, &self.subst)
    }

    pub(super) fn ty(&mut self, id: ExprId) -> Option<IrType> {
        let ty = self.concrete(id);
        self.emitter.ir_type(ty, self.span(id))
    }

    pub(super) fn unsupported(&mut self, id: ExprId, construct: &str) -> Option<Value> {
        self.emitter.unsupported(self.span(id), construct);
        None
    }

    fn expr_at(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<Value> {
        let program = self.emitter.program;
        let module = &program.module;
        match module.expr(id).kind {
            ExprKind::Error => self.unsupported(id, "an expression with errors"),
            ExprKind::Literal(value) => self.filled(b, id, value),
            ExprKind::Filled { value, .. } => match module.expr(value).kind {
                ExprKind::Literal(literal) => self.filled(b, id, literal),
                _ => None,
            },
            ExprKind::Meta(meta) => {
                let ty = self.concrete(id);
                let ir = self.emitter.ir_type(ty, self.span(id))?;
                let (_, dtype) = self.emitter.types.tensor_parts(ty)?;
                let array = module.metadata.constant(meta.index)?;
                let value = constant::tensor(self.emitter.ctx, ir, dtype, array);
                Some(relay::Constant::build(b, value).result(b.body()))
            }
            ExprKind::Local(_) => match program.target(id) {
                Target::Var(binder) => self.variable(b, id, binder),
                _ => None,
            },
            ExprKind::Graph(_) => match program.target(id) {
                Target::Graph(value) => self.graph(b, value),
                _ => None,
            },
            ExprKind::Fn(_) => self.lambda(b, id),
            ExprKind::Global(_) | ExprKind::Name(_) => match program.target(id) {
                Target::Def(def) => self.global_value(b, id, def),
                Target::Op(op) => self.wrapper(b, id, op.name, |ty| Function::Operator(id, ty)),
                Target::Ctor(ctor) => self.constructor_value(b, id, ctor),
                _ => None,
            },
            ExprKind::Call { callee, args, .. } => self.call(b, id, callee, args),
            ExprKind::Binary(_, left, right) => self.operator(b, id, id, &[left, right]),
            ExprKind::Unary(_, operand) => self.operator(b, id, id, &[operand]),
            ExprKind::Tuple(parts) => {
                let parts = self.exprs(b, module.list(parts))?;
                self.ty(id)?;
                Some(relay::MakeTuple::build(b, &parts).result(b.body()))
            }
            ExprKind::Project(tuple, index) => {
                let tuple = self.expr(b, tuple)?;
                Some(self.get(b, tuple, index))
            }
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.expr(b, condition);
                let (Some(condition), Some(ty)) = (condition, self.ty(id)) else {
                    return self.look_for_errors(b, &[then, otherwise]);
                };
                relay::If::with(b, condition, ty, |b, which| {
                    self.region(b, if which { then } else { otherwise }, ty)
                })
            }
            ExprKind::Block(block) => self.block(b, block),
            ExprKind::Match(node) => self.match_expr(b, id, node),
            ExprKind::Ref(value) => self.new_reference(b, id, value),
            ExprKind::RefRead(reference) => self.read_reference(b, id, reference),
            ExprKind::RefWrite(reference, value) => self.write_reference(b, reference, value),
        }
    }

    fn variable(&mut self, b: &mut Builder<'_>, id: ExprId, binder: BinderId) -> Option<Value> {
        if let Some(&value) = self.values.get(&binder) {
            return Some(value);
        }
        if self.emitter.names.contains_key(&binder) {
            let (named, inner) = self.named(id);
            let outer = std::mem::replace(&mut self.subst, inner);
            let value = self.expr(b, named);
            self.subst = outer;
            return value;
        }
        if self.emitter.locals.contains_key(&binder) {
            return self.local_value(b, id, binder);
        }
        // The value of a variable is missing after an error in it.
        if self.emitter.errors.has_errors() {
            return None;
        }
        self.unsupported(id, "a variable that has no value here")
    }

    /// A constructor as a value: a function, or the only value of a constructor without fields.
    fn constructor_value(&mut self, b: &mut Builder<'_>, id: ExprId, ctor: CtorId) -> Option<Value> {
        let ty = self.concrete(id);
        if let Type::Data(..) = self.emitter.types.get(ty) {
            return self.make(b, id, ctor, &[]);
        }
        let (name, _) = self.emitter.ctor_name(ctor);
        self.wrapper(b, id, &name, |ty| Function::Ctor(ctor, ty))
    }

    fn new_reference(&mut self, b: &mut Builder<'_>, id: ExprId, value: ExprId) -> Option<Value> {
        let given = self.expr(b, value)?;
        let ty = self.ty(id)?;
        let contents = self.contents(ty)?.first().copied()?;
        let given = self.fit(b, self.span(value), given, contents)?;
        Some(data::RefNew::build(b, &[given], ty).result(b.body()))
    }

    fn read_reference(&mut self, b: &mut Builder<'_>, id: ExprId, reference: ExprId) -> Option<Value> {
        let reference = self.expr(b, reference)?;
        let contents = self.contents(b.ty(reference))?;
        let read = data::RefRead::build(b, reference, &contents);
        let value = b.body().op(read.op()).result(0);
        let wanted = self.ty(id)?;
        self.fit(b, self.span(id), value, wanted)
    }

    fn write_reference(&mut self, b: &mut Builder<'_>, reference: ExprId, value: ExprId) -> Option<Value> {
        let reference = self.expr(b, reference);
        let given = self.expr(b, value)?;
        let reference = reference?;
        let contents = self.contents(b.ty(reference))?.first().copied()?;
        let given = self.fit(b, self.span(value), given, contents)?;
        data::RefWrite::build(b, reference, &[given]);
        Some(relay::MakeTuple::build(b, &[]).result(b.body()))
    }

    /// The types of the contents of a reference.
    fn contents(&self, reference: IrType) -> Option<Vec<IrType>> {
        let ctx = self.emitter.ctx;
        Some(data::Ref::cast(ctx, reference)?.contents(ctx))
    }

    /// The name that a use stands for if variables are bound to it, and the instantiation of the type parameters
    /// there.
    fn named(&mut self, mut at: ExprId) -> (ExprId, FxHashMap<TyVarId, TypeId>) {
        let program = self.emitter.program;
        let mut subst = self.subst.clone();
        while let Target::Var(binder) = program.target(at)
            && let Some(&named) = self.emitter.names.get(&binder)
        {
            let vars = program.scheme(program.binder_ty(binder)).map_or(&[][..], |scheme| &scheme.vars);
            for (&var, &given) in vars.iter().zip(program.instance(at)) {
                let given = self.emitter.concrete(given, &subst);
                subst.insert(var, given);
            }
            at = named;
        }
        (at, subst)
    }

    /// Whether the value of a variable is a name that is emitted at the uses of the variable.
    fn is_name(&self, binder: BinderId, value: ExprId) -> bool {
        let program = self.emitter.program;
        match program.target(value) {
            Target::Op(_) => matches!(program.module.expr(value).kind, ExprKind::Name(_)),
            Target::Ctor(_) | Target::Def(_) | Target::Var(_) => {
                program.scheme(program.binder_ty(binder)).is_some()
            }
            Target::None | Target::Graph(_) => false,
        }
    }

    fn filled(&mut self, b: &mut Builder<'_>, id: ExprId, value: Literal) -> Option<Value> {
        let ty = self.concrete(id);
        let ir = self.emitter.ir_type(ty, self.span(id))?;
        let (dims, dtype) = self.emitter.types.tensor_parts(ty)?;
        if dims.contains(&None) {
            return self.unsupported(id, "a constant of unknown extent");
        }
        let value = constant::splat(self.emitter.ctx, ir, dtype, value)?;
        Some(relay::Constant::build(b, value).result(b.body()))
    }

    /// Emits a branch of a conditional.
    pub(super) fn region(&mut self, b: &mut Builder<'_>, id: ExprId, ty: IrType) -> Option<Value> {
        let mark = self.graph_order.len();
        let value = self.expr(b, id);
        for graph in self.graph_order.drain(mark..) {
            self.graphs.remove(&graph);
        }
        value.and_then(|value| self.fit(b, self.span(id), value, ty))
    }

    /// The value of a graph variable, emitted at its binding or, if that was in another region, here.
    pub(super) fn graph(&mut self, b: &mut Builder<'_>, value: ExprId) -> Option<Value> {
        if let Some(&known) = self.graphs.get(&value) {
            return Some(known);
        }
        let computed = self.expr(b, value)?;
        self.graphs.insert(value, computed);
        self.graph_order.push(value);
        Some(computed)
    }

    /// Emits unused expressions in order to report their errors.
    pub(super) fn look_for_errors(&mut self, b: &mut Builder<'_>, exprs: &[ExprId]) -> Option<Value> {
        for &id in exprs {
            self.expr(b, id);
        }
        None
    }

    /// Emits all expressions; `None` if any of them has an error.
    pub(super) fn exprs(&mut self, b: &mut Builder<'_>, ids: &[ExprId]) -> Option<Vec<Value>> {
        let values: Vec<Option<Value>> = ids.iter().map(|&id| self.expr(b, id)).collect();
        values.into_iter().collect()
    }

    /// A component of a tuple; forwards the operand if the tuple has just been created.
    pub(super) fn get(&mut self, b: &mut Builder<'_>, tuple: Value, index: u32) -> Value {
        let made = b.body().defining_op(tuple).and_then(|op| relay::MakeTuple::cast(b.body(), op));
        let part = made.and_then(|made| b.body().op(made.op()).operands().nth(index as usize));
        if let Some(part) = part {
            return part;
        }
        relay::Get::build(b, tuple, i64::from(index)).result(b.body())
    }

    fn block(&mut self, b: &mut Builder<'_>, id: BlockId) -> Option<Value> {
        let program = self.emitter.program;
        let module = &program.module;
        let block = *module.block(id);
        for binding in module.bindings(block.bindings) {
            match *binding {
                Binding::Free(_) => {}
                Binding::Let(binder, value) => match module.expr(value).kind {
                    // Functions are emitted for their uses.
                    ExprKind::Fn(function) => _ = self.emitter.locals.insert(binder, function),
                    _ if self.is_name(binder, value) => _ = self.emitter.names.insert(binder, value),
                    _ => {
                        let found = self.expr(b, value);
                        if let Some(found) = found.and_then(|found| self.bound(b, binder, value, found)) {
                            self.values.insert(binder, found);
                        }
                    }
                },
                Binding::Graph { value, .. } => {
                    if !matches!(module.expr(value).kind, ExprKind::Fn(_)) {
                        self.graph(b, value);
                    }
                }
            }
        }
        self.expr(b, block.body)
    }

    /// The value of a variable, with the extents that only the type of the variable knows.
    fn bound(&mut self, b: &mut Builder<'_>, binder: BinderId, id: ExprId, value: Value) -> Option<Value> {
        let ty = self.emitter.program.binder_ty(binder);
        let ty = self.emitter.concrete(ty, &self.subst);
        let ty = self.emitter.with_extents_of(b.ty(value), ty);
        self.fit(b, self.span(id), value, ty)
    }

    fn call(&mut self, b: &mut Builder<'_>, id: ExprId, callee: ExprId, args: Run<ExprId>) -> Option<Value> {
        let program = self.emitter.program;
        let args = program.module.list(args);
        let (named, inner) = match program.target(callee) {
            Target::Var(binder) if self.emitter.names.contains_key(&binder) => {
                let (named, inner) = self.named(callee);
                (named, Some(inner))
            }
            _ => (callee, None),
        };
        match program.target(named) {
            Target::Op(_) => self.operator(b, id, named, args),
            Target::Ctor(ctor) => self.make(b, id, ctor, args),
            Target::Def(def) => {
                let entry = program.def(def);
                let instance = self.instance_with(inner, Function::Global(def), entry.ty, named, &[]);
                let types = instance.types.clone();
                // The functions of the arguments come first: printed text names each call in order of evaluation.
                let given = self.exprs(b, args);
                let symbol = self.emitter.symbol(instance, &entry.name, self.span(id));
                let function = (entry.function, &types[..]);
                self.function_call(b, id, &symbol, Vec::new(), (args, given?), function)
            }
            Target::Var(binder) => match self.emitter.locals.get(&binder) {
                Some(&function) => {
                    let own = Function::Local(binder);
                    let (ty, outer) = (program.binder_ty(binder), self.outer());
                    let instance = self.instance_with(inner, own, ty, named, &outer);
                    let name = program.module.text(program.module.binder(binder).name.name);
                    let types = instance.types.clone();
                    let given = self.exprs(b, args);
                    let symbol = self.emitter.symbol(instance, name, self.span(id));
                    let captured = self.captured(b, callee, own)?;
                    self.function_call(b, id, &symbol, captured, (args, given?), (function, &types))
                }
                None => self.apply(b, id, callee, args),
            },
            Target::Graph(_) | Target::None => self.apply(b, id, callee, args),
        }
    }

    /// Like [`Self::instance`], with the instantiation `inner` of type parameters if there is one.
    fn instance_with(
        &mut self,
        inner: Option<FxHashMap<TyVarId, TypeId>>,
        function: Function,
        ty: TypeId,
        at: ExprId,
        outer: &[(TyVarId, TypeId)],
    ) -> Instance {
        let own = inner.map(|inner| std::mem::replace(&mut self.subst, inner));
        let instance = self.instance(function, ty, at, outer);
        if let Some(own) = own {
            self.subst = own;
        }
        instance
    }

    /// The instance of a function for the type arguments at `at`; `outer` are those of the enclosing functions.
    pub(super) fn instance(
        &mut self,
        function: Function,
        ty: TypeId,
        at: ExprId,
        outer: &[(TyVarId, TypeId)],
    ) -> Instance {
        let program = self.emitter.program;
        let vars = program.scheme(ty).map_or(&[][..], |scheme| &scheme.vars);
        let mut types = outer.to_vec();
        for (&var, &given) in vars.iter().zip(program.instance(at)) {
            let given = self.emitter.concrete(given, &self.subst);
            types.retain(|(known, _)| *known != var);
            types.push((var, given));
        }
        types.sort_unstable();
        Instance { function, types: types.into() }
    }

    fn function_call(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        symbol: &str,
        mut values: Vec<Value>,
        (args, given): (&[ExprId], Vec<Value>),
        (function, types): (FnId, &[(TyVarId, TypeId)]),
    ) -> Option<Value> {
        let program = self.emitter.program;
        let subst = types.iter().copied().collect();
        for ((&arg, value), &param) in args.iter().zip(given).zip(&program.module.function(function).params) {
            let ty = self.emitter.concrete(program.binder_ty(param), &subst);
            let ty = self.emitter.ir_type(ty, self.span(arg))?;
            values.push(self.fit(b, self.span(arg), value, ty)?);
        }
        let result = self.ty(id)?;
        let callee = self.emitter.ctx.name(symbol);
        Some(relay::Call::build(b, &values, callee, result).result(b.body()))
    }

    /// Emits a call of the operator that `named` names.
    fn operator(&mut self, b: &mut Builder<'_>, id: ExprId, named: ExprId, args: &[ExprId]) -> Option<Value> {
        let program = self.emitter.program;
        let Target::Op(op) = program.target(named) else { return None };
        let op: &'static Operator = op;
        let args = self.exprs(b, args)?;
        let result = self.ty(id)?;
        let none = Attrs::new();
        let attrs = program.attrs(id).or_else(|| program.attrs(named)).unwrap_or(&none);
        Some(self.emitter.call_operator(b, op, &args, attrs, result))
    }

    /// Emits the body of a function that calls a constructor or an operator with its parameters.
    pub(super) fn wrapped(
        &mut self,
        b: &mut Builder<'_>,
        function: Function,
        args: &[Value],
        result: IrType,
    ) -> Option<Value> {
        match function {
            Function::Ctor(ctor, ty) => {
                let Type::Fn(_, whole) = *self.emitter.types.get(ty) else { return None };
                let at = self.emitter.described(function).1;
                let mut values = Vec::with_capacity(args.len());
                for (&value, field) in args.iter().zip(self.emitter.fields_of(ctor, whole)) {
                    let field = self.emitter.ir_type(field, at)?;
                    values.push(self.fit(b, at, value, field)?);
                }
                Some(self.emitter.make(b, ctor, &values, result))
            }
            Function::Adapter { at, .. } => self.adapter(b, at, args, result),
            Function::Operator(named, _) => {
                let program = self.emitter.program;
                let Target::Op(op) = program.target(named) else { return None };
                let none = Attrs::new();
                let attrs = program.attrs(named).unwrap_or(&none);
                Some(self.emitter.call_operator(b, op, args, attrs, result))
            }
            _ => None,
        }
    }
}

//! Emission of functions as values, and of values of data types.

use super::expr::Scope;
use super::local::Capture;
use super::{Function, Instance};
use crate::ast::{BinderId, CtorId, ExprId, ExprKind, FnId};
use crate::types::{TyVarId, Type, TypeId};
use minoan_data as data;
use minoan_ir::{Builder, Type as IrType, Value};
use minoan_relay_dialect as relay;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::Operator;

impl Scope<'_, '_> {
    /// The type arguments of the enclosing functions.
    pub(super) fn outer(&self) -> Vec<(TyVarId, TypeId)> {
        self.subst.iter().map(|(&var, &ty)| (var, ty)).collect()
    }

    /// The values that a local function captures.
    pub(super) fn captured(
        &mut self,
        b: &mut Builder<'_>,
        at: ExprId,
        function: Function,
    ) -> Option<Vec<Value>> {
        let mut captured = Vec::new();
        for &capture in self.emitter.captures_of(function).iter() {
            let value = match capture {
                Capture::Var(binder) => self.values.get(&binder).copied(),
                Capture::Graph(value) => self.graph(b, value),
            };
            match value {
                Some(value) => {
                    let (ty, span) = self.emitter.capture_type(capture);
                    let ty = self.emitter.concrete(ty, &self.subst);
                    let ty = self.emitter.ir_type(ty, span)?;
                    captured.push(self.fit(b, self.span(at), value, ty)?);
                }
                None => {
                    return self.unsupported(at, "a function that captures a value without a type").and(None);
                }
            }
        }
        Some(captured)
    }

    /// A function as a value, given the values of its first parameters.
    fn closure(
        &mut self,
        b: &mut Builder<'_>,
        at: ExprId,
        instance: Instance,
        name: &str,
        captured: &[Value],
    ) -> Option<Value> {
        let wanted = self.ty(at)?;
        let symbol = self.emitter.symbol(instance.clone(), name, self.span(at));
        let signature = self.emitter.signature(&instance)?;
        let ctx = self.emitter.ctx;
        let rest = signature.inputs.get(captured.len()..)?;
        let ty = data::ClosureType::get(ctx, IrType::function(ctx, rest, &[signature.result]));
        let value = data::Closure::build(b, captured, ctx.name(&symbol), None, ty.into()).result(b.body());
        self.fit(b, self.span(at), value, wanted)
    }

    /// A global function as a value.
    pub(super) fn global_value(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        def: crate::typed::DefId,
    ) -> Option<Value> {
        let entry = self.emitter.program.def(def);
        let instance = self.instance(Function::Global(def), entry.ty, id, &[]);
        self.closure(b, id, instance, &entry.name, &[])
    }

    /// A local function, bound by `let`, as a value.
    pub(super) fn local_value(&mut self, b: &mut Builder<'_>, id: ExprId, binder: BinderId) -> Option<Value> {
        let program = self.emitter.program;
        let (function, outer) = (Function::Local(binder), self.outer());
        let instance = self.instance(function, program.binder_ty(binder), id, &outer);
        let name = program.module.text(program.module.binder(binder).name.name);
        let captured = self.captured(b, id, function)?;
        self.closure(b, id, instance, name, &captured)
    }

    /// A function expression as a value.
    pub(super) fn lambda(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<Value> {
        let program = self.emitter.program;
        let (function, outer) = (Function::Lambda(id), self.outer());
        let instance = self.instance(function, program.fn_ty(id), id, &outer);
        let captured = self.captured(b, id, function)?;
        self.closure(b, id, instance, "fn", &captured)
    }

    /// A constructor or an operator as a value: a function that calls it.
    pub(super) fn wrapper(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        name: &str,
        of: impl FnOnce(TypeId) -> Function,
    ) -> Option<Value> {
        let ty = self.concrete(id);
        let instance = Instance { function: of(ty), types: Box::default() };
        self.closure(b, id, instance, name, &[])
    }

    /// Calls a function that is a value.
    pub(super) fn apply(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        callee: ExprId,
        args: &[ExprId],
    ) -> Option<Value> {
        let ctx = self.emitter.ctx;
        let callee = self.expr(b, callee);
        let args_given = self.exprs(b, args)?;
        let callee = callee?;
        let signature = data::ClosureType::cast(ctx, b.ty(callee)).map(|closure| closure.signature(ctx));
        let (inputs, results) = signature.and_then(|ty| ty.as_function(ctx))?;
        let mut values = Vec::new();
        for ((&arg, value), &ty) in args.iter().zip(args_given).zip(inputs) {
            values.push(self.fit(b, self.span(arg), value, ty)?);
        }
        let apply = data::Apply::build(b, callee, &values, results);
        let value = b.body().op(minoan_ir::OpDef::op(apply)).result(0);
        let wanted = self.ty(id)?;
        self.fit(b, self.span(id), value, wanted)
    }

    /// Creates a value of a data type.
    pub(super) fn make(
        &mut self,
        b: &mut Builder<'_>,
        id: ExprId,
        ctor: CtorId,
        args: &[ExprId],
    ) -> Option<Value> {
        let given = self.exprs(b, args)?;
        let ty = self.concrete(id);
        let fields = self.emitter.fields_of(ctor, ty);
        let mut values = Vec::new();
        for ((&arg, value), field) in args.iter().zip(given).zip(fields) {
            let field = self.emitter.ir_type(field, self.span(arg))?;
            values.push(self.fit(b, self.span(arg), value, field)?);
        }
        let result = self.ty(id)?;
        Some(self.emitter.make(b, ctor, &values, result))
    }
}

/// The types of an instance of a function: those of its captures and parameters, and of its result.
pub(super) struct Signature {
    pub(super) inputs: Vec<IrType>,
    pub(super) result: IrType,
}

impl super::Emitter<'_> {
    /// The types of a constructor's fields in the representation of a value of type `ty`.
    pub(super) fn fields_of(&mut self, ctor: CtorId, ty: TypeId) -> Vec<TypeId> {
        let program = self.program;
        let Some((fields, _)) = program.function_type(program.ctor_ty(ctor)) else { return Vec::new() };
        let ty = self.representations.of(ty);
        let Type::Data(data, args) = self.types.get(ty).clone() else { return fields.to_vec() };
        let subst = program.data_vars(data).iter().copied().zip(args.iter().copied()).collect();
        fields.iter().map(|&field| self.concrete(field, &subst)).collect()
    }

    /// The name of a constructor, and its position among those of its type.
    pub(super) fn ctor_name(&self, ctor: CtorId) -> (String, i64) {
        let module = &self.program.module;
        let node = module.ctor(ctor);
        let tag = module.ctors_of(node.data).position(|other| other == ctor).unwrap_or_default();
        (module.text(node.name.name).to_owned(), tag as i64)
    }

    /// Creates a value of a data type.
    pub(super) fn make(&self, b: &mut Builder<'_>, ctor: CtorId, fields: &[Value], ty: IrType) -> Value {
        let (name, tag) = self.ctor_name(ctor);
        data::Make::build(b, fields, name, tag, ty).result(b.body())
    }

    /// Calls an operator. One whose result is its argument has no call for values other than tensors.
    pub(super) fn call_operator(
        &self,
        b: &mut Builder<'_>,
        op: &'static Operator,
        args: &[Value],
        attrs: &Attrs,
        result: IrType,
    ) -> Value {
        match args {
            &[arg] if op.facts.identity && !self.has_only_tensors(b.ty(arg)) => arg,
            _ => relay::call(b, op, args, attrs, result),
        }
    }

    fn has_only_tensors(&self, ty: IrType) -> bool {
        match ty.as_tuple(self.ctx) {
            Some(parts) => parts.iter().all(|&part| self.has_only_tensors(part)),
            None => ty.shape(self.ctx).is_some(),
        }
    }

    /// The function expression of a local function.
    pub(super) fn fn_of(&self, function: Function) -> Option<FnId> {
        match function {
            Function::Global(def) => Some(self.program.def(def).function),
            Function::Local(binder) => self.locals.get(&binder).copied(),
            Function::Lambda(expr) => match self.program.module.expr(expr).kind {
                ExprKind::Fn(function) => Some(function),
                _ => None,
            },
            Function::Ctor(..) | Function::Operator(..) | Function::Adapter { .. } => None,
        }
    }
}

//! Emission of expressions.

use super::Emitter;
use super::linear::Map;
use crate::ast::ExprId;
use crate::typed::{Lambda, LetBinding, LetPattern, TypedKind, VarId};
use crate::types::Type as Source;
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::{Attr, Builder, OpDef, Type, Value};
use minoan_knossos_dialect as ks;
use rustc_hash::FxHashMap;

/// The state of the function being emitted. A value of `None` means that an error has been reported.
pub(super) struct Scope<'e, 'a> {
    pub emitter: &'e mut Emitter<'a>,
    /// The emitted values of variables. Each variable has one binding in the program, so scopes need no undo.
    pub values: FxHashMap<VarId, Value>,
    /// The forms of the variables with linear maps, whose values are the residuals.
    pub maps: FxHashMap<VarId, Map>,
}

impl<'e, 'a> Scope<'e, 'a> {
    pub fn new(emitter: &'e mut Emitter<'a>, values: FxHashMap<VarId, Value>) -> Self {
        Self { emitter, values, maps: FxHashMap::default() }
    }

    pub fn expr(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<Value> {
        let outside = b.set_loc(self.emitter.loc(self.span(id)));
        let value = with_stack(|| self.expr_at(b, id));
        b.set_loc(outside);
        value
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.emitter.program.expr(id).span
    }

    /// The IR type of an expression.
    pub fn ty(&mut self, id: ExprId) -> Option<Type> {
        let (ty, span) = (self.emitter.program.ty(id), self.span(id));
        self.emitter.ty(ty, span)
    }

    fn expr_at(&mut self, b: &mut Builder<'_>, id: ExprId) -> Option<Value> {
        let ctx = self.emitter.ctx;
        let program = self.emitter.program;
        if self.is_linear(id) {
            self.emitter.unsupported(program.expr(id).span, "a linear map as a value");
            return None;
        }
        match &program.expr(id).kind {
            TypedKind::Error => {
                self.emitter.unsupported(program.expr(id).span, "an expression with errors");
                None
            }
            &TypedKind::Integer(value) => Some(self.number(b, Attr::i64(ctx, value))),
            &TypedKind::Float(value) => Some(self.number(b, Attr::float(ctx, value, self.emitter.float))),
            &TypedKind::Bool(value) => Some(self.number(b, Attr::bool(value))),
            TypedKind::String(text) => Some(ks::Str::build(b, &**text).result(b.body())),
            TypedKind::Var(var) => self.values.get(var).copied(),
            TypedKind::Call { callee, args } => self.call(b, id, *callee, args),
            TypedKind::Let { bindings, body } => {
                for binding in bindings {
                    self.bind(b, binding);
                }
                self.expr(b, *body)
            }
            &TypedKind::If { condition, then, otherwise } => {
                let condition = self.expr(b, condition);
                let Some(condition) = condition else {
                    return self.look_for_errors(b, &[then, otherwise]);
                };
                let ty = self.ty(id)?;
                ks::If::with(b, condition, ty, |b, which| self.expr(b, if which { then } else { otherwise }))
            }
            &TypedKind::Assert { condition, body } => {
                if let Some(condition) = self.expr(b, condition) {
                    ks::Assert::build(b, condition);
                }
                self.expr(b, body)
            }
            TypedKind::Tuple(parts) => {
                let parts = self.exprs(b, parts)?;
                self.ty(id)?;
                Some(self.tuple(b, &parts))
            }
            TypedKind::Lambda(_) => {
                self.emitter.unsupported(program.expr(id).span, "a function value");
                None
            }
            TypedKind::Dummy => {
                let ty = self.ty(id)?;
                Some(ks::Dummy::build(b, ty).result(b.body()))
            }
        }
    }

    fn number(&mut self, b: &mut Builder<'_>, value: Attr) -> Value {
        ks::Constant::build(b, value).result(b.body())
    }

    /// Emits unused expressions in order to report their errors.
    pub fn look_for_errors(&mut self, b: &mut Builder<'_>, exprs: &[ExprId]) -> Option<Value> {
        for &id in exprs {
            self.expr(b, id);
        }
        None
    }

    /// Emits all expressions; `None` if any of them has an error.
    pub fn exprs(&mut self, b: &mut Builder<'_>, ids: &[ExprId]) -> Option<Vec<Value>> {
        let values: Vec<Option<Value>> = ids.iter().map(|&id| self.expr(b, id)).collect();
        values.into_iter().collect()
    }

    pub fn bind(&mut self, b: &mut Builder<'_>, binding: &LetBinding) {
        let program = self.emitter.program;
        if let LetPattern::Var(var) = binding.pattern
            && (program.var(var).lambda.is_some()
                || matches!(program.types.get(program.var(var).ty), Source::Lam(..)))
        {
            return; // Inlined at its uses.
        }
        let Some((map, value)) = self.linear(b, binding.value) else { return };
        match &binding.pattern {
            LetPattern::Var(var) => {
                self.values.insert(*var, value);
                self.maps.insert(*var, map);
            }
            LetPattern::Unpack(vars) => {
                for (index, &var) in vars.iter().enumerate() {
                    let part = self.get(b, value, index);
                    self.values.insert(var, part);
                    if let Map::Tuple(maps) = &map {
                        self.maps.insert(var, maps[index].clone());
                    }
                }
            }
        }
    }

    pub fn tuple(&mut self, b: &mut Builder<'_>, parts: &[Value]) -> Value {
        ks::MakeTuple::build(b, parts).result(b.body())
    }

    /// A component of a tuple; forwards the operand if the tuple has just been created.
    pub fn get(&mut self, b: &mut Builder<'_>, tuple: Value, index: usize) -> Value {
        let made = b.body().defining_op(tuple).and_then(|op| ks::MakeTuple::cast(b.body(), op));
        if let Some(&part) = made.and_then(|made| b.body().op(made.op()).operands().nth(index)).as_ref() {
            return part;
        }
        ks::Get::build(b, tuple, index as i64).result(b.body())
    }

    /// The components of a tuple.
    pub fn parts(&mut self, b: &mut Builder<'_>, tuple: Value) -> Vec<Value> {
        let count = b.ty(tuple).as_tuple(self.emitter.ctx).map_or(0, <[Type]>::len);
        (0..count).map(|index| self.get(b, tuple, index)).collect()
    }

    /// Matches an argument given as `values` to `count` parameters: a single parameter is the argument itself,
    /// several are its components.
    pub fn spread(&mut self, b: &mut Builder<'_>, values: &[Value], count: usize) -> Vec<Value> {
        match (values, count) {
            (&[_], 1) => values.to_vec(),
            (_, 1) => vec![self.tuple(b, values)],
            (&[tuple], _) => self.parts(b, tuple),
            _ => values.to_vec(),
        }
    }

    /// The lambda that an argument denotes.
    pub fn lambda(&mut self, id: ExprId) -> Option<&'a Lambda> {
        let program = self.emitter.program;
        let mut at = id;
        loop {
            match &program.expr(at).kind {
                TypedKind::Lambda(lambda) => return Some(lambda),
                TypedKind::Var(var) if program.var(*var).lambda.is_some_and(|inner| inner != at) => {
                    at = program.var(*var).lambda?;
                }
                _ => {
                    self.emitter.unsupported(program.expr(id).span, "a function value that is computed");
                    return None;
                }
            }
        }
    }

    /// Emits the body of a lambda for an argument given as `values`.
    pub fn apply(&mut self, b: &mut Builder<'_>, lambda: &'a Lambda, values: &[Value]) -> Option<Value> {
        let values = self.spread(b, values, lambda.params.len());
        self.values.extend(lambda.params.iter().copied().zip(values));
        self.expr(b, lambda.body)
    }
}

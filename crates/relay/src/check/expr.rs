//! Type inference of expressions.

use super::Checker;
use crate::ast::{BinderId, Binding, BlockId, ExprId, ExprKind, Ident, Literal, Suffix};
use crate::metadata::CONSTANT;
use crate::typed::Target;
use crate::types::{Constraint, Number, Type, TypeId, Types};
use minoan_diag::{Diagnostic, nearest};
use minoan_frontend::with_stack;
use minoan_relay_dialect::DType;

impl Checker<'_> {
    /// Infers the type of an expression.
    pub(super) fn infer(&mut self, id: ExprId) -> TypeId {
        let ty = with_stack(|| self.infer_kind(id));
        self.out.expr_types[id.index()] = ty;
        ty
    }

    fn infer_kind(&mut self, id: ExprId) -> TypeId {
        match self.module.expr(id).kind {
            ExprKind::Error => Types::ERROR,
            ExprKind::Literal(literal) => self.literal(id, literal),
            ExprKind::Filled { value, ty } => {
                let ty = self.written(ty);
                let scalar = self.infer(value);
                if let (&Type::Tensor(_, base), &Type::Tensor(_, own)) =
                    (self.out.types.get(ty), self.out.types.get(scalar))
                {
                    self.expect(value, base, own, "the value of the constant", None);
                }
                ty
            }
            ExprKind::Meta(meta) => self.constant(id, meta),
            ExprKind::Local(name) => self.local(id, name),
            ExprKind::Graph(index) => self.graph(id, index),
            ExprKind::Global(name) => self.global_use(id, Ident { name, span: self.span(id) }, None),
            ExprKind::Name(name) => self.word_value(id, name, None),
            ExprKind::Call { callee, args, extra } => self.call(id, callee, args, extra),
            ExprKind::Binary(op, left, right) => {
                let args = [self.infer(left), self.infer(right)];
                self.operator_call(id, op.info().1, args.into())
            }
            ExprKind::Unary(op, operand) => {
                let args = [self.infer(operand)];
                self.operator_call(id, op.info().1, args.into())
            }
            ExprKind::Tuple(parts) => {
                let module = self.module;
                let parts: Box<[TypeId]> = module.list(parts).iter().map(|&part| self.infer(part)).collect();
                self.types().intern(Type::Tuple(parts))
            }
            ExprKind::Project(tuple, index) => self.project(id, tuple, index),
            ExprKind::Fn(function) => self.fn_literal(id, function),
            ExprKind::If { condition, then, otherwise } => self.conditional(condition, then, otherwise),
            ExprKind::Match(node) => self.match_expr(id, node),
            ExprKind::Block(block) => self.block(block),
            ExprKind::Ref(value) => {
                let inner = self.infer(value);
                self.types().intern(Type::Ref(inner))
            }
            ExprKind::RefRead(of) => self.cell(of),
            ExprKind::RefWrite(to, value) => {
                let inner = self.cell(to);
                let found = self.infer(value);
                let origin = Some((self.span(to), "what the reference holds"));
                self.expect(value, inner, found, "the value that is written", origin);
                Types::UNIT
            }
        }
    }

    fn literal(&mut self, id: ExprId, literal: Literal) -> TypeId {
        let dtype = match literal {
            Literal::Bool(_) => return Types::BOOL,
            Literal::Int(_, Some(Suffix::Int(bits))) => DType::Int(bits),
            Literal::Int(_, Some(Suffix::Float(bits))) | Literal::Float(_, Some(Suffix::Float(bits))) => {
                DType::Float(bits)
            }
            Literal::Float(_, Some(Suffix::Int(bits))) => DType::Int(bits),
            Literal::Int(value, None) => {
                let number = if i32::try_from(value).is_ok() { Number::Int } else { Number::Long };
                return self.number(id, number);
            }
            Literal::Float(_, None) => return self.number(id, Number::Float),
        };
        self.types().scalar(dtype)
    }

    fn number(&mut self, id: ExprId, number: Number) -> TypeId {
        let base = self.new_hole(crate::ast::Kind::BaseType, Some(number));
        if let Type::Hole(hole) = *self.out.types.get(base) {
            self.literals.push(hole);
        }
        self.literal_exprs.push(id);
        self.types().intern(Type::Tensor(Types::SCALAR, base))
    }

    /// The type of a tensor of the metadata section.
    fn constant(&mut self, id: ExprId, meta: crate::ast::MetaRef) -> TypeId {
        let module = self.module;
        let key = module.text(meta.key);
        let found = module.metadata.constant(meta.index).filter(|_| key == CONSTANT);
        let Some(array) = found else {
            let count = module.metadata.count(key);
            let error =
                Diagnostic::error(format!("there is no 'meta[{key}][{}]'", meta.index)).at(self.span(id));
            self.reporter.report(if key != CONSTANT {
                error.note(format!("an expression can be a 'meta[{CONSTANT}][..]'"))
            } else if module.metadata.is_empty() {
                error.note("the file has no metadata section")
            } else {
                error.note(format!("the metadata section has {count} of that kind"))
            });
            return Types::ERROR;
        };
        let name = array.element.text();
        let base = match name.as_deref().and_then(DType::parse) {
            Some(dtype) => Type::Base(dtype),
            None => Type::OtherBase(name.unwrap_or_else(|| "handle".to_owned()).into()),
        };
        let base = self.types().intern(base);
        let dims: Box<[TypeId]> =
            array.shape.iter().map(|&extent| self.types().intern(Type::Dim(extent))).collect();
        let shape = self.types().intern(Type::Shape(dims));
        self.types().intern(Type::Tensor(shape, base))
    }

    fn local(&mut self, id: ExprId, name: crate::Symbol) -> TypeId {
        let Some(binder) = self.scope[name.0 as usize] else {
            let text = self.module.text(name);
            let in_scope = self.hidden.iter().map(|&(name, _)| self.module.text(name));
            let near = nearest(text, in_scope).map(|near| format!("%{near}"));
            let error = Diagnostic::error(format!("undefined variable '%{text}'")).at(self.span(id));
            self.reporter.report(error.did_you_mean(near.as_deref()));
            return Types::ERROR;
        };
        self.out.targets[id.index()] = Target::Var(binder);
        self.use_binder(id, binder, None)
    }

    /// The type of a use of a variable.
    pub(super) fn use_binder(&mut self, id: ExprId, binder: BinderId, given: Option<&[TypeId]>) -> TypeId {
        let ty = self.out.binder_types[binder.index()];
        if self.open_lets.contains(&binder) {
            self.recursive.push((id, super::Recursive::Local(binder)));
        }
        self.use_of(id, ty, given)
    }

    pub(super) fn global_use(&mut self, id: ExprId, name: Ident, given: Option<&[TypeId]>) -> TypeId {
        let Some(def) = self.global(name) else { return Types::ERROR };
        self.out.targets[id.index()] = Target::Def(def);
        if self.progress[def.index()] == super::globals::Progress::Open {
            self.recursive.push((id, super::Recursive::Global(def)));
        }
        let ty = self.out.def(def).ty;
        self.use_of(id, ty, given)
    }

    fn graph(&mut self, id: ExprId, index: u32) -> TypeId {
        match self.graphs.iter().rev().find_map(|graphs| graphs.find(index)) {
            Some(value) => {
                self.out.targets[id.index()] = Target::Graph(value);
                self.out.expr_types[value.index()]
            }
            None => {
                self.error(self.span(id), format!("undefined graph variable '%{index}'"));
                Types::ERROR
            }
        }
    }

    fn project(&mut self, id: ExprId, tuple: ExprId, index: u32) -> TypeId {
        let ty = self.infer(tuple);
        let args = Box::new([ty]);
        self.constrain(Constraint {
            op: None,
            attrs: None,
            index,
            args,
            result: Types::ERROR,
            expr: id,
            from: id,
        })
    }

    fn conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> TypeId {
        let found = self.infer(condition);
        let last = self.last_of(condition);
        self.expect(last, Types::BOOL, found, "the condition", None);
        let first = self.infer(then);
        let second = self.infer(otherwise);
        let origin = Some((self.span(self.last_of(then)), "the value when the condition holds"));
        self.expect(self.last_of(otherwise), first, second, "the branches differ", origin)
    }

    /// The type of the contents of a reference.
    fn cell(&mut self, of: ExprId) -> TypeId {
        let found = self.infer(of);
        let root = self.find(found);
        if let Type::Ref(inner) = *self.out.types.get(root) {
            return inner;
        }
        let inner = self.fresh();
        let wanted = self.types().intern(Type::Ref(inner));
        self.expect(of, wanted, found, "", None);
        inner
    }

    fn block(&mut self, id: BlockId) -> TypeId {
        let module = self.module;
        let block = *module.block(id);
        let mark = self.mark();
        let graphs = self.graphs.last().map_or(0, |graphs| graphs.mark());
        for binding in module.bindings(block.bindings) {
            match *binding {
                Binding::Let(binder, value) => self.let_binding(binder, value),
                Binding::Free(binder) => {
                    // The type of a parameter of the enclosing function is already known.
                    let known = self.out.binder_types[binder.index()];
                    let ty =
                        if known == Types::ERROR { self.annotation(module.binder(binder).ty) } else { known };
                    self.bind_name(binder, ty);
                }
                Binding::Graph { index, span, value } => {
                    self.infer(value);
                    let clash = self.graphs.last_mut().and_then(|graphs| graphs.bind(index, span, value));
                    if let Some(first) = clash {
                        self.duplicate(format!("the graph variable '%{index}' is bound twice"), span, first);
                    }
                }
            }
        }
        let ty = self.infer(block.body);
        if let Some(open) = self.graphs.last_mut() {
            open.leave(graphs);
        }
        self.leave(mark);
        ty
    }

    fn let_binding(&mut self, binder: BinderId, value: ExprId) {
        let module = self.module;
        let ty = match module.expr(value).kind {
            ExprKind::Fn(function) => {
                let ty = self.let_function(binder, function, value);
                self.out.expr_types[value.index()] = ty;
                ty
            }
            kind => {
                // A name of something polymorphic is generalized like a function.
                let since = self.since();
                let named = self.may_be_polymorphic(kind) && module.binder(binder).ty.is_none();
                self.level += u32::from(named);
                let found = self.infer(value);
                self.level -= u32::from(named);
                match module.binder(binder).ty {
                    None if named => {
                        let (vars, constraints) = self.generalize(&[found], &[], since);
                        self.poly(vars, 0, constraints, found)
                    }
                    None => found,
                    Some(ty) => {
                        let written = self.written(ty);
                        let origin = Some((module.type_expr(ty).span, "the type of the variable"));
                        self.expect(self.last_of(value), written, found, "", origin);
                        written
                    }
                }
            }
        };
        self.bind_name(binder, ty);
    }

    /// Whether an expression is a name that may stand for a polymorphic value.
    fn may_be_polymorphic(&self, kind: ExprKind) -> bool {
        match kind {
            ExprKind::Name(_) | ExprKind::Global(_) => true,
            ExprKind::Local(name) => self.scope[name.0 as usize].is_some_and(|binder| {
                matches!(self.out.types.get(self.out.binder_types[binder.index()]), Type::Poly(_))
            }),
            _ => false,
        }
    }
}

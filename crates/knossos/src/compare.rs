//! Structural equality of programs.

use crate::ast::{
    Derivation, ExprId, ExprKind, FnNameKind, ItemKind, NameId, Param, Pattern, Program, TypeExprId, TypeKind,
};
use minoan_frontend::Symbol;

impl Program {
    /// Whether two programs are equal up to locations, ids and broken names.
    pub fn same_structure(&self, other: &Program) -> bool {
        let mut compare = Compare { left: self, right: other, pending: Vec::new() };
        self.items.len() == other.items.len()
            && self
                .items
                .iter()
                .zip(&other.items)
                .all(|(a, b)| compare.item(&a.kind, &b.kind) && compare.run())
    }
}

/// Two programs, and the worklist of node pairs to compare.
struct Compare<'a> {
    left: &'a Program,
    right: &'a Program,
    pending: Vec<Pair>,
}

enum Pair {
    Expr(ExprId, ExprId),
    Type(TypeExprId, TypeExprId),
    Name(NameId, NameId),
}

impl Compare<'_> {
    fn run(&mut self) -> bool {
        while let Some(pair) = self.pending.pop() {
            let same = match pair {
                Pair::Expr(a, b) => self.expr(a, b),
                Pair::Type(a, b) => self.ty(a, b),
                Pair::Name(a, b) => self.name(a, b),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn item(&mut self, a: &ItemKind, b: &ItemKind) -> bool {
        match (a, b) {
            (
                ItemKind::Def { name, result, params, body },
                ItemKind::Def { name: name2, result: result2, params: params2, body: body2 },
            ) => {
                self.pending.push(Pair::Name(*name, *name2));
                self.pending.push(Pair::Type(*result, *result2));
                self.pending.push(Pair::Expr(*body, *body2));
                self.params(params, params2)
            }
            (
                ItemKind::Edef { name, result, arg },
                ItemKind::Edef { name: name2, result: result2, arg: arg2 },
            ) => {
                self.pending.push(Pair::Name(*name, *name2));
                self.pending.push(Pair::Type(*result, *result2));
                self.pending.push(Pair::Type(*arg, *arg2));
                true
            }
            (ItemKind::Gdef { name }, ItemKind::Gdef { name: name2 }) => {
                self.pending.push(Pair::Name(*name, *name2));
                true
            }
            (
                ItemKind::Rule { name, params, from, to },
                ItemKind::Rule { name: name2, params: params2, from: from2, to: to2 },
            ) => {
                self.pending.push(Pair::Expr(*from, *from2));
                self.pending.push(Pair::Expr(*to, *to2));
                name == name2 && self.params(params, params2)
            }
            _ => false,
        }
    }

    fn symbol(&self, a: Symbol, b: Symbol) -> bool {
        self.left.names.text(a) == self.right.names.text(b)
    }

    fn params(&mut self, a: &[Param], b: &[Param]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                self.pending.push(Pair::Type(a.ty, b.ty));
                self.symbol(a.name.name, b.name.name)
            })
    }

    fn exprs(&mut self, a: &[ExprId], b: &[ExprId]) -> bool {
        self.pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Expr(a, b)));
        a.len() == b.len()
    }

    fn expr(&mut self, a: ExprId, b: ExprId) -> bool {
        match (&self.left.expr(a).kind, &self.right.expr(b).kind) {
            (ExprKind::Float(a), ExprKind::Float(b)) => a.to_bits() == b.to_bits(),
            (ExprKind::Var(a), ExprKind::Var(b)) => self.symbol(*a, *b),
            (ExprKind::Call { name, args }, ExprKind::Call { name: name2, args: args2 }) => {
                self.pending.push(Pair::Name(*name, *name2));
                self.exprs(args, args2)
            }
            (ExprKind::Tuple(a), ExprKind::Tuple(b)) => self.exprs(a, b),
            (ExprKind::Let { bindings, body }, ExprKind::Let { bindings: bindings2, body: body2 }) => {
                self.pending.push(Pair::Expr(*body, *body2));
                bindings.len() == bindings2.len()
                    && bindings.iter().zip(bindings2).all(|(a, b)| {
                        self.pending.push(Pair::Expr(a.value, b.value));
                        self.pattern(&a.pattern, &b.pattern)
                    })
            }
            (
                ExprKind::If { condition, then, otherwise },
                ExprKind::If { condition: condition2, then: then2, otherwise: otherwise2 },
            ) => self.exprs(&[*condition, *then, *otherwise], &[*condition2, *then2, *otherwise2]),
            (
                ExprKind::Assert { condition, body },
                ExprKind::Assert { condition: condition2, body: body2 },
            ) => self.exprs(&[*condition, *body], &[*condition2, *body2]),
            (ExprKind::Lam { params, body }, ExprKind::Lam { params: params2, body: body2 }) => {
                self.pending.push(Pair::Expr(*body, *body2));
                self.params(params, params2)
            }
            (ExprKind::Dummy(a), ExprKind::Dummy(b)) => {
                self.pending.push(Pair::Type(*a, *b));
                true
            }
            (a, b) => a == b,
        }
    }

    fn pattern(&self, a: &Pattern, b: &Pattern) -> bool {
        match (a, b) {
            (Pattern::Var(a), Pattern::Var(b)) => self.symbol(a.name, b.name),
            (Pattern::Unpack { names: a, .. }, Pattern::Unpack { names: b, .. }) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.symbol(a.name, b.name))
            }
            _ => false,
        }
    }

    fn types(&mut self, a: &[TypeExprId], b: &[TypeExprId]) -> bool {
        self.pending.extend(a.iter().zip(b).map(|(&a, &b)| Pair::Type(a, b)));
        a.len() == b.len()
    }

    fn ty(&mut self, a: TypeExprId, b: TypeExprId) -> bool {
        match (&self.left.type_expr(a).kind, &self.right.type_expr(b).kind) {
            (TypeKind::Vec(a), TypeKind::Vec(b)) => self.types(&[*a], &[*b]),
            (TypeKind::Tensor(m, a), TypeKind::Tensor(n, b)) => m == n && self.types(&[*a], &[*b]),
            (TypeKind::Tuple(a), TypeKind::Tuple(b)) => self.types(a, b),
            (TypeKind::Lam(a, c), TypeKind::Lam(b, d))
            | (TypeKind::LinearMap(a, c), TypeKind::LinearMap(b, d)) => self.types(&[*a, *c], &[*b, *d]),
            (a, b) => a == b,
        }
    }

    fn name(&mut self, a: NameId, b: NameId) -> bool {
        match (&self.left.fn_name(a).kind, &self.right.fn_name(b).kind) {
            (FnNameKind::Plain(a), FnNameKind::Plain(b)) => self.symbol(*a, *b),
            (FnNameKind::Typed(a, t), FnNameKind::Typed(b, u)) => {
                self.symbol(*a, *b) && self.types(&[*t], &[*u])
            }
            (FnNameKind::Derived(a, inner), FnNameKind::Derived(b, inner2)) => {
                self.pending.push(Pair::Name(*inner, *inner2));
                match (a, b) {
                    (Derivation::Other(a), Derivation::Other(b)) => self.symbol(*a, *b),
                    (a, b) => a == b,
                }
            }
            _ => false,
        }
    }
}

//! Structural equality of modules.

use crate::ast::{
    AttrId, AttrKind, Attrs, BinderId, Binding, DataId, DimExpr, ExprId, ExprKind, FnId, Ident, ItemKind,
    MetaRef, Module, PatternId, PatternKind, Run, ShapeExpr, TypeExprId, TypeKind, TypeParam,
};
use minoan_frontend::Symbol;

impl Module {
    /// Whether two modules are equal up to locations, ids, broken names and the prelude.
    pub fn same_structure(&self, other: &Module) -> bool {
        let mut compare = Compare { left: self, right: other, pending: Vec::new() };
        let (ours, theirs) = (self.own_items(), other.own_items());
        self.metadata == other.metadata
            && ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(a, b)| compare.item(a.kind, b.kind) && compare.run())
    }
}

/// Two modules, and the worklist of node pairs to compare.
struct Compare<'a> {
    left: &'a Module,
    right: &'a Module,
    pending: Vec<Pair>,
}

enum Pair {
    Expr(ExprId, ExprId),
    Type(TypeExprId, TypeExprId),
    Pattern(PatternId, PatternId),
    Attr(AttrId, AttrId),
}

impl Compare<'_> {
    fn run(&mut self) -> bool {
        while let Some(pair) = self.pending.pop() {
            let same = match pair {
                Pair::Expr(a, b) => self.expr(a, b),
                Pair::Type(a, b) => self.ty(a, b),
                Pair::Pattern(a, b) => self.pattern(a, b),
                Pair::Attr(a, b) => self.attr(a, b),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn name(&self, a: Symbol, b: Symbol) -> bool {
        self.left.text(a) == self.right.text(b)
    }

    fn ident(&self, a: Ident, b: Ident) -> bool {
        self.name(a.name, b.name)
    }

    fn meta(&self, a: MetaRef, b: MetaRef) -> bool {
        self.name(a.key, b.key) && a.index == b.index
    }

    fn later<T: Copy>(&mut self, a: &[T], b: &[T], pair: impl Fn(T, T) -> Pair) -> bool {
        self.pending.extend(a.iter().zip(b).map(|(&a, &b)| pair(a, b)));
        a.len() == b.len()
    }

    fn optional(&mut self, a: Option<TypeExprId>, b: Option<TypeExprId>) -> bool {
        self.later(a.as_slice(), b.as_slice(), Pair::Type)
    }

    fn lists(&mut self, a: Run<ExprId>, b: Run<ExprId>) -> bool {
        let (left, right) = (self.left, self.right);
        self.later(left.list(a), right.list(b), Pair::Expr)
    }

    fn all<T>(&mut self, a: &[T], b: &[T], mut same: impl FnMut(&mut Self, &T, &T) -> bool) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(self, a, b))
    }

    fn item(&mut self, a: ItemKind, b: ItemKind) -> bool {
        match (a, b) {
            (ItemKind::Def { name: m, function: f }, ItemKind::Def { name: n, function: g }) => {
                self.ident(m, n) && self.function(f, g)
            }
            (ItemKind::Data(a), ItemKind::Data(b)) => self.data(a, b),
            (ItemKind::Main { expr: a, .. }, ItemKind::Main { expr: b, .. }) => {
                self.later(&[a], &[b], Pair::Expr)
            }
            _ => false,
        }
    }

    fn data(&mut self, a: DataId, b: DataId) -> bool {
        let (left, right) = (self.left, self.right);
        let (m, n) = (left.data(a), right.data(b));
        let (a, b): (Vec<_>, Vec<_>) = (left.ctors_of(a).collect(), right.ctors_of(b).collect());
        self.ident(m.name, n.name)
            && m.external == n.external
            && self.type_params(&m.type_params, &n.type_params)
            && self.all(&a, &b, |compare, &a, &b| {
                let (a, b) = (left.ctor(a), right.ctor(b));
                compare.ident(a.name, b.name) && compare.later(&a.fields, &b.fields, Pair::Type)
            })
    }

    fn type_params(&mut self, a: &[TypeParam], b: &[TypeParam]) -> bool {
        self.all(a, b, |compare, a, b| compare.ident(a.name, b.name) && a.kind == b.kind)
    }

    fn function(&mut self, a: FnId, b: FnId) -> bool {
        let (a, b) = (self.left.function(a), self.right.function(b));
        self.type_params(&a.type_params, &b.type_params)
            && self.all(&a.params, &b.params, |compare, &a, &b| compare.binder(a, b))
            && self.attrs(&a.attrs, &b.attrs)
            && self.optional(a.result, b.result)
            && self.all(&a.relations, &b.relations, |compare, &a, &b| compare.ident(a, b))
            && self.later(&[a.body], &[b.body], Pair::Expr)
    }

    fn binder(&mut self, a: BinderId, b: BinderId) -> bool {
        let (a, b) = (self.left.binder(a), self.right.binder(b));
        self.ident(a.name, b.name) && self.optional(a.ty, b.ty) && self.attrs(&a.attrs, &b.attrs)
    }

    fn attrs(&mut self, a: &Attrs, b: &Attrs) -> bool {
        let meta = match (a.meta, b.meta) {
            (None, None) => true,
            (Some((a, _)), Some((b, _))) => self.meta(a, b),
            _ => false,
        };
        meta && self.all(&a.list, &b.list, |compare, a, b| {
            compare.ident(a.name, b.name) && compare.later(&[a.value], &[b.value], Pair::Attr)
        })
    }

    fn attr(&mut self, a: AttrId, b: AttrId) -> bool {
        match (&self.left.attr(a).kind, &self.right.attr(b).kind) {
            (AttrKind::Meta(a), AttrKind::Meta(b)) => self.meta(*a, *b),
            (AttrKind::List(a), AttrKind::List(b)) => self.later(a, b, Pair::Attr),
            (AttrKind::Expr(a), AttrKind::Expr(b)) => self.later(&[*a], &[*b], Pair::Expr),
            (AttrKind::List(_) | AttrKind::Expr(_) | AttrKind::Meta(_), _) => false,
            (a, b) => a == b,
        }
    }

    fn pattern(&mut self, a: PatternId, b: PatternId) -> bool {
        match (&self.left.pattern(a).kind, &self.right.pattern(b).kind) {
            (PatternKind::Wildcard, PatternKind::Wildcard) => true,
            (PatternKind::Var(a), PatternKind::Var(b)) => self.binder(*a, *b),
            (PatternKind::Ctor(m, a), PatternKind::Ctor(n, b)) => {
                self.ident(*m, *n) && self.later(a, b, Pair::Pattern)
            }
            (PatternKind::Tuple(a), PatternKind::Tuple(b)) => self.later(a, b, Pair::Pattern),
            _ => false,
        }
    }

    fn expr(&mut self, a: ExprId, b: ExprId) -> bool {
        let (left, right) = (self.left, self.right);
        match (left.expr(a).kind, right.expr(b).kind) {
            (ExprKind::Filled { value: a, ty: s }, ExprKind::Filled { value: b, ty: t }) => {
                self.later(&[a], &[b], Pair::Expr) && self.later(&[s], &[t], Pair::Type)
            }
            (ExprKind::Meta(a), ExprKind::Meta(b)) => self.meta(a, b),
            (ExprKind::Local(a), ExprKind::Local(b))
            | (ExprKind::Global(a), ExprKind::Global(b))
            | (ExprKind::Name(a), ExprKind::Name(b)) => self.name(a, b),
            (
                ExprKind::Call { callee: f, args: a, extra: m },
                ExprKind::Call { callee: g, args: b, extra: n },
            ) => {
                let extras = match (m, n) {
                    (None, None) => true,
                    (Some(m), Some(n)) => {
                        let (m, n) = (left.extra(m), right.extra(n));
                        self.later(&m.type_args, &n.type_args, Pair::Type) && self.attrs(&m.attrs, &n.attrs)
                    }
                    _ => false,
                };
                extras && self.later(&[f], &[g], Pair::Expr) && self.lists(a, b)
            }
            (ExprKind::Binary(o, a, c), ExprKind::Binary(p, b, d)) => {
                o == p && self.later(&[a, c], &[b, d], Pair::Expr)
            }
            (ExprKind::Unary(o, a), ExprKind::Unary(p, b)) => o == p && self.later(&[a], &[b], Pair::Expr),
            (ExprKind::Tuple(a), ExprKind::Tuple(b)) => self.lists(a, b),
            (ExprKind::Project(a, m), ExprKind::Project(b, n)) => {
                m == n && self.later(&[a], &[b], Pair::Expr)
            }
            (ExprKind::Fn(a), ExprKind::Fn(b)) => self.function(a, b),
            (
                ExprKind::If { condition: a, then: c, otherwise: e },
                ExprKind::If { condition: b, then: d, otherwise: f },
            ) => self.later(&[a, c, e], &[b, d, f], Pair::Expr),
            (ExprKind::Match(a), ExprKind::Match(b)) => {
                let (a, b) = (left.match_node(a), right.match_node(b));
                self.later(&[a.value], &[b.value], Pair::Expr)
                    && a.partial == b.partial
                    && self.all(&a.clauses, &b.clauses, |compare, a, b| {
                        compare.later(&[a.pattern], &[b.pattern], Pair::Pattern)
                            && compare.later(&[a.body], &[b.body], Pair::Expr)
                    })
            }
            (ExprKind::Block(a), ExprKind::Block(b)) => {
                let (a, b) = (*left.block(a), *right.block(b));
                self.later(&[a.body], &[b.body], Pair::Expr)
                    && self.all(left.bindings(a.bindings), right.bindings(b.bindings), Self::binding)
            }
            (ExprKind::Ref(a), ExprKind::Ref(b)) | (ExprKind::RefRead(a), ExprKind::RefRead(b)) => {
                self.later(&[a], &[b], Pair::Expr)
            }
            (ExprKind::RefWrite(a, c), ExprKind::RefWrite(b, d)) => self.later(&[a, c], &[b, d], Pair::Expr),
            (
                a @ (ExprKind::Error | ExprKind::Literal(_) | ExprKind::Graph(_)),
                b @ (ExprKind::Error | ExprKind::Literal(_) | ExprKind::Graph(_)),
            ) => a == b,
            _ => false,
        }
    }

    fn binding(&mut self, a: &Binding, b: &Binding) -> bool {
        match (*a, *b) {
            (Binding::Let(x, a), Binding::Let(y, b)) => {
                self.binder(x, y) && self.later(&[a], &[b], Pair::Expr)
            }
            (Binding::Graph { index: m, value: a, .. }, Binding::Graph { index: n, value: b, .. }) => {
                m == n && self.later(&[a], &[b], Pair::Expr)
            }
            (Binding::Free(a), Binding::Free(b)) => self.binder(a, b),
            _ => false,
        }
    }

    fn ty(&mut self, a: TypeExprId, b: TypeExprId) -> bool {
        match (&self.left.type_expr(a).kind, &self.right.type_expr(b).kind) {
            (TypeKind::Hole, TypeKind::Hole) => true,
            (TypeKind::Tuple(a), TypeKind::Tuple(b)) => self.later(a, b, Pair::Type),
            (
                TypeKind::Fn { type_params: m, params: a, result: r },
                TypeKind::Fn { type_params: n, params: b, result: s },
            ) => {
                self.type_params(m, n) && self.later(a, b, Pair::Type) && self.later(&[*r], &[*s], Pair::Type)
            }
            (TypeKind::Tensor { shape: a, dtype: c }, TypeKind::Tensor { shape: b, dtype: d }) => {
                self.shape(a, b)
                    && self.all(c.as_slice(), d.as_slice(), |compare, a, b| compare.ident(*a, *b))
            }
            (TypeKind::Name(m, a), TypeKind::Name(n, b)) => self.name(*m, *n) && self.later(a, b, Pair::Type),
            (TypeKind::Ref(a), TypeKind::Ref(b)) => self.later(&[*a], &[*b], Pair::Type),
            _ => false,
        }
    }

    fn shape(&mut self, a: &ShapeExpr, b: &ShapeExpr) -> bool {
        match (a, b) {
            (ShapeExpr::Hole, ShapeExpr::Hole) => true,
            (ShapeExpr::Name(a), ShapeExpr::Name(b)) => self.ident(*a, *b),
            (ShapeExpr::Dims(a), ShapeExpr::Dims(b)) => self.all(a, b, |compare, a, b| match (*a, *b) {
                (DimExpr::Name(a), DimExpr::Name(b)) => compare.ident(a, b),
                (DimExpr::Meta(a), DimExpr::Meta(b)) => compare.meta(a, b),
                (a, b) => a == b,
            }),
            _ => false,
        }
    }
}

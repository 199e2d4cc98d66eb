//! Printing of types.

use super::Printer;
use crate::ast::{DimExpr, Ident, Kind, ShapeExpr, TypeExprId, TypeKind, TypeParam};
use minoan_frontend::with_stack;
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn annotation(&mut self, ty: Option<TypeExprId>) {
        if let Some(ty) = ty {
            self.out.push_str(": ");
            self.ty(ty);
        }
    }

    pub(super) fn type_params(&mut self, params: &[TypeParam]) {
        if params.is_empty() {
            return;
        }
        self.out.push('[');
        self.separated(params, |printer, param| {
            printer.name("", param.name.name);
            if param.kind != Kind::Type {
                let _ = write!(printer.out, ": {}", param.kind.text());
            }
        });
        self.out.push(']');
    }

    pub(super) fn ty(&mut self, id: TypeExprId) {
        with_stack(|| self.ty_here(id));
    }

    fn ty_here(&mut self, id: TypeExprId) {
        let module = self.module;
        match &module.type_expr(id).kind {
            TypeKind::Hole => self.out.push('_'),
            TypeKind::Tuple(parts) => {
                self.out.push('(');
                self.separated(parts, Self::ty);
                self.out.push_str(if parts.len() == 1 { ",)" } else { ")" });
            }
            TypeKind::Fn { type_params, params, result } => {
                self.out.push_str("fn ");
                self.type_params(type_params);
                self.out.push('(');
                self.separated(params, Self::ty);
                self.out.push_str(") -> ");
                self.ty(*result);
            }
            TypeKind::Tensor { .. } => {
                self.out.push_str("Tensor[");
                self.tensor_parts(id);
                self.out.push(']');
            }
            TypeKind::Name(name, args) => {
                self.name("", *name);
                if !args.is_empty() {
                    self.out.push('[');
                    self.separated(args, Self::ty);
                    self.out.push(']');
                }
            }
            TypeKind::Ref(inner) => {
                self.out.push_str("ref(");
                self.ty(*inner);
                self.out.push(')');
            }
        }
    }

    /// Prints `(2, 3), float32` of a tensor type.
    pub(super) fn tensor_parts(&mut self, id: TypeExprId) {
        let module = self.module;
        let TypeKind::Tensor { shape, dtype } = &module.type_expr(id).kind else { return self.ty(id) };
        match shape {
            ShapeExpr::Hole => self.out.push('_'),
            ShapeExpr::Name(Ident { name, .. }) => self.name("", *name),
            ShapeExpr::Dims(dims) => {
                self.out.push('(');
                self.separated(dims, Self::dim);
                self.out.push(')');
            }
        }
        self.out.push_str(", ");
        match dtype {
            Some(dtype) => self.name("", dtype.name),
            None => self.out.push('_'),
        }
    }

    fn dim(&mut self, dim: DimExpr) {
        match dim {
            DimExpr::Known(extent) => {
                let _ = write!(self.out, "{extent}");
            }
            DimExpr::Any => self.out.push('?'),
            DimExpr::Hole => self.out.push('_'),
            DimExpr::Name(name) => self.name("", name.name),
            DimExpr::Meta(meta) => self.meta(meta),
        }
    }
}

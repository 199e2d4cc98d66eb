//! Resolution of type annotations.

use super::Checker;
use crate::ast::{DataId, DimExpr, Ident, Kind, MetaRef, ShapeExpr, TypeExprId, TypeKind, TypeParam};
use crate::types::{Scheme, TyVarId, Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span, nearest};
use minoan_frontend::Symbol;
use minoan_frontend::with_stack;
use minoan_relay_dialect::DType;

impl Checker<'_> {
    /// The type of an annotation, or a fresh hole if there is none.
    pub(super) fn annotation(&mut self, ty: Option<TypeExprId>) -> TypeId {
        match ty {
            Some(ty) => self.written(ty),
            None => self.fresh(),
        }
    }

    /// Resolves a type expression.
    pub(super) fn written(&mut self, id: TypeExprId) -> TypeId {
        let node = self.module.type_expr(id);
        let ty = match &node.kind {
            TypeKind::Hole => return self.fresh(),
            TypeKind::Tuple(parts) => Type::Tuple(self.written_all(parts)),
            TypeKind::Ref(inner) => Type::Ref(with_stack(|| self.written(*inner))),
            TypeKind::Tensor { shape, dtype } => {
                let shape = self.shape(shape);
                let base = match dtype {
                    Some(dtype) => self.base(*dtype),
                    None => self.new_hole(Kind::BaseType, None),
                };
                if shape == Types::ERROR || base == Types::ERROR {
                    return Types::ERROR;
                }
                Type::Tensor(shape, base)
            }
            TypeKind::Fn { type_params, params, result } => {
                let mark = self.type_scope.len();
                let vars = self.declare(type_params);
                let params = self.written_all(params);
                let result = with_stack(|| self.written(*result));
                self.type_scope.truncate(mark);
                let ty = self.types().intern(Type::Fn(params, result));
                if vars.is_empty() {
                    return ty;
                }
                let declared = vars.len();
                let scheme = Scheme { vars: vars.into(), declared, constraints: Box::default(), ty };
                Type::Poly(self.types().add_scheme(scheme))
            }
            TypeKind::Name(name, args) => return self.named_type(*name, args, node.span),
        };
        self.types().intern(ty)
    }

    fn written_all(&mut self, ids: &[TypeExprId]) -> Box<[TypeId]> {
        ids.iter().map(|&id| with_stack(|| self.written(id))).collect()
    }

    /// Adds type parameters to the scope.
    pub(super) fn declare(&mut self, params: &[TypeParam]) -> Vec<TyVarId> {
        let mut vars: Vec<TyVarId> = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            if let Some(first) = params[..index].iter().find(|it| it.name.name == param.name.name) {
                let text = self.module.text(param.name.name);
                let error = Diagnostic::error(format!("the type parameter '{text}' occurs twice"));
                self.reporter.report(error.at(param.name.span).label(first.name.span, "first here"));
            }
            let var = self.out.types.add_var(self.module.text(param.name.name), param.kind, None);
            self.type_scope.push((param.name.name, var));
            vars.push(var);
        }
        vars
    }

    fn type_var(&self, name: Symbol) -> Option<TyVarId> {
        self.type_scope.iter().rev().find(|(it, _)| *it == name).map(|&(_, var)| var)
    }

    /// The type parameter of this name and kind: a declared one or, where functions may omit the declaration, a new
    /// one.
    fn parameter(&mut self, name: Ident, kind: Kind) -> Option<TypeId> {
        if let Some(var) = self.type_var(name.name) {
            let found = self.out.types.var(var).kind;
            if found != kind {
                let text = self.module.text(name.name);
                let message = format!(
                    "expected a type parameter of kind '{}', but '{text}' is of kind '{}'",
                    kind.text(),
                    found.text()
                );
                self.error(name.span, message);
                return Some(Types::ERROR);
            }
            return Some(self.types().intern(Type::Var(var)));
        }
        let text = self.module.text(name.name);
        let known = nearest(text, self.type_names());
        if self.implicit.is_none() || known.is_some() || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        let var = self.out.types.add_var(text, kind, None);
        self.type_scope.push((name.name, var));
        self.implicit.get_or_insert_default().push(var);
        Some(self.types().intern(Type::Var(var)))
    }

    fn type_names(&self) -> Vec<&str> {
        const COMMON: [&str; 10] =
            ["float32", "float16", "float64", "int8", "int32", "int64", "uint8", "bool", "Tensor", "int16"];
        let datas = self.data_of.keys().map(|&name| self.module.text(name));
        let params = self.type_scope.iter().map(|&(name, _)| self.module.text(name));
        COMMON.into_iter().chain(datas).chain(params).collect()
    }

    fn named_type(&mut self, name: Symbol, args: &[TypeExprId], span: Span) -> TypeId {
        if self.type_var(name).is_none() {
            if let Some(&data) = self.data_of.get(&name) {
                return self.data_type(data, args, span);
            }
            if let Some(base) = self.base_name(name) {
                self.no_args(name, args, span);
                return self.types().intern(Type::Tensor(Types::SCALAR, base));
            }
        }
        if let Some(ty) = self.parameter(Ident { name, span }, Kind::Type) {
            self.no_args(name, args, span);
            return ty;
        }
        args.iter().for_each(|&arg| {
            self.written(arg);
        });
        self.unknown_type(name, span)
    }

    fn unknown_type(&mut self, name: Symbol, span: Span) -> TypeId {
        let text = self.module.text(name);
        let near = nearest(text, self.type_names()).map(str::to_owned);
        let error = Diagnostic::error(format!("unknown type '{text}'")).at(span);
        self.reporter.report(error.did_you_mean(near.as_deref()));
        Types::ERROR
    }

    fn no_args(&mut self, name: Symbol, args: &[TypeExprId], span: Span) {
        if !args.is_empty() {
            let text = self.module.text(name);
            self.error(span, format!("the type '{text}' takes no arguments"));
        }
    }

    fn data_type(&mut self, data: DataId, args: &[TypeExprId], span: Span) -> TypeId {
        let args = self.written_all(args);
        let node = self.module.data(data);
        let wanted = node.type_params.len();
        if args.len() != wanted {
            let text = self.module.text(node.name.name);
            let plural = if wanted == 1 { "" } else { "s" };
            let message =
                format!("the type '{text}' takes {wanted} argument{plural}, but is given {}", args.len());
            let error = Diagnostic::error(message).at(span).label(node.name.span, "declared here");
            self.reporter.report(error);
            return Types::ERROR;
        }
        self.types().intern(Type::Data(data, args))
    }

    /// The element type with this name.
    fn base_name(&mut self, name: Symbol) -> Option<TypeId> {
        if let Some(&known) = self.bases.get(&name) {
            return Some(known);
        }
        let text = self.module.text(name);
        let scalar = ["int", "uint", "float", "bool", "bfloat"].iter().any(|it| text.starts_with(it));
        let (element, lanes) = text.split_once('x').unwrap_or((text, "1"));
        let dtype = DType::parse(element).filter(|&dtype| scalar && dtype != DType::Void)?;
        let base = match lanes.parse::<u16>() {
            Ok(1) => Type::Base(dtype),
            Ok(_) => Type::OtherBase(text.into()),
            Err(_) => return None,
        };
        let base = self.types().intern(base);
        self.bases.insert(name, base);
        Some(base)
    }

    fn base(&mut self, name: Ident) -> TypeId {
        if self.type_var(name.name).is_none()
            && let Some(base) = self.base_name(name.name)
        {
            return base;
        }
        if let Some(var) = self.parameter(name, Kind::BaseType) {
            return var;
        }
        let text = self.module.text(name.name);
        let near = nearest(text, self.type_names()).map(str::to_owned);
        let error = Diagnostic::error(format!("unknown element type '{text}'")).at(name.span);
        self.reporter.report(error.did_you_mean(near.as_deref()));
        Types::ERROR
    }

    fn shape(&mut self, shape: &ShapeExpr) -> TypeId {
        match shape {
            ShapeExpr::Hole => self.new_hole(Kind::Shape, None),
            ShapeExpr::Name(name) => match self.parameter(*name, Kind::Shape) {
                Some(var) => var,
                None => self.unknown_type(name.name, name.span),
            },
            ShapeExpr::Dims(dims) => {
                let dims: Box<[TypeId]> = dims.iter().map(|&dim| self.dim(dim)).collect();
                if dims.contains(&Types::ERROR) {
                    return Types::ERROR;
                }
                self.types().intern(Type::Shape(dims))
            }
        }
    }

    fn dim(&mut self, dim: DimExpr) -> TypeId {
        match dim {
            DimExpr::Known(extent) => self.types().intern(Type::Dim(extent)),
            DimExpr::Any => Types::ANY_DIM,
            DimExpr::Hole => self.new_hole(Kind::Dim, None),
            DimExpr::Meta(meta) => self.meta_dim(meta),
            DimExpr::Name(name) => match self.parameter(name, Kind::Dim) {
                Some(var) => var,
                None => self.unknown_type(name.name, name.span),
            },
        }
    }

    /// A dimension of the metadata section: a symbol; an expression of symbols is treated as unknown.
    fn meta_dim(&mut self, meta: MetaRef) -> TypeId {
        let key = self.module.text(meta.key);
        let Some(node) = self.module.metadata.get(key, meta.index) else { return Types::ANY_DIM };
        if let Some(value) = node.attrs.get("value").and_then(|value| value.parse().ok()) {
            return self.types().intern(Type::Dim(value));
        }
        if self.implicit.is_none() || !matches!(key, "tir.Var" | "tir.SizeVar") {
            return Types::ANY_DIM;
        }
        // A symbol has the same meaning in all annotations of a function.
        let name = match self.symbolic.get(&meta.index) {
            Some(&var) if self.implicit.as_ref().is_some_and(|vars| vars.contains(&var)) => Some(var),
            _ => None,
        };
        let var = name.unwrap_or_else(|| {
            let text = node.attrs.get("name").and_then(|at| at.parse().ok());
            let text = text.and_then(|at| self.module.metadata.node(at)).and_then(|node| node.repr.clone());
            let text = text.unwrap_or_else(|| format!("n{}", meta.index));
            let var = self.out.types.add_var(&text, Kind::Dim, None);
            self.implicit.get_or_insert_default().push(var);
            self.symbolic.insert(meta.index, var);
            var
        });
        self.types().intern(Type::Var(var))
    }
}

//! What the checker makes of a module: every type, call and variable resolved.
//!
//! [`TypedProgram`] holds the module; its tables are indexed by the ids of the module.

use crate::ast::{BinderId, CtorId, DataId, ExprId, FnId, Module, PatternId};
use crate::types::{Scheme, TyVarId, Type, TypeId, Types};
use minoan_diag::Span;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::Operator;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A global function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId(pub u32);

impl DefId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A global function.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// Its name, without the `@`.
    pub name: Box<str>,
    /// What it is.
    pub function: FnId,
    /// Its type: a function type, or a polymorphic one.
    pub ty: TypeId,
    /// Where its name is written.
    pub span: Span,
    /// Whether it is of the prelude.
    pub prelude: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Default, Debug)]
pub enum Target {
    /// The expression is no name, or an unknown one.
    #[default]
    None,
    /// A variable.
    Var(BinderId),
    /// A graph variable: that expression, which is evaluated once.
    Graph(ExprId),
    /// A global function.
    Def(DefId),
    /// A constructor.
    Ctor(CtorId),
    /// An operator.
    Op(&'static Operator),
}

/// A program whose names and types are resolved.
#[derive(Clone, Debug)]
pub struct TypedProgram {
    /// What was checked.
    pub module: Arc<Module>,
    /// Its types.
    pub types: Types,
    /// The global functions, those of the prelude first.
    pub defs: Vec<Def>,
    pub(crate) def_of: FxHashMap<Box<str>, DefId>,
    pub(crate) expr_types: Vec<TypeId>,
    pub(crate) binder_types: Vec<TypeId>,
    pub(crate) targets: Vec<Target>,
    pub(crate) instances: FxHashMap<ExprId, Box<[TypeId]>>,
    /// For calls of operators that have attributes, where they are in `op_attrs`.
    pub(crate) attrs_of: FxHashMap<ExprId, u32>,
    pub(crate) op_attrs: Vec<Attrs>,
    pub(crate) ctor_types: Vec<TypeId>,
    pub(crate) data_vars: Vec<Box<[TyVarId]>>,
    pub(crate) pattern_ctors: FxHashMap<PatternId, CtorId>,
}

/// The type of a global function, taken apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The type parameters.
    pub vars: Box<[TyVarId]>,
    /// Name, without the `%`, and type of each parameter.
    pub params: Vec<(Box<str>, TypeId)>,
    /// The type of the result.
    pub result: TypeId,
}

impl TypedProgram {
    /// The type of an expression.
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.expr_types[id.index()]
    }

    /// The type of a variable.
    pub fn binder_ty(&self, id: BinderId) -> TypeId {
        self.binder_types[id.index()]
    }

    /// What a name stands for. For an expression with a symbol, such as `a + b`, the operator.
    pub fn target(&self, id: ExprId) -> Target {
        self.targets[id.index()]
    }

    /// The types that the parameters of a polymorphic function stand for where it is named.
    pub fn instance(&self, id: ExprId) -> &[TypeId] {
        self.instances.get(&id).map_or(&[], |types| types)
    }

    /// All attributes of a call of an operator, or of an operator that is named without a call.
    pub fn attrs(&self, id: ExprId) -> Option<&Attrs> {
        self.op_attrs.get(*self.attrs_of.get(&id)? as usize)
    }

    /// A global function.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.index()]
    }

    /// The type of a constructor: a function type, or a polymorphic one.
    pub fn ctor_ty(&self, id: CtorId) -> TypeId {
        self.ctor_types[id.index()]
    }

    /// The constructor that a pattern names.
    pub fn pattern_ctor(&self, id: PatternId) -> Option<CtorId> {
        self.pattern_ctors.get(&id).copied()
    }

    /// The type parameters of a data type.
    pub fn data_vars(&self, id: DataId) -> &[TyVarId] {
        &self.data_vars[id.index()]
    }

    /// The scheme of a polymorphic type.
    pub fn scheme(&self, ty: TypeId) -> Option<&Scheme> {
        match self.types.get(ty) {
            Type::Poly(scheme) => Some(self.types.scheme(*scheme)),
            _ => None,
        }
    }

    /// Parameters and result of a function type, or of a polymorphic one.
    pub fn function_type(&self, ty: TypeId) -> Option<(&[TypeId], TypeId)> {
        let ty = self.scheme(ty).map_or(ty, |scheme| scheme.ty);
        match self.types.get(ty) {
            Type::Fn(params, result) => Some((params, *result)),
            _ => None,
        }
    }
}

//! The typed program: a module with resolved types, calls and variables.
//!
//! A [`TypedProgram`] holds the module; its tables are indexed by the module's ids.

use crate::ast::{BinderId, CtorId, DataId, ExprId, FnId, Module, PatternId};
use crate::types::{Scheme, TyVarId, Type, TypeId, Types};
use minoan_diag::Span;
use minoan_relay_dialect::attrs::Attrs;
use minoan_relay_dialect::operators::Operator;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The id of a global function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefId(pub u32);

impl DefId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A global function.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// The name, without the `@`.
    pub name: Box<str>,
    /// The function.
    pub function: FnId,
    /// The type: a function type or a polymorphic type.
    pub ty: TypeId,
    /// The location of the name.
    pub span: Span,
    /// Whether it belongs to the prelude.
    pub prelude: bool,
}

/// The target of a name.
#[derive(Clone, Copy, Default, Debug)]
pub enum Target {
    /// The expression is not a name, or an unknown one.
    #[default]
    None,
    /// A variable.
    Var(BinderId),
    /// A graph variable: the bound expression, which is evaluated once.
    Graph(ExprId),
    /// A global function.
    Def(DefId),
    /// A constructor.
    Ctor(CtorId),
    /// An operator.
    Op(&'static Operator),
}

/// A program with resolved names and types.
#[derive(Clone, Debug)]
pub struct TypedProgram {
    /// The checked module.
    pub module: Arc<Module>,
    /// The interned types.
    pub types: Types,
    /// The global functions, those of the prelude first.
    pub defs: Vec<Def>,
    pub(crate) def_of: FxHashMap<Box<str>, DefId>,
    pub(crate) expr_types: Vec<TypeId>,
    pub(crate) binder_types: Vec<TypeId>,
    pub(crate) targets: Vec<Target>,
    pub(crate) instances: FxHashMap<ExprId, Box<[TypeId]>>,
    /// The polymorphic types of function expressions that are not bound by `let`; they have one instance each.
    pub(crate) fn_types: FxHashMap<ExprId, TypeId>,
    /// The index in `op_attrs` of operator calls with attributes.
    pub(crate) attrs_of: FxHashMap<ExprId, u32>,
    pub(crate) op_attrs: Vec<Attrs>,
    pub(crate) ctor_types: Vec<TypeId>,
    pub(crate) data_vars: Vec<Box<[TyVarId]>>,
    pub(crate) pattern_ctors: FxHashMap<PatternId, CtorId>,
}

/// The signature of a global function.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// The type parameters.
    pub vars: Box<[TyVarId]>,
    /// The name, without the `%`, and the type of each parameter.
    pub params: Vec<(Box<str>, TypeId)>,
    /// The result type.
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

    /// The target of a name or, for an expression such as `a + b`, its operator.
    pub fn target(&self, id: ExprId) -> Target {
        self.targets[id.index()]
    }

    /// The type arguments at a use of a polymorphic function.
    pub fn instance(&self, id: ExprId) -> &[TypeId] {
        self.instances.get(&id).map_or(&[], |types| types)
    }

    /// The type of a function expression, which is polymorphic if it has type parameters.
    pub(crate) fn fn_ty(&self, id: ExprId) -> TypeId {
        self.fn_types.get(&id).copied().unwrap_or_else(|| self.ty(id))
    }

    /// The complete attributes of an operator call, or of an operator used as a value.
    pub fn attrs(&self, id: ExprId) -> Option<&Attrs> {
        self.op_attrs.get(*self.attrs_of.get(&id)? as usize)
    }

    /// The global function with this id.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.index()]
    }

    /// The type of a constructor: a function type or a polymorphic type.
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

    /// The parameter and result types of a function type or polymorphic type.
    pub fn function_type(&self, ty: TypeId) -> Option<(&[TypeId], TypeId)> {
        let ty = self.scheme(ty).map_or(ty, |scheme| scheme.ty);
        match self.types.get(ty) {
            Type::Fn(params, result) => Some((params, *result)),
            _ => None,
        }
    }

    /// The names and locations of the polymorphic functions of the file; modules contain only their instances.
    pub fn polymorphic(&self) -> impl Iterator<Item = (&str, Span)> {
        let defs = self.defs.iter().filter(|def| !def.prelude && self.scheme(def.ty).is_some());
        defs.map(|def| (&*def.name, def.span))
    }

    /// The constructors of an instance of a data type, in order, with the types of their fields; `None` for another type
    /// and an opaque one. `types` is the program's table, which may have more types by now.
    pub fn constructors(&self, types: &mut Types, ty: TypeId) -> Option<Vec<(String, Vec<TypeId>)>> {
        let Type::Data(data, args) = types.get(ty).clone() else { return None };
        if self.module.data(data).external {
            return None;
        }
        let args: FxHashMap<TyVarId, TypeId> =
            self.data_vars(data).iter().copied().zip(args.iter().copied()).collect();
        let mut constructors = Vec::new();
        for ctor in self.module.ctors_of(data) {
            let (fields, _) = self.function_type(self.ctor_ty(ctor))?;
            let fields = fields.iter().map(|&field| {
                types.replace(field, &mut |types: &mut Types, id| match types.get(id) {
                    Type::Var(var) => args.get(var).copied(),
                    _ => None,
                })
            });
            constructors
                .push((self.module.text(self.module.ctor(ctor).name.name).to_owned(), fields.collect()));
        }
        Some(constructors)
    }
}

//! Interned types: equal types have equal ids.
//!
//! Shapes, dimensions and element types are types of other kinds, so that each of them can be a type parameter or a
//! hole.

mod text;

use crate::ast::{DataId, Kind};
use indexmap::IndexMap;
use minoan_relay_dialect::DType;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

/// The id of a type in a [`Types`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// The id of a type parameter, declared or inferred.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyVarId(pub u32);

/// The id of an inference variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HoleId(pub u32);

/// The id of a polymorphic function type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SchemeId(pub u32);

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The type of an erroneous expression; agrees with every type.
    Error,
    /// A tensor with this shape and element type.
    Tensor(TypeId, TypeId),
    /// A tuple.
    Tuple(Box<[TypeId]>),
    /// A function.
    Fn(Box<[TypeId]>, TypeId),
    /// A polymorphic function.
    Poly(SchemeId),
    /// An algebraic data type.
    Data(DataId, Box<[TypeId]>),
    /// A reference to a mutable cell.
    Ref(TypeId),
    /// A type parameter.
    Var(TyVarId),
    /// An inference variable; does not occur in a program without errors.
    Hole(HoleId),
    /// A shape.
    Shape(Box<[TypeId]>),
    /// An element type.
    Base(DType),
    /// An element type that no operator supports, such as `int8x4`.
    OtherBase(Box<str>),
    /// A dimension.
    Dim(i64),
    /// A dynamic dimension.
    AnyDim,
}

/// The constraint on the element type of a literal without a suffix.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Number {
    /// An integer that fits into 32 bits: any numeric type.
    Int,
    /// An integer that needs 64 bits: any numeric type of that width.
    Long,
    /// A number with a point: any float type.
    Float,
}

impl Number {
    /// The default type.
    pub fn default_type(self) -> DType {
        match self {
            Number::Int => DType::I32,
            Number::Long => DType::I64,
            Number::Float => DType::F32,
        }
    }

    /// Whether the literal can have this type.
    pub fn fits(self, dtype: DType) -> bool {
        match self {
            Number::Float => dtype.is_float(),
            Number::Int | Number::Long => dtype.is_float() || dtype.is_int(),
        }
    }
}

/// A type parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct TyVar {
    /// The name.
    pub name: Box<str>,
    /// The kind.
    pub kind: Kind,
    /// For an element type: the literal that it is the type of.
    pub number: Option<Number>,
}

/// A type relation that must hold at each use of a polymorphic function.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The operator that the relation belongs to; `None` for a tuple component.
    pub op: Option<&'static minoan_relay_dialect::operators::Operator>,
    /// The operator's attributes.
    pub attrs: Option<u32>,
    /// The index of the tuple component.
    pub index: u32,
    /// The argument types.
    pub args: Box<[TypeId]>,
    /// The result type.
    pub result: TypeId,
    /// The expression at which to report errors.
    pub expr: crate::ast::ExprId,
    /// The operator call.
    pub from: crate::ast::ExprId,
}

impl Constraint {
    /// Whether two constraints are equal up to their origin.
    pub(crate) fn is_same_up_to_origin(&self, other: &Constraint) -> bool {
        let relation = |it: &Constraint| it.op.map(|op| op.relation);
        (relation(self), self.attrs, self.index) == (relation(other), other.attrs, other.index)
            && (&self.args, self.result) == (&other.args, other.result)
    }
}

/// The type of a polymorphic function.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// The type parameters: the declared ones first, in order.
    pub vars: Box<[TyVarId]>,
    /// The number of declared type parameters.
    pub declared: usize,
    /// The constraints.
    pub constraints: Box<[Constraint]>,
    /// The type.
    pub ty: TypeId,
}

/// The table of interned types.
#[derive(Clone, Debug)]
pub struct Types {
    types: IndexMap<Type, Flags, FxBuildHasher>,
    pub(crate) vars: Vec<TyVar>,
    pub(crate) schemes: Vec<Scheme>,
    /// The names of the data types, for messages.
    pub(crate) data_names: Vec<Box<str>>,
}

/// The cached properties of a type.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Flags {
    pub(crate) hole: bool,
    pub(crate) var: bool,
    pub(crate) error: bool,
    /// Contains a type that can unify with unequal ones: `?`, a polymorphic type.
    pub(crate) loose: bool,
}

impl Flags {
    fn or(self, other: Flags) -> Flags {
        Flags {
            hole: self.hole || other.hole,
            var: self.var || other.var,
            error: self.error || other.error,
            loose: self.loose || other.loose,
        }
    }
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    /// [`Type::Error`]
    pub const ERROR: TypeId = TypeId(0);
    /// The empty tuple.
    pub const UNIT: TypeId = TypeId(1);
    /// The shape of scalars.
    pub const SCALAR: TypeId = TypeId(2);
    /// The element type `bool`.
    pub const BOOL_BASE: TypeId = TypeId(3);
    /// `bool`
    pub const BOOL: TypeId = TypeId(4);
    /// `?`
    pub const ANY_DIM: TypeId = TypeId(5);

    /// Creates a table with the predefined types.
    pub fn new() -> Self {
        let mut types = Self {
            types: IndexMap::default(),
            vars: Vec::new(),
            schemes: Vec::new(),
            data_names: Vec::new(),
        };
        for ty in [
            Type::Error,
            Type::Tuple(Box::new([])),
            Type::Shape(Box::new([])),
            Type::Base(DType::Bool),
            Type::Tensor(Self::SCALAR, Self::BOOL_BASE),
            Type::AnyDim,
        ] {
            types.intern(ty);
        }
        types
    }

    /// Interns a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(index) = self.types.get_index_of(&ty) {
            return TypeId(index as u32);
        }
        let flags = self.flags_of(&ty);
        TypeId(self.types.insert_full(ty, flags).0 as u32)
    }

    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get_index(id.0 as usize).map_or(&Type::Error, |(ty, _)| ty)
    }

    /// The type of scalars with this element type.
    pub fn scalar(&mut self, dtype: DType) -> TypeId {
        let base = self.intern(Type::Base(dtype));
        self.intern(Type::Tensor(Self::SCALAR, base))
    }

    /// Interns a tuple type.
    pub fn tuple(&mut self, parts: impl Into<Box<[TypeId]>>) -> TypeId {
        self.intern(Type::Tuple(parts.into()))
    }

    /// Interns a function type.
    pub fn function(&mut self, params: impl Into<Box<[TypeId]>>, result: TypeId) -> TypeId {
        self.intern(Type::Fn(params.into(), result))
    }

    /// Adds a type parameter.
    pub fn add_var(&mut self, name: &str, kind: Kind, number: Option<Number>) -> TyVarId {
        self.vars.push(TyVar { name: name.into(), kind, number });
        TyVarId(self.vars.len() as u32 - 1)
    }

    /// A type parameter.
    pub fn var(&self, id: TyVarId) -> &TyVar {
        &self.vars[id.0 as usize]
    }

    /// Adds the type of a polymorphic function.
    pub fn add_scheme(&mut self, scheme: Scheme) -> SchemeId {
        self.schemes.push(scheme);
        SchemeId(self.schemes.len() as u32 - 1)
    }

    /// The type of a polymorphic function.
    pub fn scheme(&self, id: SchemeId) -> &Scheme {
        &self.schemes[id.0 as usize]
    }

    /// The extents and element type of a tensor type; `None` if unresolved. A dynamic extent is `None`.
    pub fn tensor_parts(&self, id: TypeId) -> Option<(Vec<Option<i64>>, DType)> {
        let &Type::Tensor(shape, base) = self.get(id) else { return None };
        let (Type::Shape(dims), &Type::Base(dtype)) = (self.get(shape), self.get(base)) else { return None };
        let extents = dims.iter().map(|&dim| match self.get(dim) {
            &Type::Dim(extent) => Some(Some(extent)),
            Type::AnyDim => Some(None),
            _ => None,
        });
        Some((extents.collect::<Option<_>>()?, dtype))
    }

    /// Whether the type contains an error.
    pub fn has_error(&self, id: TypeId) -> bool {
        self.flags(id).error
    }

    /// Whether the type contains a type parameter.
    pub fn has_var(&self, id: TypeId) -> bool {
        self.flags(id).var
    }

    /// Whether the type contains a hole.
    pub fn has_hole(&self, id: TypeId) -> bool {
        self.flags(id).hole
    }

    pub(crate) fn flags(&self, id: TypeId) -> Flags {
        self.types.get_index(id.0 as usize).map_or(Flags::default(), |(_, flags)| *flags)
    }

    fn flags_of(&self, ty: &Type) -> Flags {
        let all = |parts: &[TypeId]| parts.iter().fold(Flags::default(), |all, &one| all.or(self.flags(one)));
        match ty {
            Type::Error => Flags { error: true, loose: true, ..Flags::default() },
            Type::Var(_) => Flags { var: true, ..Flags::default() },
            Type::Hole(_) => Flags { hole: true, ..Flags::default() },
            Type::AnyDim => Flags { loose: true, ..Flags::default() },
            Type::Poly(scheme) => Flags { loose: true, ..self.flags(self.scheme(*scheme).ty) },
            Type::Tensor(shape, base) => all(&[*shape, *base]),
            Type::Ref(inner) => all(&[*inner]),
            Type::Fn(params, result) => all(params).or(self.flags(*result)),
            Type::Tuple(parts) | Type::Shape(parts) | Type::Data(_, parts) => all(parts),
            Type::Base(_) | Type::OtherBase(_) | Type::Dim(_) => Flags::default(),
        }
    }

    /// Whether the text of a type has more than `limit` parts. Equal parts are shared in the table, so the text of a type may be
    /// much larger than its representation.
    pub fn is_larger(&self, id: TypeId, limit: usize) -> bool {
        let (mut pending, mut count) = (vec![id], 0);
        while let Some(id) = pending.pop() {
            count += 1;
            if count > limit {
                return true;
            }
            pending.extend(self.parts(id));
        }
        false
    }

    /// The types that a type consists of.
    pub(crate) fn parts(&self, id: TypeId) -> SmallVec<[TypeId; 4]> {
        match self.get(id) {
            Type::Tensor(shape, base) => SmallVec::from_slice(&[*shape, *base]),
            Type::Ref(inner) => SmallVec::from_slice(&[*inner]),
            Type::Fn(params, result) => params.iter().chain([result]).copied().collect(),
            Type::Tuple(parts) | Type::Shape(parts) | Type::Data(_, parts) => SmallVec::from_slice(parts),
            Type::Poly(scheme) => SmallVec::from_slice(&[self.scheme(*scheme).ty]),
            _ => SmallVec::new(),
        }
    }

    /// Substitutes the holes and type parameters of a type by `leaf`; other parts are kept.
    pub(crate) fn replace(
        &mut self,
        id: TypeId,
        leaf: &mut impl FnMut(&mut Self, TypeId) -> Option<TypeId>,
    ) -> TypeId {
        self.replace_part(id, leaf, &mut FxHashMap::default())
    }

    /// Like [`Self::replace`], with the cache `done` of earlier calls.
    pub(crate) fn replace_part(
        &mut self,
        id: TypeId,
        leaf: &mut impl FnMut(&mut Self, TypeId) -> Option<TypeId>,
        done: &mut FxHashMap<TypeId, TypeId>,
    ) -> TypeId {
        let flags = self.flags(id);
        if !flags.hole && !flags.var {
            return id;
        }
        if let Some(&known) = done.get(&id) {
            return known;
        }
        let ty = self.get(id).clone();
        if matches!(ty, Type::Var(_) | Type::Hole(_)) {
            let new = match leaf(self, id) {
                Some(new) if new != id => minoan_frontend::with_stack(|| self.replace_part(new, leaf, done)),
                _ => id,
            };
            done.insert(id, new);
            return new;
        }
        let mut part = |types: &mut Self, part: TypeId| {
            minoan_frontend::with_stack(|| types.replace_part(part, leaf, done))
        };
        let new = match ty {
            Type::Tensor(shape, base) => {
                let (shape, base) = (part(self, shape), part(self, base));
                self.intern(Type::Tensor(shape, base))
            }
            Type::Ref(inner) => {
                let inner = part(self, inner);
                self.intern(Type::Ref(inner))
            }
            Type::Fn(params, result) => {
                let params = params.iter().map(|&it| part(self, it)).collect();
                let result = part(self, result);
                self.intern(Type::Fn(params, result))
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|&it| part(self, it)).collect();
                self.intern(Type::Tuple(parts))
            }
            Type::Shape(parts) => {
                let parts = parts.iter().map(|&it| part(self, it)).collect();
                self.intern(Type::Shape(parts))
            }
            Type::Data(data, parts) => {
                let parts = parts.iter().map(|&it| part(self, it)).collect();
                self.intern(Type::Data(data, parts))
            }
            Type::Poly(scheme) => {
                let mut scheme = self.scheme(scheme).clone();
                let ty = part(self, scheme.ty);
                if ty == scheme.ty {
                    return id;
                }
                scheme.ty = ty;
                let scheme = self.add_scheme(scheme);
                self.intern(Type::Poly(scheme))
            }
            _ => id,
        };
        done.insert(id, new);
        new
    }
}

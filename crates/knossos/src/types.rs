//! Interned types: equal types have equal ids.

use indexmap::IndexMap;
use minoan_frontend::with_stack;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::fmt::Write;
use std::sync::Arc;

/// The id of a type in a [`Types`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// The kinds of types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The type of an erroneous expression; agrees with every type.
    Error,
    /// A type that agrees with every type; only in rules.
    Any,
    /// A signed 64-bit integer.
    Integer,
    /// A float, whose width is an option of the emission.
    Float,
    /// A boolean.
    Bool,
    /// A string.
    String,
    /// A tensor with this rank (at least 1) and element type.
    Tensor(u32, TypeId),
    /// A tuple; tuples with zero or one component are distinct types.
    Tuple(Box<[TypeId]>),
    /// A function type: argument and result.
    Lam(TypeId, TypeId),
    /// A linear map: source and target.
    LinearMap(TypeId, TypeId),
    /// The values that `[suffwdpass f]` saves for `[sufrevpass f]`, identified by the text of `f` and by the type of its
    /// argument.
    Bag(Arc<str>, TypeId),
}

/// The table of interned types.
#[derive(Clone, Debug)]
pub struct Types {
    /// The types with their cached properties.
    types: IndexMap<Type, Flags, FxBuildHasher>,
    tangents: FxHashMap<TypeId, TypeId>,
    shapes: FxHashMap<TypeId, TypeId>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Flags {
    has_error: bool,
    has_any: bool,
    has_lam: bool,
    has_linear_map: bool,
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    /// [`Type::Error`]
    pub const ERROR: TypeId = TypeId(0);
    /// [`Type::Any`]
    pub const ANY: TypeId = TypeId(1);
    /// [`Type::Integer`]
    pub const INTEGER: TypeId = TypeId(2);
    /// [`Type::Float`]
    pub const FLOAT: TypeId = TypeId(3);
    /// [`Type::Bool`]
    pub const BOOL: TypeId = TypeId(4);
    /// [`Type::String`]
    pub const STRING: TypeId = TypeId(5);
    /// The empty tuple.
    pub const UNIT: TypeId = TypeId(6);

    /// Creates a table with the predefined types.
    pub fn new() -> Self {
        let mut types =
            Self { types: IndexMap::default(), tangents: FxHashMap::default(), shapes: FxHashMap::default() };
        let unit = Type::Tuple(Box::new([]));
        for ty in [Type::Error, Type::Any, Type::Integer, Type::Float, Type::Bool, Type::String, unit] {
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

    /// Interns a tensor type.
    pub fn tensor(&mut self, rank: u32, element: TypeId) -> TypeId {
        self.intern(Type::Tensor(rank, element))
    }

    /// Interns a tuple type.
    pub fn tuple(&mut self, parts: impl Into<Box<[TypeId]>>) -> TypeId {
        self.intern(Type::Tuple(parts.into()))
    }

    /// The argument type for operands of types `parts`: the type itself if there is one, otherwise a tuple.
    pub fn argument(&mut self, parts: &[TypeId]) -> TypeId {
        match parts {
            [single] => *single,
            parts => self.tuple(parts),
        }
    }

    /// The components of a tuple type.
    pub fn parts(&self, id: TypeId) -> Option<&[TypeId]> {
        match self.get(id) {
            Type::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    /// The type of indices into, and sizes of, a tensor of this rank.
    pub fn index_type(&mut self, rank: u32) -> TypeId {
        match rank {
            1 => Self::INTEGER,
            rank => self.tuple(vec![Self::INTEGER; rank as usize]),
        }
    }

    /// The rank of tensors that this index type addresses.
    pub fn rank_of_index(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Integer => Some(1),
            Type::Tuple(parts) if parts.len() > 1 && parts.iter().all(|&part| part == Self::INTEGER) => {
                Some(parts.len() as u32)
            }
            _ => None,
        }
    }

    /// Whether the type contains an error.
    pub fn has_error(&self, id: TypeId) -> bool {
        self.flags(id).has_error
    }

    /// Whether the type contains a function type.
    pub fn has_lam(&self, id: TypeId) -> bool {
        self.flags(id).has_lam
    }

    /// Whether the type contains a type of linear maps.
    pub fn has_linear_map(&self, id: TypeId) -> bool {
        self.flags(id).has_linear_map
    }

    /// Whether the type contains `Any`.
    pub fn has_any(&self, id: TypeId) -> bool {
        self.flags(id).has_any
    }

    /// Whether two types are equal, where errors and `Any` agree with every type.
    pub fn agree(&self, a: TypeId, b: TypeId) -> bool {
        let loose = |flags: Flags| flags.has_error || flags.has_any;
        if a == b {
            return true;
        }
        if !loose(self.flags(a)) && !loose(self.flags(b)) {
            return false;
        }
        let all = |left: &[TypeId], right: &[TypeId]| {
            left.len() == right.len()
                && left.iter().zip(right).all(|(&a, &b)| with_stack(|| self.agree(a, b)))
        };
        match (self.get(a), self.get(b)) {
            (Type::Error | Type::Any, _) | (_, Type::Error | Type::Any) => true,
            (Type::Tensor(m, a), Type::Tensor(n, b)) => m == n && all(&[*a], &[*b]),
            (Type::Tuple(a), Type::Tuple(b)) => all(a, b),
            (Type::Lam(a, c), Type::Lam(b, d)) | (Type::LinearMap(a, c), Type::LinearMap(b, d)) => {
                all(&[*a, *c], &[*b, *d])
            }
            _ => false,
        }
    }

    /// The tangent type: `Float` for `Float`; the empty tuple for `Integer`, `Bool` and `String`; component-wise for
    /// tensors and tuples.
    pub fn tangent(&mut self, id: TypeId) -> TypeId {
        if let Some(&known) = self.tangents.get(&id) {
            return known;
        }
        let tangent = match self.get(id).clone() {
            Type::Float => Self::FLOAT,
            Type::Integer | Type::Bool | Type::String => Self::UNIT,
            Type::Any => Self::ANY,
            Type::Tensor(rank, element) => {
                let element = with_stack(|| self.tangent(element));
                self.tensor(rank, element)
            }
            Type::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| with_stack(|| self.tangent(part))).collect();
                self.tuple(parts)
            }
            Type::LinearMap(..) | Type::Bag(..) => id,
            Type::Lam(..) | Type::Error => Self::ERROR,
        };
        self.tangents.insert(id, tangent);
        tangent
    }

    /// The shape type: the empty tuple for scalars and tuples of scalars, the size for tensors of those, otherwise
    /// the shapes of the components.
    pub fn shape(&mut self, id: TypeId) -> TypeId {
        if let Some(&known) = self.shapes.get(&id) {
            return known;
        }
        let shape = match self.get(id).clone() {
            Type::Any => Self::ANY,
            Type::Tensor(rank, element) => match with_stack(|| self.shape(element)) {
                Self::UNIT => self.index_type(rank),
                element => self.tensor(rank, element),
            },
            Type::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| with_stack(|| self.shape(part))).collect();
                if parts.iter().all(|&part| part == Self::UNIT) { Self::UNIT } else { self.tuple(parts) }
            }
            Type::Bag(_, arg) => with_stack(|| self.shape(arg)),
            Type::Error | Type::Lam(..) => Self::ERROR,
            _ => Self::UNIT,
        };
        self.shapes.insert(id, shape);
        shape
    }

    /// The shape type that keeps every level: like `id`, with the empty tuple in place of scalars.
    pub fn full_shape(&mut self, id: TypeId) -> TypeId {
        match self.get(id).clone() {
            Type::Tensor(rank, element) => {
                let element = with_stack(|| self.full_shape(element));
                self.tensor(rank, element)
            }
            Type::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| with_stack(|| self.full_shape(part))).collect();
                self.tuple(parts)
            }
            Type::Any | Type::Error => id,
            _ => Self::UNIT,
        }
    }

    /// The source text; types longer than a few hundred characters are truncated with `...`.
    pub fn text(&self, id: TypeId) -> String {
        let mut out = String::new();
        self.write(id, 0, &mut out);
        out
    }

    fn write(&self, id: TypeId, depth: usize, out: &mut String) {
        const MAX_DEPTH: usize = 30;
        const MAX_LENGTH: usize = 300;
        if depth > MAX_DEPTH || out.len() > MAX_LENGTH {
            return out.push_str("...");
        }
        let mut list = |head: &str, parts: &[TypeId]| {
            out.push('(');
            out.push_str(head);
            for &part in parts {
                out.push(' ');
                if out.len() > MAX_LENGTH {
                    out.push_str("...");
                    break;
                }
                self.write(part, depth + 1, out);
            }
            out.push(')');
        };
        match self.get(id) {
            Type::Error => out.push('?'),
            Type::Any => out.push_str("Any"),
            Type::Integer => out.push_str("Integer"),
            Type::Float => out.push_str("Float"),
            Type::Bool => out.push_str("Bool"),
            Type::String => out.push_str("String"),
            Type::Tensor(1, element) => list("Vec", &[*element]),
            Type::Tensor(rank, element) => list(&format!("Tensor {rank}"), &[*element]),
            Type::Tuple(parts) => list("Tuple", parts),
            Type::Lam(from, to) => list("Lam", &[*from, *to]),
            Type::LinearMap(from, to) => list("LM", &[*from, *to]),
            Type::Bag(function, arg) => {
                let _ = write!(out, "<what [suffwdpass [{function} ");
                self.write(*arg, depth + 1, out);
                out.push_str("]] keeps>");
            }
        }
    }

    fn flags(&self, id: TypeId) -> Flags {
        self.types.get_index(id.0 as usize).map_or(Flags::default(), |(_, flags)| *flags)
    }

    fn flags_of(&self, ty: &Type) -> Flags {
        let any_of = |parts: &[TypeId]| {
            parts.iter().map(|&part| self.flags(part)).fold(Flags::default(), |all, one| Flags {
                has_error: all.has_error || one.has_error,
                has_any: all.has_any || one.has_any,
                has_lam: all.has_lam || one.has_lam,
                has_linear_map: all.has_linear_map || one.has_linear_map,
            })
        };
        match ty {
            Type::Error => Flags { has_error: true, ..Flags::default() },
            Type::Any => Flags { has_any: true, ..Flags::default() },
            Type::Integer | Type::Float | Type::Bool | Type::String => Flags::default(),
            Type::Tensor(_, part) | Type::Bag(_, part) => any_of(&[*part]),
            Type::Tuple(parts) => any_of(parts),
            Type::Lam(from, to) => Flags { has_lam: true, ..any_of(&[*from, *to]) },
            Type::LinearMap(from, to) => Flags { has_linear_map: true, ..any_of(&[*from, *to]) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_and_shapes() {
        let mut types = Types::new();
        let vec = types.tensor(1, Types::FLOAT);
        let matrix = types.tensor(2, Types::FLOAT);
        let ragged = types.tensor(1, vec);
        let pair = types.tuple([Types::INTEGER, Types::FLOAT]);
        let mixed = types.tuple([ragged, matrix, pair]);
        let check = |types: &mut Types, id, tangent: &str, shape: &str, full: &str| {
            let (t, s, f) = (types.tangent(id), types.shape(id), types.full_shape(id));
            assert_eq!([types.text(t), types.text(s), types.text(f)], [tangent, shape, full]);
        };
        check(&mut types, vec, "(Vec Float)", "Integer", "(Vec (Tuple))");
        check(&mut types, pair, "(Tuple (Tuple) Float)", "(Tuple)", "(Tuple (Tuple) (Tuple))");
        check(
            &mut types,
            mixed,
            "(Tuple (Vec (Vec Float)) (Tensor 2 Float) (Tuple (Tuple) Float))",
            "(Tuple (Vec Integer) (Tuple Integer Integer) (Tuple))",
            "(Tuple (Vec (Vec (Tuple))) (Tensor 2 (Tuple)) (Tuple (Tuple) (Tuple)))",
        );
    }

    #[test]
    fn exponential_types_are_shared() {
        let mut types = Types::new();
        let mut ty = Types::FLOAT;
        for _ in 0..100_000 {
            ty = types.tuple([ty, ty]);
        }
        assert!(types.text(ty).len() < 4000);
        assert_eq!(types.tangent(ty), ty);
        assert_eq!(types.shape(ty), Types::UNIT);
    }
}

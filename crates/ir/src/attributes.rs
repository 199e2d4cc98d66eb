//! Attributes: constant data attached to operations and types.

use crate::affine::{AffineMap, IntegerSet};
use crate::{Context, Declared, FloatKind, Int, Loc, Name, Type, TypeData};

/// An interned attribute: two attributes of one [`Context`] are equal if and only if their handles are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attr(pub(crate) u32);

/// The data of an [`Attr`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttrData {
    /// `{}` and `{a = 1 : i32, b}`: entries sorted by name, without duplicates.
    Dictionary(Box<[(Name, Attr)]>),
    /// `unit`.
    Unit,
    /// `4 : i32`, `true`, `3 : index`.
    Integer {
        /// The value: sign-extended for signless and signed types; `i1` as 0 or 1 (`true` is 1).
        value: Int,
        /// An integer type or `index`.
        ty: Type,
    },
    /// `1.5 : f32`.
    Float {
        /// The bits in the format of `ty`.
        bits: u128,
        /// A floating-point type.
        ty: Type,
    },
    /// `"text"`, or `"text" : !type`; arbitrary bytes, as in MLIR.
    String {
        /// The bytes, unescaped.
        bytes: Box<[u8]>,
        /// The type; [`Type::NONE`] if none is written.
        ty: Type,
    },
    /// `f32` as an attribute.
    Type(Type),
    /// `[1 : i32, "two"]`.
    Array(Box<[Attr]>),
    /// `@root::@nested`.
    SymbolRef {
        /// The outermost symbol.
        root: Name,
        /// The nested symbols.
        nested: Box<[Name]>,
    },
    /// `array<i32: 1, 2>`.
    DenseArray {
        /// An integer or floating-point type.
        element: Type,
        /// The elements, little endian, in whole bytes (`i1` in one byte).
        data: Box<[u8]>,
    },
    /// `dense<[1.0, 2.0]> : tensor<2xf32>`.
    DenseElements {
        /// A shaped type with static extents.
        ty: Type,
        /// One element if `splat`, otherwise all, row-major, little endian, each in whole bytes (`i1` in one byte),
        /// sign-extended for signless and signed integers.
        data: Box<[u8]>,
        /// Whether all elements are equal to the one in `data`.
        splat: bool,
    },
    /// `dense<["a", "b"]> : tensor<2x!t>`.
    DenseStrings {
        /// A shaped type with static extents.
        ty: Type,
        /// One string for a splat, otherwise all.
        values: Box<[Box<[u8]>]>,
    },
    /// `dense<[0, 1]> : !emitc.array<2xindex>`: elements of a shaped type of a dialect that is not loaded.
    ForeignElements {
        /// The type, represented by its text.
        ty: Type,
        /// The elements, as dense elements of a tensor.
        elements: Attr,
    },
    /// `dense_resource<key> : tensor<4xf32>`.
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// The key in the file's resource section.
        key: Name,
    },
    /// `sparse<[[0, 0]], [1.0]> : tensor<3x4xf32>`.
    Sparse {
        /// A shaped type with static extents.
        ty: Type,
        /// A dense elements attribute of `i64`.
        indices: Attr,
        /// A dense elements attribute.
        values: Attr,
    },
    /// `affine_map<(d0) -> (d0)>`.
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`.
    IntegerSet(IntegerSet),
    /// `strided<[?, 1], offset: 4>`.
    Strided {
        /// The offset; [`crate::DYNAMIC`] if dynamic.
        offset: i64,
        /// The strides; [`crate::DYNAMIC`] if dynamic.
        strides: Box<[i64]>,
    },
    /// `distinct[0]<unit>`: equal to no other attribute.
    Distinct {
        /// The number.
        id: u64,
        /// The wrapped attribute.
        referenced: Attr,
    },
    /// `loc("a.mlir":1:2)` as an attribute.
    Location(Loc),
    /// `#dialect.mnemonic<..>`: an attribute that a loaded dialect declares.
    Declared(Declared),
    /// `#dialect.text` or `#dialect<text>`: an attribute of a dialect that is not loaded, represented by its text.
    Opaque {
        /// The dialect's namespace.
        dialect: Name,
        /// The text after the namespace, including its dot or angle brackets: `.fastmath<none>`, `<"text">`.
        text: Name,
        /// The type after it; [`Type::NONE`] if there is none.
        ty: Type,
    },
    /// `#dialect.text` of a dialect that is not loaded, with nested attributes that have aliases.
    Structured {
        /// The dialect's namespace.
        dialect: Name,
        /// The parts after the namespace, from its dot to its last bracket.
        pieces: Box<[Piece]>,
    },
}

/// A part of the text of a dialect's attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// Literal text.
    Text(Name),
    /// An attribute, printed as its alias if it has one.
    Attr(Attr),
    /// An attribute, printed without aliases.
    Unaliased(Attr),
}

impl Piece {
    /// The attribute; `None` for literal text.
    pub fn attr(&self) -> Option<Attr> {
        match *self {
            Piece::Text(_) => None,
            Piece::Attr(attr) | Piece::Unaliased(attr) => Some(attr),
        }
    }
}

impl Attr {
    /// `{}`.
    pub const EMPTY: Attr = Attr(0);
    /// `<{}>` as the properties of an unregistered operation, which MLIR distinguishes from absent properties: an
    /// empty dictionary that is not equal to [`Attr::EMPTY`].
    pub const EMPTY_PROPS: Attr = Attr(4);
    /// `unit`.
    pub const UNIT: Attr = Attr(1);
    /// `false`.
    pub const FALSE: Attr = Attr(2);
    /// `true`.
    pub const TRUE: Attr = Attr(3);

    /// The data of the attribute.
    #[inline]
    pub fn data(self, ctx: &Context) -> &AttrData {
        ctx.attr_data(self)
    }

    /// A small dense number, for tables indexed by attribute.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Attr {
        if value { Attr::TRUE } else { Attr::FALSE }
    }

    /// An integer of an integer type or `index`; the value is reduced modulo the type's width.
    pub fn integer(ctx: &Context, value: impl Into<Int>, ty: Type) -> Attr {
        let value = match *ty.data(ctx) {
            TypeData::Integer { width, signedness } => value.into().wrapped(width, signedness),
            _ => value.into(),
        };
        ctx.intern_attr(AttrData::Integer { value, ty })
    }

    /// `value : i64`.
    pub fn i64(ctx: &Context, value: i64) -> Attr {
        Attr::integer(ctx, value, Type::I64)
    }

    /// `value : index`.
    pub fn index_value(ctx: &Context, value: i64) -> Attr {
        Attr::integer(ctx, value, Type::INDEX)
    }

    /// A float with the given bits.
    pub fn float_bits(ctx: &Context, bits: u128, ty: Type) -> Attr {
        ctx.intern_attr(AttrData::Float { bits, ty })
    }

    /// The float of type `ty` nearest to `value`.
    ///
    /// # Panics
    /// Panics if `ty` is not a floating-point type.
    pub fn float(ctx: &Context, value: f64, ty: Type) -> Attr {
        let kind = ty.float_kind(ctx).expect("a floating-point type");
        Attr::float_bits(ctx, crate::float_from_f64(kind, value), ty)
    }

    /// A string.
    pub fn string(ctx: &Context, text: impl AsRef<[u8]>) -> Attr {
        ctx.intern_attr(AttrData::String { bytes: text.as_ref().into(), ty: Type::NONE })
    }

    /// A type as an attribute.
    pub fn ty(ctx: &Context, ty: Type) -> Attr {
        ctx.intern_attr(AttrData::Type(ty))
    }

    /// An array.
    pub fn array(ctx: &Context, elements: &[Attr]) -> Attr {
        ctx.intern_attr(AttrData::Array(elements.into()))
    }

    /// A dictionary; sorts the entries. If a name occurs repeatedly, the last entry is kept.
    pub fn dictionary(ctx: &Context, entries: &[(Name, Attr)]) -> Attr {
        let mut sorted: Vec<(Name, Attr)> = Vec::with_capacity(entries.len());
        for &(name, attr) in entries {
            match sorted.binary_search_by(|(other, _)| other.as_str(ctx).cmp(name.as_str(ctx))) {
                Ok(at) => sorted[at].1 = attr,
                Err(at) => sorted.insert(at, (name, attr)),
            }
        }
        ctx.intern_attr(AttrData::Dictionary(sorted.into()))
    }

    /// `@name`.
    pub fn symbol_ref(ctx: &Context, name: &str) -> Attr {
        ctx.intern_attr(AttrData::SymbolRef { root: ctx.name(name), nested: [].into() })
    }

    /// `array<i32: ...>`.
    pub fn dense_i32(ctx: &Context, values: &[i32]) -> Attr {
        let data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        ctx.intern_attr(AttrData::DenseArray { element: Type::I32, data })
    }

    /// `array<i64: ...>`.
    pub fn dense_i64(ctx: &Context, values: &[i64]) -> Attr {
        let data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        ctx.intern_attr(AttrData::DenseArray { element: Type::I64, data })
    }

    /// An affine map as an attribute.
    pub fn affine_map(ctx: &Context, map: AffineMap) -> Attr {
        ctx.intern_attr(AttrData::AffineMap(map))
    }

    /// Interns `affine_set<..>`.
    pub fn integer_set(ctx: &Context, set: IntegerSet) -> Attr {
        ctx.intern_attr(AttrData::IntegerSet(set))
    }

    /// An attribute of a dialect that is not loaded: `("gpu", ".block<x>")` is `#gpu.block<x>`. An attribute of a loaded
    /// dialect is created by its declaration and is equal to no text.
    pub fn opaque(ctx: &Context, dialect: &str, text: &str) -> Attr {
        let (dialect, text) = (ctx.name(dialect), ctx.name(text));
        ctx.intern_attr(AttrData::Opaque { dialect, text, ty: Type::NONE })
    }

    /// The value of an integer attribute, if it fits into 64 bits.
    pub fn as_i64(self, ctx: &Context) -> Option<i64> {
        match self.data(ctx) {
            AttrData::Integer { value, .. } => value.as_i64(),
            _ => None,
        }
    }

    /// The value of an integer attribute.
    pub fn as_int(self, ctx: &Context) -> Option<&Int> {
        match self.data(ctx) {
            AttrData::Integer { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The value of an `i1` attribute.
    pub fn as_bool(self, ctx: &Context) -> Option<bool> {
        match self.data(ctx) {
            AttrData::Integer { value, ty: Type::I1 } => value.as_i64().map(|value| value != 0),
            _ => None,
        }
    }

    /// The value of a float attribute, rounded to `f64` if its format is wider.
    pub fn as_f64(self, ctx: &Context) -> Option<f64> {
        match *self.data(ctx) {
            AttrData::Float { bits, ty } => {
                let kind = ty.float_kind(ctx).unwrap_or(FloatKind::F64);
                Some(crate::float_to_f64(kind, bits))
            }
            _ => None,
        }
    }

    /// The text of a string attribute, if it is UTF-8.
    pub fn as_str(self, ctx: &Context) -> Option<&str> {
        match self.data(ctx) {
            AttrData::String { bytes, .. } => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The type of a type attribute.
    pub fn as_type(self, ctx: &Context) -> Option<Type> {
        match *self.data(ctx) {
            AttrData::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// The elements of an array attribute.
    pub fn as_array(self, ctx: &Context) -> Option<&[Attr]> {
        match self.data(ctx) {
            AttrData::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The entries of a dictionary attribute.
    pub fn as_dictionary(self, ctx: &Context) -> Option<&[(Name, Attr)]> {
        match self.data(ctx) {
            AttrData::Dictionary(entries) => Some(entries),
            _ => None,
        }
    }

    /// The map of an affine map attribute.
    pub fn as_affine_map(self, ctx: &Context) -> Option<&AffineMap> {
        match self.data(ctx) {
            AttrData::AffineMap(map) => Some(map),
            _ => None,
        }
    }

    /// The set of an integer set attribute.
    pub fn as_integer_set(self, ctx: &Context) -> Option<&IntegerSet> {
        match self.data(ctx) {
            AttrData::IntegerSet(set) => Some(set),
            _ => None,
        }
    }

    /// The text of an attribute of a dialect that is not loaded, in the form of [`Attr::opaque`]: `.block<x>` for
    /// `#gpu.block<x>` and `gpu`.
    pub fn as_opaque<'c>(self, ctx: &'c Context, dialect: &str) -> Option<&'c str> {
        match self.data(ctx) {
            AttrData::Opaque { dialect: found, text, .. } if found.as_str(ctx) == dialect => {
                Some(text.as_str(ctx))
            }
            _ => None,
        }
    }

    /// The name of a symbol reference without nested symbols.
    pub fn as_flat_symbol(self, ctx: &Context) -> Option<Name> {
        match self.data(ctx) {
            AttrData::SymbolRef { root, nested } if nested.is_empty() => Some(*root),
            _ => None,
        }
    }

    /// The elements of an `array<i32: ...>`.
    pub fn as_dense_i32(self, ctx: &Context) -> Option<Vec<i32>> {
        match self.data(ctx) {
            AttrData::DenseArray { element: Type::I32, data } => {
                Some(data.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
            }
            _ => None,
        }
    }

    /// The elements of an `array<i64: ...>`.
    pub fn as_dense_i64(self, ctx: &Context) -> Option<Vec<i64>> {
        match self.data(ctx) {
            AttrData::DenseArray { element: Type::I64, data } => Some(
                data.chunks_exact(8)
                    .map(|b| i64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// The entry `name` of a dictionary.
    pub fn get(self, ctx: &Context, name: Name) -> Option<Attr> {
        self.as_dictionary(ctx)?.iter().find(|(entry, _)| *entry == name).map(|&(_, attr)| attr)
    }

    /// The type of a typed attribute.
    pub fn value_type(self, ctx: &Context) -> Option<Type> {
        match *self.data(ctx) {
            AttrData::Declared(ref declared) => declared.self_type(),
            AttrData::Integer { ty, .. }
            | AttrData::Float { ty, .. }
            | AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::ForeignElements { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::Sparse { ty, .. } => Some(ty),
            AttrData::String { ty, .. } | AttrData::Opaque { ty, .. } => {
                Some(ty).filter(|&ty| ty != Type::NONE)
            }
            _ => None,
        }
    }
}

//! Attributes: constant data attached to operations and types.

use crate::affine::{AffineMap, IntegerSet};
use crate::{Context, FloatKind, Int, Loc, Name, Type, TypeData};

/// An interned attribute: two attributes of one [`Context`] are equal exactly when their handles are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attr(pub(crate) u32);

/// What an [`Attr`] is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttrData {
    /// `{}` and `{a = 1 : i32, b}`: entries sorted by name, no name twice.
    Dictionary(Box<[(Name, Attr)]>),
    /// `unit`.
    Unit,
    /// `4 : i32`, `true`, `3 : index`.
    Integer {
        /// The value: signless and signed types keep it sign extended, `i1` as 0 or 1 (`true` is 1).
        value: Int,
        /// An integer type or `index`.
        ty: Type,
    },
    /// `1.5 : f32`.
    Float {
        /// The bits of the value in the format of `ty`.
        bits: u128,
        /// A floating-point type.
        ty: Type,
    },
    /// `"text"`, or `"text" : !type`; bytes, because MLIR's strings are.
    String {
        /// The bytes without escapes.
        bytes: Box<[u8]>,
        /// The type, [`Type::NONE`] where none is written.
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
        /// The symbols inside it.
        nested: Box<[Name]>,
    },
    /// `array<i32: 1, 2>`.
    DenseArray {
        /// An integer or floating-point type.
        element: Type,
        /// The elements, little endian, each in whole bytes (`i1` in one).
        data: Box<[u8]>,
    },
    /// `dense<[1.0, 2.0]> : tensor<2xf32>`.
    DenseElements {
        /// A shaped type with static extents.
        ty: Type,
        /// One element when `splat`, else all, row-major, little endian, each in whole bytes (`i1` in one) that
        /// are filled up with the sign of a signless or signed integer.
        data: Box<[u8]>,
        /// Whether all elements are the one in `data`.
        splat: bool,
    },
    /// `dense<["a", "b"]> : tensor<2x!t>`.
    DenseStrings {
        /// A shaped type with static extents.
        ty: Type,
        /// One string when it is a splat, else all.
        values: Box<[Box<[u8]>]>,
    },
    /// `dense_resource<key> : tensor<4xf32>`.
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// Key into the file's resource section.
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
        /// The offset; [`crate::DYNAMIC`] where unknown.
        offset: i64,
        /// The strides; [`crate::DYNAMIC`] where unknown.
        strides: Box<[i64]>,
    },
    /// `distinct[0]<unit>`: equal to no other.
    Distinct {
        /// The number.
        id: u64,
        /// What it wraps.
        referenced: Attr,
    },
    /// `loc("a.mlir":1:2)` as an attribute.
    Location(Loc),
    /// `#dialect.text` or `#dialect<text>`: an attribute of another dialect, by its text.
    Opaque {
        /// The dialect's namespace.
        dialect: Name,
        /// What follows the namespace, with its dot or angle brackets: `.fastmath<none>`, `<"text">`.
        text: Name,
        /// The type written after it, [`Type::NONE`] where none is.
        ty: Type,
    },
    /// `#dialect.text` with attributes inside it, which are written as attributes are everywhere else.
    Structured {
        /// The dialect's namespace.
        dialect: Name,
        /// What follows the namespace, from its dot to its last bracket.
        pieces: Box<[Piece]>,
    },
}

/// A piece of the text of a dialect's attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// As it is.
    Text(Name),
    /// An attribute, by its alias where it has one.
    Attr(Attr),
    /// An attribute without aliases in it.
    Unaliased(Attr),
}

impl Piece {
    /// The attribute; `None` for text.
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
    /// `<{}>` as the properties of an operation that is not registered, which MLIR tells from none: a dictionary
    /// without entries that is not equal to [`Attr::EMPTY`].
    pub const EMPTY_PROPS: Attr = Attr(4);
    /// `unit`.
    pub const UNIT: Attr = Attr(1);
    /// `false`.
    pub const FALSE: Attr = Attr(2);
    /// `true`.
    pub const TRUE: Attr = Attr(3);

    /// What it is.
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

    /// An integer of an integer type or `index`; the value is wrapped to the type's width.
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

    /// A float of a given format from its bits.
    pub fn float_bits(ctx: &Context, bits: u128, ty: Type) -> Attr {
        ctx.intern_attr(AttrData::Float { bits, ty })
    }

    /// A float of type `ty` nearest to `value`.
    ///
    /// # Panics
    /// If `ty` is not a floating-point type.
    pub fn float(ctx: &Context, value: f64, ty: Type) -> Attr {
        let kind = ty.float_kind(ctx).expect("a floating-point type");
        Attr::float_bits(ctx, crate::number::float_from_f64(kind, value), ty)
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

    /// A dictionary; the entries are sorted here, of two with one name the later one stays.
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

    /// A dialect's attribute by its text: `("arith", ".fastmath<none>")` is `#arith.fastmath<none>`.
    pub fn opaque(ctx: &Context, dialect: &str, text: &str) -> Attr {
        let (dialect, text) = (ctx.name(dialect), ctx.name(text));
        ctx.intern_attr(AttrData::Opaque { dialect, text, ty: Type::NONE })
    }

    /// The value of an integer attribute that fits 64 bits.
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

    /// The value of a float attribute, rounded to `f64` where its format is wider.
    pub fn as_f64(self, ctx: &Context) -> Option<f64> {
        match *self.data(ctx) {
            AttrData::Float { bits, ty } => {
                let kind = ty.float_kind(ctx).unwrap_or(FloatKind::F64);
                Some(crate::number::float_to_f64(kind, bits))
            }
            _ => None,
        }
    }

    /// The text of a string attribute that is UTF-8.
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

    /// The text of an attribute of a dialect without attributes inside it, as [`Attr::opaque`] takes it: `.basis<x>` of
    /// `#quantum.basis<x>`, asked of `quantum`.
    pub fn as_opaque<'c>(self, ctx: &'c Context, dialect: &str) -> Option<&'c str> {
        match self.data(ctx) {
            AttrData::Opaque { dialect: found, text, .. } if found.as_str(ctx) == dialect => {
                Some(text.as_str(ctx))
            }
            _ => None,
        }
    }

    /// The parameters of such an attribute: `x` of `#quantum.basis<x>`, asked of `quantum` and `basis`. `None` for another
    /// attribute.
    pub fn parameters<'c>(self, ctx: &'c Context, dialect: &str, mnemonic: &str) -> Option<&'c str> {
        crate::types::parameters(self.as_opaque(ctx, dialect)?, mnemonic)
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

    /// The type that the value of this attribute has, where it has one (typed attributes).
    pub fn value_type(self, ctx: &Context) -> Option<Type> {
        match *self.data(ctx) {
            AttrData::Integer { ty, .. }
            | AttrData::Float { ty, .. }
            | AttrData::DenseElements { ty, .. }
            | AttrData::DenseStrings { ty, .. }
            | AttrData::DenseResource { ty, .. }
            | AttrData::Sparse { ty, .. } => Some(ty),
            AttrData::String { ty, .. } | AttrData::Opaque { ty, .. } => {
                Some(ty).filter(|&ty| ty != Type::NONE)
            }
            _ => None,
        }
    }
}

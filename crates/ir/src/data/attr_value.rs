//! Rust types as attributes of operations.

use super::{AttrDef, AttrEnum, Flags, Parameter, SymbolRef, TypeOrAttr};
use crate::affine::{AffineMap, IntegerSet};
use crate::constraints as of;
use crate::text::name_of_bytes;
use crate::{Attr, AttrConstraint, AttrData, AttrSyntax, Context, Name, Type};

/// A Rust type that may be an attribute of an operation: the field `#[attr] index: i64` of `#[op]` is stored as
/// `4 : i64`, is a parameter of the builder, and has an accessor that returns an `i64`.
///
/// | Rust type | attribute | accessor |
/// |---|---|---|
/// | `i64`, `i32`, [`Index`], `bool`, `f64`, `f32` | `4 : i64`, `true`, `1.0 : f64` | the value |
/// | `String`, [`SymbolName`] | `"text"` | `&str` |
/// | [`FlatSymbolRef`], [`SymbolRef`] | `@name`, `@name::@nested` | a [`Name`], a [`SymbolRef`] |
/// | [`Type`], [`AffineMap`], [`Dictionary`] | `f32`, `affine_map<..>`, `{..}` | the type, `&AffineMap`, a [`Dictionary`] |
/// | [`IntegerSet`] | `affine_set<..>` | `&IntegerSet` |
/// | `Vec` of `i64`, `i32`, `bool`, `f64`, `f32` | `array<i64: 1, 2>` | a [`DenseArray`](super::DenseArray) |
/// | [`Array`](super::Array) of any of these, or of [`Attr`] | `[1, 2]` | an [`Elements`](super::Elements) |
/// | an enum by `#[derive(AttrEnum)]` | an integer, or a declared attribute | the enum |
/// | [`Flags`] of such an enum | a declared attribute | the set |
/// | a declared attribute | itself | the handle |
///
/// Accessors do not allocate: values that are not `Copy` are borrowed from the context.
pub trait AttrValue: Sized {
    /// The constraint of such an attribute, unless the field specifies another one.
    const DEFAULT_CONSTRAINT: &'static AttrConstraint;
    /// The result of the accessor.
    type Get<'c>;

    /// The attribute with this value.
    fn into_attr(self, ctx: &Context) -> Attr;

    /// The value of an attribute that satisfies the constraint; `None` for another one.
    fn from_attr(ctx: &Context, attr: Attr) -> Option<Self::Get<'_>>;
}

macro_rules! integers {
    ($($ty:ty, $of:expr, $constraint:ident;)*) => {$(
        impl AttrValue for $ty {
            const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::$constraint;
            type Get<'c> = $ty;

            fn into_attr(self, ctx: &Context) -> Attr {
                Attr::integer(ctx, i64::from(self), $of)
            }

            fn from_attr(ctx: &Context, attr: Attr) -> Option<$ty> {
                attr.as_i64(ctx).and_then(|value| value.try_into().ok())
            }
        }
    )*};
}

integers! {
    i64, Type::I64, I64_ATTR;
    i32, Type::I32, I32_ATTR;
}

macro_rules! floats {
    ($($ty:ty, $of:expr, $constraint:ident;)*) => {$(
        impl AttrValue for $ty {
            const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::$constraint;
            type Get<'c> = $ty;

            fn into_attr(self, ctx: &Context) -> Attr {
                Attr::float(ctx, self.into(), $of)
            }

            fn from_attr(ctx: &Context, attr: Attr) -> Option<$ty> {
                // The value has this type, so the conversion is exact.
                attr.as_f64(ctx).map(|value| value as $ty)
            }
        }
    )*};
}

floats! {
    f64, Type::F64, F64_ATTR;
    f32, Type::F32, F32_ATTR;
}

impl AttrValue for bool {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::BOOL_ATTR;
    type Get<'c> = bool;

    fn into_attr(self, _: &Context) -> Attr {
        Attr::bool(self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<bool> {
        attr.as_bool(ctx)
    }
}

impl AttrValue for String {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::STRING_ATTR;
    type Get<'c> = &'c str;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::string(ctx, self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<&str> {
        text_of(ctx, attr)
    }
}

/// The text of a string. Bytes that are not UTF-8 are represented as in the names of symbols.
fn text_of(ctx: &Context, attr: Attr) -> Option<&str> {
    let AttrData::String { bytes, .. } = attr.data(ctx) else { return None };
    Some(std::str::from_utf8(bytes).unwrap_or_else(|_| ctx.name(&name_of_bytes(bytes.to_vec())).as_str(ctx)))
}

/// The name of the symbol that an operation defines: `sym_name = "main"`, written `@main`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolName(String);

impl<T: Into<String>> From<T> for SymbolName {
    fn from(name: T) -> Self {
        Self(name.into())
    }
}

impl AttrValue for SymbolName {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::SYMBOL_NAME;
    type Get<'c> = &'c str;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::string(ctx, self.0)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<&str> {
        text_of(ctx, attr)
    }
}

/// A reference to a symbol of the nearest symbol table: `@callee`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlatSymbolRef(Name);

impl From<Name> for FlatSymbolRef {
    fn from(name: Name) -> Self {
        Self(name)
    }
}

impl AttrValue for FlatSymbolRef {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::FLAT_SYMBOL_REF;
    type Get<'c> = Name;

    fn into_attr(self, ctx: &Context) -> Attr {
        ctx.intern_attr(AttrData::SymbolRef { root: self.0, nested: [].into() })
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Name> {
        attr.as_flat_symbol(ctx)
    }
}

/// An integer of type `index`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Index(pub i64);

impl AttrValue for Index {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::INDEX_ATTR;
    type Get<'c> = i64;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::index_value(ctx, self.0)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<i64> {
        attr.as_i64(ctx)
    }
}

/// A dictionary: `{a = 1 : i32}`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dictionary(Attr);

impl Dictionary {
    /// `{}`.
    pub const EMPTY: Self = Self(Attr::EMPTY);

    /// The dictionary with these entries; the last one of each name is kept.
    pub fn new(ctx: &Context, entries: &[(Name, Attr)]) -> Self {
        Self(Attr::dictionary(ctx, entries))
    }

    /// The entries, sorted by name.
    pub fn entries(self, ctx: &Context) -> &[(Name, Attr)] {
        self.0.as_dictionary(ctx).unwrap_or_default()
    }

    /// The entry `name`.
    pub fn get(self, ctx: &Context, name: Name) -> Option<Attr> {
        self.0.get(ctx, name)
    }

    /// The dictionary that an attribute is; `None` for another attribute.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Self> {
        attr.as_dictionary(ctx).map(|_| Self(attr))
    }
}

impl From<Dictionary> for Attr {
    fn from(dictionary: Dictionary) -> Attr {
        dictionary.0
    }
}

impl AttrValue for Dictionary {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::DICT_ATTR;
    type Get<'c> = Self;

    fn into_attr(self, _: &Context) -> Attr {
        self.0
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Self> {
        Self::of(ctx, attr)
    }
}

impl AttrValue for Attr {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::ANY_ATTR;
    type Get<'c> = Attr;

    fn into_attr(self, _: &Context) -> Attr {
        self
    }

    fn from_attr(_: &Context, attr: Attr) -> Option<Attr> {
        Some(attr)
    }
}

impl AttrValue for Type {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::TYPE_ATTR;
    type Get<'c> = Type;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::ty(ctx, self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Type> {
        attr.as_type(ctx)
    }
}

impl AttrValue for SymbolRef {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::SYMBOL_REF;
    type Get<'c> = SymbolRef;

    fn into_attr(self, _: &Context) -> Attr {
        self.into()
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<SymbolRef> {
        SymbolRef::of(ctx, attr)
    }
}

impl AttrValue for AffineMap {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::AFFINE_MAP;
    type Get<'c> = &'c AffineMap;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::affine_map(ctx, self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<&AffineMap> {
        attr.as_affine_map(ctx)
    }
}

impl AttrValue for IntegerSet {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::INTEGER_SET;
    type Get<'c> = &'c IntegerSet;

    fn into_attr(self, ctx: &Context) -> Attr {
        Attr::integer_set(ctx, self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<&IntegerSet> {
        attr.as_integer_set(ctx)
    }
}

/// The constraint of an enum that is stored as an integer of `E::SPEC.integer`: `slt` for `2 : i64`.
pub const fn enum_constraint<E: AttrEnum>() -> AttrConstraint {
    AttrConstraint {
        description: E::SPEC.describe,
        check: |ctx, attr| {
            attr.value_type(ctx) == Some(E::SPEC.integer)
                && attr.as_i64(ctx).is_some_and(|value| E::SPEC.keyword(value).is_some())
        },
        syntax: AttrSyntax::EnumInteger(E::SPEC.integer, E::SPEC.cases),
    }
}

/// An enum whose sets are stored by operations as a declared attribute, with the set as its only parameter:
/// `#[attr_enum(flags = FastMathAttr)]`.
pub trait FlagEnum: AttrEnum {
    /// The declared attribute.
    type Attr: AttrDef;
}

impl<E: FlagEnum> AttrValue for Flags<E> {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &<E::Attr as AttrDef>::CONSTRAINT;
    type Get<'c> = Self;

    fn into_attr(self, ctx: &Context) -> Attr {
        wrap::<E::Attr, Self>(ctx, self)
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Self> {
        unwrap::<E::Attr, Self>(ctx, attr)
    }
}

/// The declared attribute `A` with a single parameter.
pub fn wrap<A: AttrDef, T: Parameter>(ctx: &Context, value: T) -> Attr {
    match A::SPEC.intern(ctx, [value.store(ctx)].into()) {
        TypeOrAttr::Attr(attr) => attr,
        TypeOrAttr::Type(_) => unreachable!("an `AttrDef` declares an attribute"),
    }
}

/// The parameter of a declared attribute with a single parameter; `None` for another attribute.
pub fn unwrap<A: AttrDef, T: Parameter>(ctx: &Context, attr: Attr) -> Option<T::Get<'_>> {
    A::cast(ctx, attr)?;
    attr.declared(ctx)?.params().first().map(|param| T::load(ctx, param))
}

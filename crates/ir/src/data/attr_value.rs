//! Rust types as attributes of operations.

use super::{AttrEnum, SymbolRef};
use crate::affine::AffineMap;
use crate::constraints as of;
use crate::{Attr, AttrConstraint, AttrData, AttrSyntax, Context, Type};

/// A Rust type that may be an attribute of an operation: the field `#[attr] index: i64` of `#[op]` is stored as
/// `4 : i64`, is a parameter of the builder, and has an accessor that returns an `i64`.
///
/// Implemented for `i64`, `i32`, `bool`, `f64`, `f32`, `String`, [`Type`], [`SymbolRef`], [`AffineMap`], `Vec` of `i64`,
/// `i32`, `bool`, `f64`, `f32` (dense arrays), enums by `#[derive(AttrEnum)]` (integers of type `i64`), and declared
/// attributes.
pub trait AttrValue: Sized {
    /// The constraint of such an attribute, unless the field gives another one.
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
                // The value is one of the type, so that the conversion is exact.
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
        attr.as_str(ctx)
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

macro_rules! arrays {
    ($($ty:ty, $of:expr, $constraint:ident;)*) => {$(
        impl AttrValue for Vec<$ty> {
            const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::$constraint;
            type Get<'c> = Vec<$ty>;

            fn into_attr(self, ctx: &Context) -> Attr {
                let data = self.iter().flat_map(|value| value.to_le_bytes()).collect();
                ctx.intern_attr(AttrData::DenseArray { element: $of, data })
            }

            fn from_attr(ctx: &Context, attr: Attr) -> Option<Vec<$ty>> {
                match attr.data(ctx) {
                    AttrData::DenseArray { element, data } if *element == $of => {
                        Some(data.as_chunks().0.iter().map(|&bytes| <$ty>::from_le_bytes(bytes)).collect())
                    }
                    _ => None,
                }
            }
        }
    )*};
}

arrays! {
    i64, Type::I64, DENSE_I64;
    i32, Type::I32, DENSE_I32;
    f64, Type::F64, DENSE_F64;
    f32, Type::F32, DENSE_F32;
}

impl AttrValue for Vec<bool> {
    const DEFAULT_CONSTRAINT: &'static AttrConstraint = &of::DENSE_BOOL;
    type Get<'c> = Vec<bool>;

    fn into_attr(self, ctx: &Context) -> Attr {
        let data = self.into_iter().map(u8::from).collect();
        ctx.intern_attr(AttrData::DenseArray { element: Type::I1, data })
    }

    fn from_attr(ctx: &Context, attr: Attr) -> Option<Vec<bool>> {
        match attr.data(ctx) {
            AttrData::DenseArray { element: Type::I1, data } => {
                Some(data.iter().map(|&byte| byte != 0).collect())
            }
            _ => None,
        }
    }
}

/// The constraint of an enum that is stored as an integer of type `i64`: `slt` for `2 : i64`.
pub const fn enum_constraint<E: AttrEnum>() -> AttrConstraint {
    AttrConstraint {
        description: E::SPEC.describe,
        check: |ctx, attr| {
            attr.value_type(ctx) == Some(Type::I64)
                && attr.as_i64(ctx).is_some_and(|value| E::SPEC.keyword(value).is_some())
        },
        syntax: AttrSyntax::EnumInteger(Type::I64, E::SPEC.cases),
    }
}

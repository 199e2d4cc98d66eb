//! Rust types as parameters.

use super::{Param, ParamKind};
use crate::affine::AffineMap;
use crate::text::bytes_of_name;
use crate::{Attr, AttrData, Context, Name, Type};

/// A Rust type that may be a parameter of a declared type or attribute: integers, `bool`, `f64`, `String`, [`Type`],
/// [`Attr`], [`SymbolRef`], [`AffineMap`], enums by `#[derive(AttrEnum)]` and sets of them
/// ([`Flags`](super::Flags)), declared types and attributes, and `Vec` and `Option` of these.
pub trait Parameter: Sized {
    /// The kind.
    const KIND: ParamKind;
    /// The type of the accessor's result.
    type Get<'c>;

    /// Stores a value.
    fn store(self, ctx: &Context) -> Param;

    /// Reads a stored value.
    fn load<'c>(ctx: &'c Context, param: &'c Param) -> Self::Get<'c>;
}

/// A stored value of another kind than declared: impossible, as only the parser and `store` create values.
#[cold]
#[track_caller]
pub(super) fn wrong_kind(param: &Param) -> ! {
    unreachable!("a parameter has another kind than declared: {param:?}")
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Parameter for $ty {
            const KIND: ParamKind = ParamKind::Int { bits: <$ty>::BITS, signed: <$ty>::MIN != 0 };
            type Get<'c> = $ty;

            fn store(self, _: &Context) -> Param {
                Param::Int(self as i64)
            }

            fn load<'c>(_: &'c Context, param: &'c Param) -> $ty {
                match *param {
                    // The parser checks the range.
                    Param::Int(value) => value as $ty,
                    _ => wrong_kind(param),
                }
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

impl Parameter for bool {
    const KIND: ParamKind = ParamKind::Bool;
    type Get<'c> = bool;

    fn store(self, _: &Context) -> Param {
        Param::Int(self.into())
    }

    fn load<'c>(_: &'c Context, param: &'c Param) -> bool {
        *param == Param::Int(1)
    }
}

impl Parameter for f64 {
    const KIND: ParamKind = ParamKind::F64;
    type Get<'c> = f64;

    fn store(self, _: &Context) -> Param {
        Param::Int(self.to_bits() as i64)
    }

    fn load<'c>(_: &'c Context, param: &'c Param) -> f64 {
        match *param {
            Param::Int(bits) => f64::from_bits(bits as u64),
            _ => wrong_kind(param),
        }
    }
}

impl Parameter for String {
    const KIND: ParamKind = ParamKind::String;
    type Get<'c> = &'c str;

    fn store(self, ctx: &Context) -> Param {
        Param::Name(ctx.name(&self))
    }

    fn load<'c>(ctx: &'c Context, param: &'c Param) -> &'c str {
        match param {
            Param::Name(name) => name.as_str(ctx),
            _ => wrong_kind(param),
        }
    }
}

impl Parameter for Type {
    const KIND: ParamKind = ParamKind::Type;
    type Get<'c> = Type;

    fn store(self, _: &Context) -> Param {
        Param::Type(self)
    }

    fn load<'c>(_: &'c Context, param: &'c Param) -> Type {
        match *param {
            Param::Type(ty) => ty,
            _ => wrong_kind(param),
        }
    }
}

impl Parameter for Attr {
    const KIND: ParamKind = ParamKind::Attr;
    type Get<'c> = Attr;

    fn store(self, _: &Context) -> Param {
        Param::Attr(self)
    }

    fn load<'c>(_: &'c Context, param: &'c Param) -> Attr {
        match *param {
            Param::Attr(attr) => attr,
            _ => wrong_kind(param),
        }
    }
}

/// A symbol reference as a parameter, `@root::@nested`: a use of the symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SymbolRef(Attr);

impl SymbolRef {
    /// `@name`.
    pub fn flat(ctx: &Context, name: &str) -> Self {
        Self(Attr::symbol_ref(ctx, name))
    }

    /// The reference that an attribute is; `None` for another attribute.
    pub fn of(ctx: &Context, attr: Attr) -> Option<Self> {
        matches!(attr.data(ctx), AttrData::SymbolRef { .. }).then_some(Self(attr))
    }

    /// The outermost symbol.
    pub fn root(self, ctx: &Context) -> Name {
        match self.0.data(ctx) {
            AttrData::SymbolRef { root, .. } => *root,
            _ => unreachable!("only symbol references become a `SymbolRef`"),
        }
    }

    /// The bytes of the outermost symbol's name.
    pub fn bytes(self, ctx: &Context) -> Vec<u8> {
        bytes_of_name(self.root(ctx).as_str(ctx)).into_owned()
    }
}

impl From<SymbolRef> for Attr {
    fn from(symbol: SymbolRef) -> Attr {
        symbol.0
    }
}

impl Parameter for SymbolRef {
    const KIND: ParamKind = ParamKind::Symbol;
    type Get<'c> = SymbolRef;

    fn store(self, _: &Context) -> Param {
        Param::Attr(self.0)
    }

    fn load<'c>(_: &'c Context, param: &'c Param) -> SymbolRef {
        match *param {
            Param::Attr(attr) => SymbolRef(attr),
            _ => wrong_kind(param),
        }
    }
}

impl Parameter for AffineMap {
    const KIND: ParamKind = ParamKind::AffineMap;
    type Get<'c> = &'c AffineMap;

    fn store(self, ctx: &Context) -> Param {
        Param::Attr(Attr::affine_map(ctx, self))
    }

    fn load<'c>(ctx: &'c Context, param: &'c Param) -> &'c AffineMap {
        match param {
            Param::Attr(attr) => attr.as_affine_map(ctx).unwrap_or_else(|| wrong_kind(param)),
            _ => wrong_kind(param),
        }
    }
}

impl<T: Parameter> Parameter for Vec<T> {
    const KIND: ParamKind = ParamKind::Array(&T::KIND);
    type Get<'c> = Vec<T::Get<'c>>;

    fn store(self, ctx: &Context) -> Param {
        Param::Array(self.into_iter().map(|element| element.store(ctx)).collect())
    }

    fn load<'c>(ctx: &'c Context, param: &'c Param) -> Vec<T::Get<'c>> {
        match param {
            Param::Array(elements) => elements.iter().map(|element| T::load(ctx, element)).collect(),
            _ => wrong_kind(param),
        }
    }
}

impl<T: Parameter> Parameter for Option<T> {
    const KIND: ParamKind = ParamKind::Optional(&T::KIND);
    type Get<'c> = Option<T::Get<'c>>;

    fn store(self, ctx: &Context) -> Param {
        self.map_or(Param::Absent, |value| value.store(ctx))
    }

    fn load<'c>(ctx: &'c Context, param: &'c Param) -> Option<T::Get<'c>> {
        match param {
            Param::Absent => None,
            _ => Some(T::load(ctx, param)),
        }
    }
}

//! Type and attribute constraints of upstream's arith dialect, with its descriptions.

use minoan_ir::{Attr, AttrConstraint, AttrData, AttrSyntax, Context, Type, TypeConstraint, TypeData};

macro_rules! type_constraints {
    ($($name:ident $description:literal $check:expr;)*) => {$(
        #[doc = concat!("\"must be ", $description, "\"")]
        pub static $name: TypeConstraint =
            TypeConstraint { description: $description, check: $check, only: None };
    )*};
}

type_constraints! {
    FIXED_WIDTH_INTEGER_LIKE "signless-fixed-width-integer-like" |ctx, ty|
        !ty.is_memref(ctx) && ty.element_or_self(ctx).is_signless_integer(ctx);
    INTEGER_OR_MEMREF "signless-integer-like or memref of signless-integer" |ctx, ty|
        ty.element_or_self(ctx) == Type::INDEX || ty.element_or_self(ctx).is_signless_integer(ctx);
    NUMBER_OR_MEMREF "signless-integer-or-float-like or memref of signless-integer or float" is_number;
}

fn is_number(ctx: &Context, ty: Type) -> bool {
    let element = ty.element_or_self(ctx);
    element.is_float(ctx) || element.is_signless_integer(ctx)
}

/// The keywords of `#arith.fastmath<..>`.
const FAST_MATH: &[&str] = &["none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"];

/// The keywords of `#arith.overflow<..>`.
const OVERFLOW_FLAGS: &[&str] = &["none", "nsw", "nuw"];

/// The rounding modes, with the values of their attribute.
const ROUNDING_MODES: &[(&str, i64)] =
    &[("to_nearest_even", 0), ("downward", 1), ("upward", 2), ("toward_zero", 3), ("to_nearest_away", 4)];

const FAST_MATH_SYNTAX: AttrSyntax = AttrSyntax::EnumOpaque {
    dialect: "arith",
    mnemonic: "fastmath",
    cases: FAST_MATH,
    flags: Some(","),
    all: Some("fast"),
};

const OVERFLOW_SYNTAX: AttrSyntax = AttrSyntax::EnumOpaque {
    dialect: "arith",
    mnemonic: "overflow",
    cases: OVERFLOW_FLAGS,
    flags: Some(", "),
    all: None,
};

/// The assembly of the dialect's attributes.
pub(crate) const ENUMS: &[AttrSyntax] = &[FAST_MATH_SYNTAX, OVERFLOW_SYNTAX];

/// "Floating point fast math flags": permissions to deviate from IEEE 754. The evaluation makes no use of them.
pub static FASTMATH: AttrConstraint = AttrConstraint {
    description: "Floating point fast math flags",
    check: |ctx, attr| has_flags(ctx, attr, "fastmath", FAST_MATH),
    syntax: FAST_MATH_SYNTAX,
};

/// "Integer overflow arith flags": assertions that the result fits, as a signed or unsigned number.
pub static OVERFLOW: AttrConstraint = AttrConstraint {
    description: "Integer overflow arith flags",
    check: |ctx, attr| has_flags(ctx, attr, "overflow", OVERFLOW_FLAGS),
    syntax: OVERFLOW_SYNTAX,
};

/// "Floating point rounding mode", a number of type `i32`.
pub static ROUNDING_MODE: AttrConstraint = AttrConstraint {
    description: "Floating point rounding mode",
    check: |ctx, attr| is_case(ctx, attr, Type::I32, ROUNDING_MODES),
    syntax: AttrSyntax::EnumInteger(Type::I32, ROUNDING_MODES),
};

/// Whether an attribute is a case of an integer enum.
pub(crate) fn is_case(ctx: &Context, attr: Attr, ty: Type, cases: &[(&str, i64)]) -> bool {
    attr.value_type(ctx) == Some(ty)
        && attr.as_i64(ctx).is_some_and(|value| cases.iter().any(|&(_, case)| case == value))
}

/// The keywords in `#arith.mnemonic<keyword, keyword>`.
pub(crate) fn flags_of<'a>(
    ctx: &'a Context,
    attr: Attr,
    mnemonic: &str,
) -> Option<impl Iterator<Item = &'a str>> {
    let AttrData::Opaque { dialect, text, .. } = attr.data(ctx) else { return None };
    if dialect.as_str(ctx) != "arith" {
        return None;
    }
    let text = text.as_str(ctx).strip_prefix('.')?.strip_prefix(mnemonic)?;
    Some(text.strip_prefix('<')?.strip_suffix('>')?.split(',').map(str::trim))
}

fn has_flags(ctx: &Context, attr: Attr, mnemonic: &str, cases: &[&str]) -> bool {
    flags_of(ctx, attr, mnemonic).is_some_and(|mut flags| flags.all(|flag| cases.contains(&flag)))
}

/// Whether an `#arith.overflow<..>` has a flag.
pub(crate) fn has_overflow_flag(ctx: &Context, attr: Attr, flag: &str) -> bool {
    flags_of(ctx, attr, "overflow").is_some_and(|mut flags| flags.any(|have| have == flag))
}

/// The result type of a comparison: `i1`, or `i1` elements with the same extents.
pub fn bool_like(ctx: &Context, ty: Type) -> Option<Type> {
    match ty.data(ctx) {
        TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_) | TypeData::Vector { .. } => {
            ty.with_element(ctx, Type::I1)
        }
        _ => Some(Type::I1),
    }
}

//! Type and attribute constraints of upstream's vector dialect, with its descriptions.

use crate::attributes::{IteratorType, IteratorTypeAttr};
use crate::types::Parts;
use minoan_ir::{
    Attr, AttrConstraint, AttrData, AttrSyntax, Context, DYNAMIC, Type, TypeData, type_constraints,
};

type_constraints! {
    pub VECTOR "vector of any type values" |ctx, ty| ty.is_vector(ctx);
    pub VECTOR_WITH_RANK "vector of any type values" |ctx, ty| ty.rank(ctx) > Some(0) && ty.is_vector(ctx);
    pub FIXED_VECTOR "fixed-length vector of any type values" is_fixed;
    pub FLOAT_VECTOR "vector of floating-point values" |ctx, ty| has(ctx, ty, |element| element.is_float(ctx));
    pub MASK "vector of 1-bit signless integer values" is_mask;
    pub MASK_WITH_RANK "vector of 1-bit signless integer values" |ctx, ty| is_mask(ctx, ty) && ty.rank(ctx) > Some(0);
    pub FIXED_MASK "fixed-length vector of 1-bit signless integer values" |ctx, ty| is_mask(ctx, ty) && is_fixed(ctx, ty) && ty.rank(ctx) > Some(0);
    pub INDICES "vector of integer or index values" |ctx, ty| ty.rank(ctx) > Some(0) && has(ctx, ty, |element| element == Type::INDEX || element.integer_width(ctx).is_some());
    pub STEPS "vector of index values of ranks 1" |ctx, ty| ty.rank(ctx) == Some(1) && has(ctx, ty, |element| element == Type::INDEX);
    pub ROW " of ranks 1" |ctx, ty| ty.is_vector(ctx) && ty.rank(ctx) == Some(1);
    pub SCALABLE_ROW " of ranks 1" |ctx, ty| Parts::of(ctx, ty).is_some_and(|parts| parts.scalable == [true]);
    pub TENSOR_OR_MEMREF "Tensor or MemRef of any type values" |ctx, ty| ty.is_tensor(ctx) || ty.is_memref(ctx);
    pub STATIC_MEMREF "statically shaped memref of any type values" |ctx, ty| matches!(ty.data(ctx), TypeData::MemRef { shape, .. } if !shape.contains(&DYNAMIC));
    pub PRINTABLE "" |ctx, ty| ty.is_vector(ctx) || ty == Type::INDEX || ty.integer_width(ctx).is_some() || ty.is_float(ctx);
}

fn has(ctx: &Context, ty: Type, check: impl Fn(Type) -> bool) -> bool {
    Parts::of(ctx, ty).is_some_and(|parts| check(parts.element))
}

fn is_mask(ctx: &Context, ty: Type) -> bool {
    has(ctx, ty, |element| element == Type::I1)
}

fn is_fixed(ctx: &Context, ty: Type) -> bool {
    Parts::of(ctx, ty).is_some_and(|parts| !parts.is_scalable())
}

macro_rules! attr_constraints {
    ($($name:ident $description:literal $syntax:expr, $check:expr;)*) => {$(
        #[doc = concat!("\"", $description, "\"")]
        pub static $name: AttrConstraint =
            AttrConstraint { description: $description, check: $check, syntax: $syntax };
    )*};
}

attr_constraints! {
    LITERAL "An Attribute containing a string" AttrSyntax::Any, |ctx, attr| matches!(attr.data(ctx), AttrData::String { .. });
}

/// An iterator type of a contraction.
pub(crate) fn iterator_of(ctx: &Context, attr: Attr) -> Option<IteratorType> {
    Some(IteratorTypeAttr::cast(ctx, attr)?.value(ctx))
}

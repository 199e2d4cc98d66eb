//! Type constraints of upstream's complex dialect, with its descriptions.

use minoan_ir::{Context, Type, TypeData, type_constraints};

type_constraints! {
    pub COMPLEX "complex type with floating-point elements" |ctx, ty| part_type(ctx, ty).is_some_and(|part| part.is_float(ctx));
    pub ANY_COMPLEX "complex-type" |ctx, ty| part_type(ctx, ty).is_some();
    pub SIGNLESS_INTEGER "signless integer" |ctx, ty| ty.is_signless_integer(ctx);
}

/// The type of complex numbers with parts of a type.
pub fn complex_type(ctx: &Context, part: Type) -> Type {
    ctx.intern_type(TypeData::Complex(part))
}

/// The type of the parts of a complex type; `None` for other types.
pub fn part_type(ctx: &Context, ty: Type) -> Option<Type> {
    match *ty.data(ctx) {
        TypeData::Complex(part) => Some(part),
        _ => None,
    }
}

/// The types of which random programs should have values.
pub(crate) fn types(ctx: &Context) -> Vec<Type> {
    [Type::F32, Type::F64, Type::F16].map(|part| complex_type(ctx, part)).to_vec()
}

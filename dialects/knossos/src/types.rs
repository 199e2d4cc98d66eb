//! The types of Knossos values.

use minoan_ir::{Context, DYNAMIC, Type, TypeConstraint, TypeData};

/// `!knossos.string`.
pub fn string_type(ctx: &Context) -> Type {
    Type::opaque(ctx, "knossos", ".string")
}

/// Whether a type represents `Integer`, `Float` or `Bool`.
pub fn is_number(ctx: &Context, ty: Type) -> bool {
    ty == Type::I64 || ty == Type::I1 || is_float(ctx, ty)
}

pub(crate) fn is_float(_: &Context, ty: Type) -> bool {
    ty == Type::F32 || ty == Type::F64
}

fn is_string(ctx: &Context, ty: Type) -> bool {
    matches!(ty.data(ctx), TypeData::Opaque { .. }) && ty == string_type(ctx)
}

/// The maximum nesting depth of tuples.
pub const MAX_TUPLE_DEPTH: usize = 200;
/// The maximum number of components of a tuple, including those of nested tuples.
pub const MAX_PARTS: usize = 10_000;

/// Whether a type represents Knossos values: a number, a string, a tensor of numbers, or a tuple of these within the
/// limits of depth and size.
pub fn is_value_type(ctx: &Context, ty: Type) -> bool {
    let mut pending = vec![(ty, 0)];
    let mut seen = 0;
    while let Some((ty, depth)) = pending.pop() {
        seen += 1;
        if seen > MAX_PARTS || depth > MAX_TUPLE_DEPTH {
            return false;
        }
        if let Some(parts) = ty.as_tuple(ctx) {
            pending.extend(parts.iter().map(|&part| (part, depth + 1)));
        } else if !is_number(ctx, ty) && !is_array(ctx, ty) && !is_string(ctx, ty) {
            return false;
        }
    }
    true
}

pub(crate) fn is_array(ctx: &Context, ty: Type) -> bool {
    match ty.data(ctx) {
        TypeData::RankedTensor { shape, element, encoding: None } => {
            !shape.is_empty() && shape.iter().all(|&extent| extent == DYNAMIC) && is_number(ctx, *element)
        }
        _ => false,
    }
}

/// The type of tensors of this rank.
pub fn array(ctx: &Context, rank: usize, element: Type) -> Type {
    Type::tensor(ctx, &vec![DYNAMIC; rank], element)
}

macro_rules! constraints {
    ($($name:ident $description:literal $check:expr;)*) => {$(
        #[doc = concat!("\"must be ", $description, "\"")]
        pub static $name: TypeConstraint =
            TypeConstraint { description: $description, check: $check, only: None };
    )*};
}

constraints! {
    VALUE "a Knossos value" is_value_type;
    ARRAY "a tensor of numbers of dynamic extents" is_array;
    TUPLE "a tuple of Knossos values" |ctx, ty| ty.as_tuple(ctx).is_some() && is_value_type(ctx, ty);
    STRING "a Knossos string" is_string;
    NUMBER "a Knossos number" is_number;
    FLOAT "f32 or f64" is_float;
    SIZE "one i64, or a tuple of several" |ctx, ty| size_rank(ctx, ty).is_some();
}

/// The rank of tensors whose size has this type.
pub(crate) fn size_rank(ctx: &Context, ty: Type) -> Option<usize> {
    match ty.as_tuple(ctx) {
        None => (ty == Type::I64).then_some(1),
        Some(parts) => {
            (parts.len() > 1 && parts.iter().all(|&part| part == Type::I64)).then_some(parts.len())
        }
    }
}

/// The type of the size of a tensor of this rank.
pub fn size_type(ctx: &Context, rank: usize) -> Type {
    if rank == 1 { Type::I64 } else { Type::tuple(ctx, &vec![Type::I64; rank]) }
}

//! Type and attribute constraints for declarations, with MLIR's descriptions.

use crate::strided::Strided;
use crate::{
    Attr, AttrConstraint, AttrData, AttrSyntax, Context, DYNAMIC, FloatKind, OnlyType, Signedness, Type,
    TypeConstraint, TypeData,
};

/// Declares constraints: documentation, visibility, name, description and predicate of each.
///
/// ```
/// use minoan_ir::type_constraints;
///
/// type_constraints! {
///     pub PAIR "pair" |ctx, ty| ty.as_tuple(ctx).is_some_and(|all| all.len() == 2);
/// }
/// assert_eq!(PAIR.to_string(), "pair");
/// ```
#[macro_export]
macro_rules! type_constraints {
    ($($vis:vis $name:ident $description:literal $check:expr;)*) => {$(
        #[doc = concat!("\"must be ", $description, "\"")]
        $vis static $name: $crate::TypeConstraint = $crate::TypeConstraint::new($description, $check);
    )*};
}

macro_rules! scalars {
    ($($name:ident $description:literal $ty:expr;)*) => {$(
        #[doc = concat!("\"must be ", $description, "\"")]
        pub static $name: TypeConstraint = TypeConstraint::only_type($description, OnlyType::Scalar($ty));
    )*};
}

scalars! {
    I1 "1-bit signless integer" Type::I1;
    I8 "8-bit signless integer" Type::I8;
    I16 "16-bit signless integer" Type::I16;
    F16 "16-bit float" Type::F16;
    BF16 "bfloat16 type" Type::BF16;
    F32 "32-bit float" Type::F32;
    F64 "64-bit float" Type::F64;
    I32 "32-bit signless integer" Type::I32;
    I64 "64-bit signless integer" Type::I64;
    INDEX "index" Type::INDEX;
}

type_constraints! {
    pub ANY "any type" |_, _| true;
    pub SIGNLESS_INTEGER_LIKE "signless-integer-like" |ctx, ty| is_int_or_index(ctx, ty.element_or_self(ctx)) && like(ctx, ty);
    pub SIGNLESS_INTEGER_OR_INDEX "signless integer or index" is_int_or_index;
    pub BOOL_LIKE "bool-like" |ctx, ty| ty.element_or_self(ctx) == Type::I1 && like(ctx, ty);
    pub FLOAT_LIKE "floating-point-like" |ctx, ty| ty.element_or_self(ctx).is_float(ctx) && like(ctx, ty);
    pub I4 "4-bit signless integer" |ctx, ty| is_int(ctx, ty, Signedness::Signless, 4);
    pub I128 "128-bit signless integer" |ctx, ty| is_int(ctx, ty, Signedness::Signless, 128);
    pub SI8 "8-bit signed integer" |ctx, ty| is_int(ctx, ty, Signedness::Signed, 8);
    pub SI16 "16-bit signed integer" |ctx, ty| is_int(ctx, ty, Signedness::Signed, 16);
    pub SI32 "32-bit signed integer" |ctx, ty| is_int(ctx, ty, Signedness::Signed, 32);
    pub SI64 "64-bit signed integer" |ctx, ty| is_int(ctx, ty, Signedness::Signed, 64);
    pub UI8 "8-bit unsigned integer" |ctx, ty| is_int(ctx, ty, Signedness::Unsigned, 8);
    pub UI16 "16-bit unsigned integer" |ctx, ty| is_int(ctx, ty, Signedness::Unsigned, 16);
    pub UI32 "32-bit unsigned integer" |ctx, ty| is_int(ctx, ty, Signedness::Unsigned, 32);
    pub UI64 "64-bit unsigned integer" |ctx, ty| is_int(ctx, ty, Signedness::Unsigned, 64);
    pub TF32 "tf32 type" |ctx, ty| is_float(ctx, ty, FloatKind::TF32);
    pub F80 "80-bit float" |ctx, ty| is_float(ctx, ty, FloatKind::F80);
    pub F128 "128-bit float" |ctx, ty| is_float(ctx, ty, FloatKind::F128);
    pub ANY_FLOAT "floating-point" |ctx, ty| ty.is_float(ctx);
    pub ANY_INTEGER "integer" |ctx, ty| ty.integer_width(ctx).is_some();
    pub INDEX_LIKE "index-like" |ctx, ty| ty.element_or_self(ctx) == Type::INDEX && like(ctx, ty);
    pub INDEX_CAST "signless-integer-like or memref of signless-integer" |ctx, ty| is_int_or_index(ctx, ty.element_or_self(ctx));
    pub TENSOR "tensor of any type values" |ctx, ty| ty.is_tensor(ctx);
    pub NON_0D_TENSOR "non-0-ranked or unranked tensor" |ctx, ty| ty.is_tensor(ctx) && ty.rank(ctx) != Some(0);
    pub RANKED_TENSOR "ranked tensor of any type values" |ctx, ty| matches!(ty.data(ctx), TypeData::RankedTensor { .. });
    pub MEMREF "memref of any type values" |ctx, ty| matches!(ty.data(ctx), TypeData::MemRef { .. });
    pub STRIDED_MEMREF "strided memref of any type values" |ctx, ty| Strided::of(ctx, ty).is_some();
    pub STRIDED_MEMREF_0D "strided memref of any type values of rank 0" |ctx, ty| Strided::of(ctx, ty).is_some_and(|layout| layout.strides.is_empty());
    pub MEMREF_1D "1D memref of any type values" |ctx, ty| ty.rank(ctx) == Some(1) && is_ranked_memref(ctx, ty);
    pub SHAPE_MEMREF "1D memref of signless integer or index values" |ctx, ty| ty.rank(ctx) == Some(1) && is_ranked_memref(ctx, ty) && is_int_or_index(ctx, ty.element_or_self(ctx));
    pub SHAPE_TENSOR "1D tensor of signless integer or index values" |ctx, ty| ty.rank(ctx) == Some(1) && ty.is_tensor(ctx) && is_int_or_index(ctx, ty.element_or_self(ctx));
    pub STATIC_TENSOR "statically shaped tensor of any type values" |ctx, ty| ty.is_tensor(ctx) && ty.shape(ctx).is_some_and(|shape| !shape.contains(&DYNAMIC));
    pub BYTES_1D "1D memref of 8-bit signless integer values" |ctx, ty| ty.rank(ctx) == Some(1) && is_ranked_memref(ctx, ty) && is_byte(ctx, ty.element_or_self(ctx));
    pub STATIC_MEMREF "statically shaped memref of any type values" |ctx, ty| is_ranked_memref(ctx, ty) && !ty.shape(ctx).is_some_and(|shape| shape.contains(&DYNAMIC));
    pub NUMBER "signless integer or floating-point" is_number;
    pub NUMBERS_MEMREF "memref of signless integer or floating-point values" |ctx, ty| is_ranked_memref(ctx, ty) && is_number(ctx, ty.element_or_self(ctx));
    pub NON_0D_MEMREF "unranked.memref of any type values or non-0-ranked.memref of any type values" |ctx, ty| ty.is_memref(ctx) && ty.rank(ctx) != Some(0);
    pub ANY_MEMREF "ranked or unranked memref of any type values" |ctx, ty| ty.is_memref(ctx);
    pub SHAPED "shaped of any type values" |ctx, ty| ty.is_tensor(ctx) || ty.is_memref(ctx) || ty.is_vector(ctx);
    pub FUNCTION "function type" |ctx, ty| ty.as_function(ctx).is_some();
}

fn is_int(ctx: &Context, ty: Type, signedness: Signedness, width: u32) -> bool {
    matches!(*ty.data(ctx), TypeData::Integer { signedness: s, width: w } if s == signedness && w == width)
}

fn is_float(ctx: &Context, ty: Type, kind: FloatKind) -> bool {
    matches!(*ty.data(ctx), TypeData::Float(found) if found == kind)
}

fn is_ranked_memref(ctx: &Context, ty: Type) -> bool {
    matches!(ty.data(ctx), TypeData::MemRef { .. })
}

fn is_byte(ctx: &Context, ty: Type) -> bool {
    ty.is_signless_integer(ctx) && ty.integer_width(ctx) == Some(8)
}

fn is_number(ctx: &Context, ty: Type) -> bool {
    ty.is_signless_integer(ctx) || ty.is_float(ctx)
}

/// A scalar, vector or tensor: what MLIR's "-like" constraints admit.
fn like(ctx: &Context, ty: Type) -> bool {
    !ty.is_memref(ctx)
}

fn is_int_or_index(ctx: &Context, ty: Type) -> bool {
    ty == Type::INDEX || matches!(ty.data(ctx), TypeData::Integer { signedness: Signedness::Signless, .. })
}

macro_rules! attr_constraints {
    ($($name:ident $description:literal $syntax:expr, $check:expr;)*) => {$(
        #[doc = concat!("\"", $description, "\"")]
        pub static $name: AttrConstraint =
            AttrConstraint { description: $description, check: $check, syntax: $syntax };
    )*};
}

attr_constraints! {
    ANY_ATTR "any attribute" AttrSyntax::Any, |_, _| true;
    TYPED_ATTR "TypedAttr instance" AttrSyntax::Any, |ctx, attr| attr.value_type(ctx).is_some();
    UNIT_ATTR "unit attribute" AttrSyntax::Unit, |_, attr| attr == Attr::UNIT;
    BOOL_ATTR "bool attribute" AttrSyntax::Any, |ctx, attr| attr.as_bool(ctx).is_some();
    I32_ATTR "32-bit signless integer attribute" AttrSyntax::Typed(Type::I32), |ctx, attr| has_type(ctx, attr, Type::I32);
    I64_ATTR "64-bit signless integer attribute" AttrSyntax::Typed(Type::I64), |ctx, attr| has_type(ctx, attr, Type::I64);
    I8_ATTR "8-bit signless integer attribute" AttrSyntax::Typed(Type::I8), |ctx, attr| has_type(ctx, attr, Type::I8);
    I16_ATTR "16-bit signless integer attribute" AttrSyntax::Typed(Type::I16), |ctx, attr| has_type(ctx, attr, Type::I16);
    F32_ATTR "32-bit float attribute" AttrSyntax::Typed(Type::F32), |ctx, attr| is_float_of(ctx, attr, Type::F32);
    F64_ATTR "64-bit float attribute" AttrSyntax::Typed(Type::F64), |ctx, attr| is_float_of(ctx, attr, Type::F64);
    INDEX_ATTR "index attribute" AttrSyntax::Typed(Type::INDEX), |ctx, attr| has_type(ctx, attr, Type::INDEX);
    STRING_ATTR "string attribute" AttrSyntax::Any, |ctx, attr| matches!(attr.data(ctx), AttrData::String { .. });
    SYMBOL_NAME "string attribute" AttrSyntax::SymbolName, |ctx, attr| matches!(attr.data(ctx), AttrData::String { .. });
    SYMBOL_REF "symbol reference attribute" AttrSyntax::SymbolRef, |ctx, attr| matches!(attr.data(ctx), AttrData::SymbolRef { .. });
    FLAT_SYMBOL_REF "flat symbol reference attribute" AttrSyntax::SymbolRef, |ctx, attr| attr.as_flat_symbol(ctx).is_some();
    TYPE_ATTR "any type attribute" AttrSyntax::Type, |ctx, attr| attr.as_type(ctx).is_some();
    FUNCTION_TYPE_ATTR "type attribute of function type" AttrSyntax::Type, |ctx, attr| attr.as_type(ctx).is_some_and(|ty| ty.as_function(ctx).is_some());
    DICT_ATTR "dictionary of named attribute values" AttrSyntax::Any, |ctx, attr| attr.as_dictionary(ctx).is_some();
    ARRAY_ATTR "array attribute" AttrSyntax::Any, |ctx, attr| attr.as_array(ctx).is_some();
    DENSE_I64 "i64 dense array attribute" AttrSyntax::DenseArray(Type::I64), |ctx, attr| attr.as_dense_i64(ctx).is_some();
    DENSE_I32 "i32 dense array attribute" AttrSyntax::DenseArray(Type::I32), |ctx, attr| attr.as_dense_i32(ctx).is_some();
    DENSE_F64 "f64 dense array attribute" AttrSyntax::DenseArray(Type::F64), |ctx, attr| is_dense_array(ctx, attr, Type::F64);
    DENSE_F32 "f32 dense array attribute" AttrSyntax::DenseArray(Type::F32), |ctx, attr| is_dense_array(ctx, attr, Type::F32);
    DENSE_BOOL "i1 dense array attribute" AttrSyntax::DenseArray(Type::I1), |ctx, attr| is_dense_array(ctx, attr, Type::I1);
    AFFINE_MAP "AffineMap attribute" AttrSyntax::Any, |ctx, attr| attr.as_affine_map(ctx).is_some();
    INTEGER_SET "IntegerSet attribute" AttrSyntax::Any, |ctx, attr| attr.as_integer_set(ctx).is_some();
    POSITIVE_I32 "32-bit signless integer attribute whose value is positive" AttrSyntax::Typed(Type::I32), |ctx, attr| has_type(ctx, attr, Type::I32) && attr.as_i64(ctx).is_some_and(|value| value > 0);
    ALIGNMENT "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0" AttrSyntax::Typed(Type::I64), |ctx, attr| has_type(ctx, attr, Type::I64) && attr.as_i64(ctx).is_some_and(|value| value > 0 && value & (value - 1) == 0);
}

fn has_type(ctx: &Context, attr: Attr, ty: Type) -> bool {
    matches!(attr.data(ctx), AttrData::Integer { ty: of, .. } if *of == ty)
}

fn is_float_of(ctx: &Context, attr: Attr, ty: Type) -> bool {
    matches!(attr.data(ctx), AttrData::Float { ty: of, .. } if *of == ty)
}

fn is_dense_array(ctx: &Context, attr: Attr, of: Type) -> bool {
    matches!(attr.data(ctx), AttrData::DenseArray { element, .. } if *element == of)
}

/// The element type of a shaped type, a common rule of derived types.
pub fn element_of(ctx: &Context, ty: Type) -> Option<Type> {
    ty.element(ctx)
}

/// The type itself, for results that repeat an operand's type.
pub fn same_as(_: &Context, ty: Type) -> Option<Type> {
    Some(ty)
}

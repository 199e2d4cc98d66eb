//! Conversion between Relay types and IR types.

use crate::ty::{DType, Dim, TensorType, Type};
use minoan_ir::text::print_type;
use minoan_ir::{Context, DYNAMIC, FloatKind, Signedness, Type as IrType, TypeData, type_constraints};

/// The maximum nesting depth of tuples.
pub const MAX_TUPLE_DEPTH: usize = 200;
/// The maximum number of components of a tuple, including those of nested tuples.
pub const MAX_PARTS: usize = 10_000;

fn element_to_ir(ctx: &Context, dtype: DType) -> Option<IrType> {
    match dtype {
        DType::Int(bits) => Some(IrType::integer(ctx, u32::from(bits))),
        DType::UInt(bits) => {
            let data = TypeData::Integer { width: u32::from(bits), signedness: Signedness::Unsigned };
            Some(ctx.intern_type(data))
        }
        DType::Float(16) => Some(IrType::F16),
        DType::Float(32) => Some(IrType::F32),
        DType::Float(64) => Some(IrType::F64),
        DType::BFloat(16) => Some(IrType::BF16),
        DType::Bool => Some(IrType::I1),
        DType::Float(_) | DType::BFloat(_) | DType::Void => None,
    }
}

fn element_from_ir(ctx: &Context, ty: IrType) -> Option<DType> {
    match *ty.data(ctx) {
        TypeData::Integer { width: 1, signedness: Signedness::Signless } => Some(DType::Bool),
        TypeData::Integer { width, signedness } => {
            let bits = u8::try_from(width).ok().filter(|bits| (2..=64).contains(bits))?;
            match signedness {
                Signedness::Signless => Some(DType::Int(bits)),
                Signedness::Unsigned => Some(DType::UInt(bits)),
                Signedness::Signed => None,
            }
        }
        TypeData::Float(FloatKind::F16) => Some(DType::Float(16)),
        TypeData::Float(FloatKind::F32) => Some(DType::Float(32)),
        TypeData::Float(FloatKind::F64) => Some(DType::Float(64)),
        TypeData::Float(FloatKind::BF16) => Some(DType::BFloat(16)),
        _ => None,
    }
}

/// Whether a type is that of a tensor of numbers.
pub(super) fn is_tensor(ctx: &Context, ty: IrType) -> bool {
    matches!(ty.data(ctx), TypeData::RankedTensor { element, encoding: None, .. } if element_from_ir(ctx, *element).is_some())
}

/// Converts from the type of a tensor; `None` for any other type.
pub(crate) fn tensor_from_ir(ctx: &Context, ty: IrType) -> Option<TensorType> {
    let TypeData::RankedTensor { shape, element, encoding: None } = ty.data(ctx) else { return None };
    let dim = |&extent: &i64| if extent == DYNAMIC { Dim::Any } else { Dim::Known(extent) };
    Some(TensorType::new(shape.iter().map(dim), element_from_ir(ctx, *element)?))
}

/// Converts to an IR type; `None` for a type that is unknown, uninhabited or too deeply nested.
pub fn to_ir(ctx: &Context, ty: &Type) -> Option<IrType> {
    fn at(ctx: &Context, ty: &Type, depth: usize) -> Option<IrType> {
        match ty {
            _ if depth > MAX_TUPLE_DEPTH => None,
            Type::Tensor(tensor) => {
                let extent = |dim: &Dim| match *dim {
                    Dim::Known(extent) => Some(extent),
                    Dim::Any => Some(DYNAMIC),
                    Dim::Hole(_) => None,
                };
                let shape: Vec<i64> = tensor.shape.iter().map(extent).collect::<Option<_>>()?;
                Some(IrType::tensor(ctx, &shape, element_to_ir(ctx, tensor.dtype)?))
            }
            Type::Tuple(parts) => {
                let parts: Option<Vec<IrType>> = parts.iter().map(|part| at(ctx, part, depth + 1)).collect();
                Some(IrType::tuple(ctx, &parts?))
            }
            Type::Hole(_) | Type::Other(_) => None,
        }
    }
    at(ctx, ty, 0)
}

/// Converts from an IR type; [`Type::Other`] if there is no equivalent.
pub fn from_ir(ctx: &Context, ty: IrType) -> Type {
    fn at(ctx: &Context, ty: IrType) -> Option<Type> {
        match ty.as_tuple(ctx) {
            None => tensor_from_ir(ctx, ty).map(Type::Tensor),
            Some(parts) => parts.iter().map(|&part| at(ctx, part)).collect::<Option<_>>().map(Type::Tuple),
        }
    }
    // Value types are within the limits of depth and size.
    let known = is_value_type(ctx, ty).then(|| at(ctx, ty)).flatten();
    known.unwrap_or_else(|| match ty.as_tuple(ctx) {
        Some(_) => Type::Other("a tuple that is too large, or of something else than tensors".to_owned()),
        None => Type::Other(print_type(ctx, ty)),
    })
}

/// Whether a type represents values: a tensor of numbers, an object of the data dialect, or a tuple of values within the
/// limits of depth and size.
pub fn is_value_type(ctx: &Context, ty: IrType) -> bool {
    if is_tensor(ctx, ty) {
        return true;
    }
    let mut pending = vec![(ty, 0)];
    let mut seen = 0;
    while let Some((ty, depth)) = pending.pop() {
        seen += 1;
        match ty.as_tuple(ctx) {
            _ if depth > MAX_TUPLE_DEPTH || seen > MAX_PARTS => return false,
            Some(parts) => pending.extend(parts.iter().map(|&part| (part, depth + 1))),
            None if !is_tensor(ctx, ty) && !minoan_data::is_object(ctx, ty) => return false,
            None => {}
        }
    }
    true
}

fn is_condition(ctx: &Context, ty: IrType) -> bool {
    ty.shape(ctx) == Some(&[]) && ty.element(ctx) == Some(IrType::I1)
}

type_constraints! {
    pub(crate) VALUE "a Relay value" is_value_type;
    pub(crate) TENSOR "a tensor of Relay" is_tensor;
    pub(crate) TUPLE "a tuple of Relay values" |ctx, ty| ty.as_tuple(ctx).is_some() && is_value_type(ctx, ty);
    pub(crate) CONDITION "tensor<i1>" is_condition;
}

//! Vectors in slots, element by element: LLVM's layout of a vector depends on the processor.

use super::{load as load_scalar, store_scalar};
use crate::Scalar;
use inkwell::builder::{Builder, BuilderError};
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, PointerValue};

/// Loads a vector, or an array of vectors, whose elements are dense at `place`.
pub(super) fn load<'ctx>(
    builder: &Builder<'ctx>,
    ty: BasicTypeEnum<'ctx>,
    place: PointerValue<'ctx>,
    element: Scalar,
) -> Result<BasicValueEnum<'ctx>, BuilderError> {
    match ty {
        BasicTypeEnum::ArrayType(ty) => {
            let mut all = ty.get_undef();
            let step = n_elements(ty.get_element_type()) * element.size();
            for index in 0..ty.len() {
                let place = byte(builder, place, index as usize * step)?;
                let part = load(builder, ty.get_element_type(), place, element)?;
                all = builder.build_insert_value(all, part, index, "all")?.into_array_value();
            }
            Ok(all.into())
        }
        BasicTypeEnum::VectorType(ty) => {
            let i64 = place.get_type().get_context().i64_type();
            let mut all = ty.get_undef();
            for lane in 0..ty.get_size() {
                let place = byte(builder, place, lane as usize * element.size())?;
                let part = load_scalar(builder, ty.get_element_type(), place, element)?;
                let lane = i64.const_int(lane.into(), false);
                all = builder.build_insert_element(all, part, lane, "all")?;
            }
            Ok(all.into())
        }
        scalar => load_scalar(builder, scalar, place, element),
    }
}

/// Stores the elements of a vector, or of an array of vectors, densely at `place`.
pub(super) fn store<'ctx>(
    builder: &Builder<'ctx>,
    value: BasicValueEnum<'ctx>,
    place: PointerValue<'ctx>,
    element: Scalar,
) -> Result<(), BuilderError> {
    match value {
        BasicValueEnum::ArrayValue(value) => {
            let ty = value.get_type();
            let step = n_elements(ty.get_element_type()) * element.size();
            for index in 0..ty.len() {
                let part = builder.build_extract_value(value, index, "part")?;
                store(builder, part, byte(builder, place, index as usize * step)?, element)?;
            }
            Ok(())
        }
        BasicValueEnum::VectorValue(value) => {
            let i64 = place.get_type().get_context().i64_type();
            for lane in 0..value.get_type().get_size() {
                let part = builder.build_extract_element(value, i64.const_int(lane.into(), false), "part")?;
                store_scalar(builder, part, byte(builder, place, lane as usize * element.size())?, element)?;
            }
            Ok(())
        }
        scalar => store_scalar(builder, scalar, place, element),
    }
}

/// The number of elements of a vector, or of an array of vectors.
fn n_elements(ty: BasicTypeEnum<'_>) -> usize {
    match ty {
        BasicTypeEnum::ArrayType(ty) => ty.len() as usize * n_elements(ty.get_element_type()),
        BasicTypeEnum::VectorType(ty) => ty.get_size() as usize,
        _ => 1,
    }
}

/// The address `offset` bytes after `base`.
fn byte<'ctx>(
    builder: &Builder<'ctx>,
    base: PointerValue<'ctx>,
    offset: usize,
) -> Result<PointerValue<'ctx>, BuilderError> {
    let context = base.get_type().get_context();
    let offset = context.i64_type().const_int(offset as u64, false);
    // SAFETY: the slot has the elements of the vector.
    unsafe { builder.build_in_bounds_gep(context.i8_type(), base, &[offset], "byte") }
}

//! Large constants as arrays of bytes.
//!
//! LLVM makes a constant of each number of an array when it prints the array to an object file; bytes it writes in one piece.
//! Code refers to constants by their address, so their type does not matter to it.

use melior::ir::operation::{OperationLike, OperationMutLike, WalkOrder, WalkResult};
use melior::ir::{Attribute, AttributeLike, Module, Type, TypeLike};
use mlir_sys::{
    mlirAttributeGetContext, mlirAttributeGetNull, mlirAttributeGetType, mlirAttributeIsADenseElements,
    mlirDenseElementsAttrGetRawData, mlirDenseElementsAttrIsSplat, mlirDenseElementsAttrRawBufferGet,
    mlirElementsAttrGetNumElements, mlirFloatTypeGetWidth, mlirIntegerTypeGet, mlirIntegerTypeGetWidth,
    mlirLLVMArrayTypeGet, mlirRankedTensorTypeGet, mlirShapedTypeGetElementType, mlirTypeAttrGet,
    mlirTypeIsAFloat, mlirTypeIsAInteger,
};

/// Smaller constants keep their types, which makes them readable.
const LARGE: usize = 4096;

/// Turns the large constants of a module of the `llvm` dialect into arrays of bytes, which keep their alignment.
pub(crate) fn as_bytes(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        if operation.name().as_string_ref().as_str() == Ok("llvm.mlir.global")
            && operation.attribute("constant").is_ok()
            && let Ok(value) = operation.attribute("value")
            && let Some((value, ty, width)) = bytes_of(value)
        {
            operation.set_attribute("value", value);
            operation.set_attribute("global_type", ty);
            if operation.attribute("alignment").is_err() {
                let context = operation.context();
                // SAFETY: the context outlives its operation.
                let context = unsafe { context.to_ref() };
                let natural = melior::ir::attribute::IntegerAttribute::new(
                    melior::ir::r#type::IntegerType::new(context, 64).into(),
                    i64::from(width),
                );
                operation.set_attribute("alignment", natural.into());
            }
        }
        WalkResult::Advance
    });
}

/// The bytes of a large constant, the type of their array, and the bytes of an element.
fn bytes_of<'c>(value: Attribute<'c>) -> Option<(Attribute<'c>, Attribute<'c>, u32)> {
    let raw = value.to_raw();
    // SAFETY: the attribute lives in its context, each function is called for the kind of attribute or type that was asked for,
    // and the raw data of an attribute that is not a splat has all elements.
    unsafe {
        if !mlirAttributeIsADenseElements(raw) || mlirDenseElementsAttrIsSplat(raw) {
            return None;
        }
        let element = mlirShapedTypeGetElementType(mlirAttributeGetType(raw));
        let bits = match () {
            () if mlirTypeIsAFloat(element) => mlirFloatTypeGetWidth(element),
            () if mlirTypeIsAInteger(element) => mlirIntegerTypeGetWidth(element),
            () => return None,
        };
        let width = bits / 8;
        let is_power = bits % 8 == 0 && width.is_power_of_two() && width <= 8;
        let count = usize::try_from(mlirElementsAttrGetNumElements(raw)).ok()?;
        let size =
            count.checked_mul(width as usize).filter(|&size| is_power && width > 1 && size >= LARGE)?;
        let byte = mlirIntegerTypeGet(mlirAttributeGetContext(raw), 8);
        let shape = [i64::try_from(size).ok()?];
        let tensor = mlirRankedTensorTypeGet(1, shape.as_ptr(), byte, mlirAttributeGetNull());
        let bytes = mlirDenseElementsAttrRawBufferGet(tensor, size, mlirDenseElementsAttrGetRawData(raw));
        if bytes.ptr.is_null() {
            return None;
        }
        let array = mlirLLVMArrayTypeGet(byte, u32::try_from(size).ok()?);
        let ty = Attribute::from_raw(mlirTypeAttrGet(Type::from_raw(array).to_raw()));
        Some((Attribute::from_raw(bytes), ty, width))
    }
}

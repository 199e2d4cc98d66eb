//! Maxima and minima by LLVM's intrinsics.
//!
//! MLIR 22's `arith-expand` computes `arith.maximumf` and `arith.minimumf` by a comparison, for which zeros of both signs are
//! equal, and then takes the second operand; and by another one for NaN, which LLVM merges with the first and then does not find
//! the processor's maximum. Before that pass, the operations become intrinsics, which distinguish zeros unless a flag says that
//! their signs do not matter. The expansion remains if the second operand is a constant that is the correct result for equal
//! operands: it is one instruction for `max(x, 0)`.

use melior::ir::attribute::FloatAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, WalkOrder, WalkResult,
};
use melior::ir::{Attribute, AttributeLike, Identifier, Module, Type, Value, ValueLike};
use mlir_sys::{
    mlirDenseElementsAttrGetSplatValue, mlirDenseElementsAttrIsSplat, mlirValueReplaceAllUsesOfWith,
};

/// Replaces maxima and minima by intrinsics where MLIR's expansion may be wrong or slow.
pub(crate) fn use_intrinsics(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |operation| {
        // SAFETY: the operation lives for this call.
        let view = unsafe { OperationRef::from_raw(operation.to_raw()) };
        match view.name().as_string_ref().as_str() {
            Ok("arith.maximumf") => replace(view, "llvm.intr.maximum", false),
            Ok("arith.minimumf") => replace(view, "llvm.intr.minimum", true),
            _ => {}
        }
        WalkResult::Advance
    });
}

/// Replaces an operation by an intrinsic; `negative`: whether the negative zero is the result for zeros of both signs.
fn replace<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, intrinsic: &str, negative: bool) {
    let flags = operation.attribute("fastmath").map(|flags| flags.to_string()).unwrap_or_default();
    let flags = flags.split_once('<').map_or("", |(_, flags)| flags.trim_end_matches('>'));
    let ignores_signs = flags.split(',').any(|flag| matches!(flag.trim(), "nsz" | "fast"));
    let (Ok(lhs), Ok(rhs), Some(result)) =
        (operation.operand(0), operation.operand(1), operation.results().next())
    else {
        return;
    };
    let is_right = |value: f64| value != 0.0 || value.is_sign_negative() == negative;
    if constant(rhs).is_some_and(|value| ignores_signs || is_right(value)) {
        return;
    }
    // The first operand is tested for NaN. In a reduction that is the new element, so that the test does not wait for the result
    // of the last iteration.
    let swap = lhs.is_block_argument() && !rhs.is_block_argument();
    let (lhs, rhs) = if swap { (rhs, lhs) } else { (lhs, rhs) };
    let context = operation.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let own = lhs.r#type().to_string();
    let Some(flat) = one_dimensional(&own) else { return };
    // Others do not make it faster; with `nnan`, a NaN would be undefined, which the interpreter computes.
    let flags = if ignores_signs { "nsz" } else { "none" };
    let flags = Attribute::parse(context, &format!("#llvm.fastmath<{flags}>")).expect("one flag");
    let flat = Type::parse(context, &flat).expect("a type of numbers");
    let block = operation.block().expect("an operation in a block");
    let insert = |built: OperationBuilder<'c>| -> Value<'c, 'a> {
        let inserted =
            block.insert_operation_before(operation, built.build().expect("an operation with a result"));
        inserted.results().next().expect("an operation with a result").into()
    };
    let cast = |value: Value<'c, 'a>, to: Type<'c>| match value.r#type() == to {
        true => value,
        false => {
            let cast = OperationBuilder::new("vector.shape_cast", operation.location());
            insert(cast.add_operands(&[value]).add_results(&[to]))
        }
    };
    let built = OperationBuilder::new(intrinsic, operation.location())
        .add_operands(&[cast(lhs, flat), cast(rhs, flat)])
        .add_attributes(&[(Identifier::new(context, "fastmathFlags"), flags)])
        .add_results(&[flat]);
    let value = cast(insert(built), lhs.r#type());
    let result: Value<'_, '_> = result.into();
    // SAFETY: both values live; the operation is left without users, and the pipeline erases it.
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) };
}

/// The value of a constant, or of all elements of one.
fn constant(value: Value<'_, '_>) -> Option<f64> {
    let result = melior::ir::operation::OperationResult::try_from(value).ok()?;
    let owner = result.owner();
    if owner.name().as_string_ref().as_str() != Ok("arith.constant") {
        return None;
    }
    // A conversion that fails prints what it was applied to, and so all elements of a constant, or the function of an operation.
    let value = owner.attribute("value").ok()?;
    let number = match value.is_dense_elements() {
        // SAFETY: the attribute has elements, all of which are one.
        true => unsafe {
            mlirDenseElementsAttrIsSplat(value.to_raw())
                .then(|| Attribute::from_raw(mlirDenseElementsAttrGetSplatValue(value.to_raw())))
        },
        false => Some(value),
    };
    number.and_then(|number| FloatAttribute::try_from(number).ok()).map(|number| number.value())
}

/// The type with the same elements along one dimension at most; `None` if it is scalable, or machine code has no such elements.
fn one_dimensional(ty: &str) -> Option<String> {
    let dims_and_element = ty.strip_prefix("vector<").map(|rest| rest.trim_end_matches('>'));
    let mut parts: Vec<&str> = dims_and_element.unwrap_or(ty).split('x').collect();
    let element =
        parts.pop().filter(|&element| matches!(element, "f16" | "bf16" | "f32" | "f64" | "f80" | "f128"))?;
    if dims_and_element.is_none() {
        return Some(element.to_owned());
    }
    let extents: Option<Vec<u64>> = parts.iter().map(|part| part.parse().ok()).collect();
    Some(format!("vector<{}x{element}>", extents?.iter().product::<u64>()))
}

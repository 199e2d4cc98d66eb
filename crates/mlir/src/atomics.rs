//! Atomic updates by a region, on types that machine code cannot compare and exchange: MLIR's lowering takes the type of the
//! elements, and LLVM integers of whole bytes, of a number that is a power of two. The update is that of an integer with the
//! bits of the element.

use melior::ir::block::{BlockArgument, BlockLike};
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, OperationResult, WalkOrder, WalkResult,
};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{
    Attribute, Identifier, Module, RegionLike, ShapedTypeLike, Type, TypeLike, Value, ValueLike,
};
use mlir_sys::{
    mlirMemRefTypeGet, mlirMemRefTypeGetLayout, mlirMemRefTypeGetMemorySpace, mlirOperationDestroy,
    mlirShapedTypeGetDimSize, mlirValueReplaceAllUsesExcept, mlirValueReplaceAllUsesOfWith, mlirValueSetType,
};

/// Rewrites the updates of a module that need it.
pub(crate) fn update_integers(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        // SAFETY: the operation lives for this call.
        let view = unsafe { OperationRef::from_raw(operation.to_raw()) };
        if view.name().as_string_ref().as_str() == Ok("memref.generic_atomic_rmw")
            && let Some(operands) = update_integer(view)
        {
            operation.set_operands(&operands);
        }
        WalkResult::Advance
    });
}

/// Replaces updates whose new element does not depend on the region by an exchange: MLIR's lowering expects a value of the
/// region.
pub(crate) fn exchange_values(module: &Module<'_>) {
    let mut updates = Vec::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok("memref.generic_atomic_rmw")
            && yields_outer_value(operation).is_some()
        {
            updates.push(operation.to_raw());
        }
        WalkResult::Advance
    });
    for raw in updates {
        // SAFETY: the operation lives, and no walk is under way.
        let update = unsafe { OperationRef::from_raw(raw) };
        let (Some(value), Some(block), Some(result)) =
            (yields_outer_value(update), update.block(), update.results().next())
        else {
            continue;
        };
        let context = update.context();
        // SAFETY: the operation's context outlives the operation.
        let context = unsafe { context.to_ref() };
        let kind = Attribute::parse(context, ASSIGN).expect("a kind");
        let mut operands = vec![value];
        operands.extend(update.operands());
        let exchange = OperationBuilder::new("memref.atomic_rmw", update.location())
            .add_operands(&operands)
            .add_attributes(&[(Identifier::new(context, "kind"), kind)])
            .add_results(&[result.r#type()]);
        let exchange = block.insert_operation_before(update, exchange.build().expect("an exchange"));
        let old: Value<'_, '_> = exchange.results().next().expect("an operation with a result").into();
        let result: Value<'_, '_> = result.into();
        // SAFETY: both values live, and after the replacement the result of the update has no user.
        unsafe {
            mlirValueReplaceAllUsesOfWith(result.to_raw(), old.to_raw());
            mlirOperationDestroy(raw);
        }
    }
}

/// MLIR's `AtomicRMWKind::assign`.
const ASSIGN: &str = "3 : i64";

/// The new element of an update, if it is defined outside of the region.
fn yields_outer_value<'c: 'a, 'a>(update: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let inside = update.region(0).ok()?.first_block()?;
    let value = inside.terminator()?.operand(0).ok()?;
    let home = match OperationResult::try_from(value) {
        Ok(result) => result.owner().block()?.to_raw().ptr,
        Err(_) => BlockArgument::try_from(value).ok()?.owner().to_raw().ptr,
    };
    // SAFETY: the value is defined outside of the update, and lives as long as it.
    (home != inside.to_raw().ptr).then(|| unsafe { Value::from_raw(value.to_raw()) })
}

/// The width of the integer that is exchanged instead of an element, and the conversions from it and to it; `None` if the
/// element itself is exchanged.
fn storage(element: Type<'_>) -> Option<(u32, &'static str, &'static str)> {
    if element.is_integer() {
        return Some((wider_storage(element)?, "arith.trunci", "arith.extui"));
    }
    let width = match element.to_string().as_str() {
        "f16" | "bf16" => 16,
        "f32" => 32,
        "f64" => 64,
        _ => return None,
    };
    Some((width, "arith.bitcast", "arith.bitcast"))
}

/// The width of the integer with the size of an element in memory; `None` if the element has that width, or is not an integer.
pub(crate) fn wider_storage(element: Type<'_>) -> Option<u32> {
    let width = IntegerType::try_from(element).ok()?.width();
    let storage = width.next_power_of_two().max(8);
    (storage != width).then_some(storage)
}

/// Makes an update one of integers; returns its new operands, or `None` if it remains as it is.
fn update_integer<'c: 'a, 'a>(update: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let context = update.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let mut operands: Vec<Value<'c, 'a>> = update.operands().collect();
    let buffer = MemRefType::try_from(operands.first()?.r#type()).ok()?;
    let element = buffer.element();
    let (width, from_storage, to_storage) = storage(element)?;
    let integer: Type<'c> = IntegerType::new(context, width).into();
    let build = |name: &str, value: Value<'c, 'a>, to: Type<'c>| {
        let built = OperationBuilder::new(name, update.location()).add_operands(&[value]).add_results(&[to]);
        built.build().expect("a conversion")
    };
    let block = update.block()?;
    let inside = update.region(0).ok()?.first_block()?;
    let (current, end, result) = (inside.argument(0).ok()?, inside.terminator()?, update.results().next()?);

    let cast = build("builtin.unrealized_conversion_cast", operands[0], with_element(buffer, integer));
    operands[0] = block.insert_operation_before(update, cast).results().next()?.into();

    for (value, convert) in [(Value::from(current), false), (Value::from(result), true)] {
        // SAFETY: the value lives, and its users are given a conversion next.
        unsafe { mlirValueSetType(value.to_raw(), integer.to_raw()) };
        let conversion = build(from_storage, value, element);
        let conversion = match convert {
            true => block.insert_operation_after(update, conversion),
            false => inside.insert_operation(0, conversion),
        };
        let own: Value<'_, '_> = conversion.results().next()?.into();
        // SAFETY: both values live, and the conversion is the one user that keeps its operand.
        unsafe {
            mlirValueReplaceAllUsesExcept(value.to_raw(), own.to_raw(), 1, &mut conversion.to_raw());
        };
    }

    let stored = inside.insert_operation_before(end, build(to_storage, end.operand(0).ok()?, integer));
    let stored: Value<'_, '_> = stored.results().next()?.into();
    // SAFETY: the terminator and the value live, and it has an operand.
    unsafe { mlir_sys::mlirOperationSetOperand(end.to_raw(), 0, stored.to_raw()) };
    Some(operands)
}

/// The type of a buffer, with another element type of the same size.
pub(crate) fn with_element<'c>(buffer: MemRefType<'c>, element: Type<'c>) -> Type<'c> {
    let raw = buffer.to_raw();
    // SAFETY: the type is that of a ranked buffer, and the dimensions are below its rank.
    unsafe {
        let shape: Vec<i64> =
            (0..buffer.rank() as isize).map(|dim| mlirShapedTypeGetDimSize(raw, dim)).collect();
        let (layout, space) = (mlirMemRefTypeGetLayout(raw), mlirMemRefTypeGetMemorySpace(raw));
        Type::from_raw(mlirMemRefTypeGet(
            element.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            layout,
            space,
        ))
    }
}

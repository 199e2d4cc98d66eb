//! Operations that MLIR 22 lowers wrongly, or not at all: rewritten or refused before its pipeline.
//!
//! * `math.fpowi`: LLVM aborts for exponents of type `index`, MLIR negates the least value of narrow ones, and powers of narrow
//!   bases overflow on the way.
//! * `math.ipowi`, `arith.addui_extended`: no lowering for `index`.
//! * `math.clampf`: no lowering, and an expansion with the wrong result.
//! * `math.expm1` becomes `exp(x) - 1`, which has no correct digit for small numbers; the C library has a function.
//! * `math.sincos`: LLVM crashes on vectors of 16-bit floats or of 6 elements, and MLIR converts vectors of one dimension only.
//! * `arith.truncf` with a rounding mode becomes a conversion that *assumes* the mode, and rounds to nearest; to nearest even,
//!   it is the conversion without a mode.
//! * `vector.reduction` without an accumulator becomes a sum that starts at the positive zero, and loses the sign of negative
//!   zeros.
//! * `arith.scaling_extf`, `arith.scaling_truncf`: no lowering for scales of a type that machine code has.

use crate::Backend;
use crate::diagnostics::place;
use melior::ir::attribute::{
    DenseI64ArrayAttribute, FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute,
};
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, WalkOrder, WalkResult,
};
use melior::ir::{Identifier, Module, Type, TypeLike, Value, ValueLike};
use minoan_diag::{Diagnostic, Diagnostics};
use mlir_sys::{
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank,
    mlirValueReplaceAllUsesExcept, mlirValueReplaceAllUsesOfWith, mlirValueSetType, mlirVectorTypeIsScalable,
};

/// The functions for `math.expm1`: that of the C library, that of the runtime for programs that define a symbol of that name, and
/// the type.
const EXPM1: [(&str, &str, &str); 2] = [("expm1f", "minoan_expm1f", "f32"), ("expm1", "minoan_expm1", "f64")];

/// Rewrites the operations of a module that need it.
///
/// # Errors
/// Operations without machine code, at their locations.
pub(crate) fn legalize(backend: &Backend, module: &mut Module<'_>) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::new();
    let mut called = [false; EXPM1.len()];
    let functions =
        EXPM1.map(|(name, runtime, ty)| (if has_symbol(module, name) { runtime } else { name }, ty));
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        // SAFETY: the operation lives for this call.
        let view = unsafe { OperationRef::from_raw(operation.to_raw()) };
        match view.name().as_string_ref().as_str() {
            Ok("math.fpowi") => {
                if let (Ok(base), Ok(exponent)) = (view.operand(0), view.operand(1)) {
                    let exponent = wider(view, exponent);
                    operation.set_operands(&[base, exponent]);
                    power_in_f32(view, base, exponent);
                }
            }
            Ok("math.ipowi" | "arith.addui_extended")
                if view.operand(0).is_ok_and(|value| value.r#type().to_string().contains("index")) =>
            {
                let operands: Vec<Value<'_, '_>> = view.operands().map(|value| wider(view, value)).collect();
                operation.set_operands(&operands);
                narrow_result(view);
            }
            Ok("math.clampf") => clampf(view),
            Ok("math.sincos") => sincos(view),
            Ok("vector.reduction") => {
                if let (1, Ok(vector), Some(start)) =
                    (view.operand_count(), view.operand(0), negative_zero(view))
                {
                    operation.set_operands(&[vector, start]);
                }
            }
            Ok("math.expm1") => expm1(view, functions, &mut called),
            Ok("arith.truncf") => {
                let mode = view
                    .attribute("roundingmode")
                    .ok()
                    .and_then(|mode| IntegerAttribute::try_from(mode).ok());
                match mode.map(|mode| mode.value()) {
                    None => {}
                    // Mode 0 is the default rounding. LLVM's constrained truncation to bf16 reads the result of the libcall
                    // from a register other than that of the calling convention, so the attribute is dropped.
                    Some(0) => _ = operation.remove_attribute("roundingmode"),
                    Some(_) => refuse(view, "with a rounding mode", &mut errors),
                }
            }
            Ok("arith.scaling_extf" | "arith.scaling_truncf") => refuse(view, "", &mut errors),
            _ => {}
        }
        WalkResult::Advance
    });
    if errors.has_errors() {
        return Err(errors);
    }
    declare(backend, module, functions, called)
}

/// Whether the program defines a symbol with the name of a function.
fn has_symbol(module: &Module<'_>, name: &str) -> bool {
    let mut next = module.body().first_operation();
    while let Some(operation) = next {
        let symbol =
            operation.attribute("sym_name").ok().and_then(|name| StringAttribute::try_from(name).ok());
        if symbol.is_some_and(|symbol| symbol.value() == name) {
            return true;
        }
        next = operation.next_in_block();
    }
    false
}

fn refuse(operation: OperationRef<'_, '_>, how: &str, errors: &mut Diagnostics) {
    let name = operation.name();
    let name = name.as_string_ref().as_str().unwrap_or_default();
    let space = if how.is_empty() { "" } else { " " };
    let message = format!("'{name}' op{space}{how} has no machine code");
    errors.push(Diagnostic::error(message).at(place(operation.location())));
}

/// Converts a value for the use by an operation: `index` to `i64`, and integers of fewer than 8 bits to `i32`. Others stay.
fn wider<'c: 'a, 'a>(before: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let text = value.r#type().to_string();
    let element = text.rsplit('x').next().unwrap_or_default().trim_end_matches('>');
    let element = if text.contains("index") { "index" } else { element };
    let (name, to) = match element {
        "index" => ("arith.index_cast", "i64"),
        "i1" | "i2" | "i3" | "i4" | "i5" | "i6" | "i7" => ("arith.extsi", "i32"),
        _ => return value,
    };
    insert(before, name, value, &text.replace(element, to))
}

/// Inserts a conversion before an operation.
fn insert<'c: 'a, 'a>(
    before: OperationRef<'c, 'a>,
    name: &str,
    value: Value<'c, 'a>,
    to: &str,
) -> Value<'c, 'a> {
    let context = before.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let ty = Type::parse(context, to).expect("a type of numbers");
    let operation = OperationBuilder::new(name, before.location()).add_operands(&[value]).add_results(&[ty]);
    let block = before.block().expect("an operation in a block");
    let inserted = block.insert_operation_before(before, operation.build().expect("a conversion"));
    inserted.results().next().expect("an operation with a result").into()
}

/// Changes the first result of an operation to 64 bits, and casts it to `index` for its users.
fn narrow_result(operation: OperationRef<'_, '_>) {
    let Some(result) = operation.results().next() else { return };
    let result: Value<'_, '_> = result.into();
    let context = operation.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let from = result.r#type();
    let ty = Type::parse(context, &from.to_string().replace("index", "i64")).expect("a type of integers");
    // SAFETY: the value lives, and its defining operation is one on any integers.
    unsafe { mlirValueSetType(result.to_raw(), ty.to_raw()) };
    let cast = OperationBuilder::new("arith.index_cast", operation.location()).add_operands(&[result]);
    let cast = cast.add_results(&[from]).build().expect("a cast");
    let block = operation.block().expect("an operation in a block");
    let cast = block.insert_operation_after(operation, cast);
    let value: Value<'_, '_> = cast.results().next().expect("an operation with a result").into();
    // SAFETY: both values live, and the cast is the one user that keeps its operand.
    unsafe { mlirValueReplaceAllUsesExcept(result.to_raw(), value.to_raw(), 1, &mut cast.to_raw()) };
}

/// Computes a scalar power of a narrow base in `f32`, and rounds once.
fn power_in_f32<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, base: Value<'c, 'a>, exponent: Value<'c, 'a>) {
    let own = base.r#type().to_string();
    let (true, Some(result)) = (own == "f16" || own == "bf16", operation.results().next()) else { return };
    let base = insert(operation, "arith.extf", base, "f32");
    let power = OperationBuilder::new("math.fpowi", operation.location()).add_operands(&[base, exponent]);
    let power = power.add_results(&[base.r#type()]).build().expect("a power");
    let block = operation.block().expect("an operation in a block");
    let power = block.insert_operation_before(operation, power);
    let power: Value<'_, '_> = power.results().next().expect("an operation with a result").into();
    let power = insert(operation, "arith.truncf", power, &own);
    let result: Value<'_, '_> = result.into();
    // SAFETY: both values live; the operation is left without users, and the pipeline erases it.
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), power.to_raw()) };
}

/// The neutral element of a sum of floats, before a reduction; `None` for another reduction.
fn negative_zero<'c: 'a, 'a>(reduction: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let kind = reduction.attribute("kind").ok()?;
    let ty = reduction.results().next()?.r#type();
    if kind.to_string() != "#vector.kind<add>" || ty.is_integer() || ty.is_index() {
        return None;
    }
    let context = reduction.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let value = (Identifier::new(context, "value"), FloatAttribute::new(context, ty, -0.0).into());
    let constant = OperationBuilder::new("arith.constant", reduction.location()).add_attributes(&[value]);
    let constant = constant.add_results(&[ty]).build().ok()?;
    let inserted = reduction.block()?.insert_operation_before(reduction, constant);
    Some(inserted.results().next()?.into())
}

/// Computes sine and cosine of a vector apart.
fn sincos(operation: OperationRef<'_, '_>) {
    let Ok(operand) = operation.operand(0) else { return };
    if !operand.r#type().is_vector() {
        return;
    }
    let block = operation.block().expect("an operation in a block");
    for (result, name) in operation.results().zip(["math.sin", "math.cos"]) {
        let built = OperationBuilder::new(name, operation.location()).add_operands(&[operand]);
        let mut built = built.add_results(&[operand.r#type()]).build().expect("an operation on floats");
        if let Ok(flags) = operation.attribute("fastmath") {
            built.set_attribute("fastmath", flags);
        }
        let inserted = block.insert_operation_before(operation, built);
        let value: Value<'_, '_> = inserted.results().next().expect("an operation with a result").into();
        let result: Value<'_, '_> = result.into();
        // SAFETY: both values live; the operation is left without users, and the pipeline erases it.
        unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) };
    }
}

/// Computes `math.clampf` by comparisons that propagate NaN.
fn clampf(operation: OperationRef<'_, '_>) {
    let operands: Vec<Value<'_, '_>> = operation.operands().collect();
    let (&[value, least, most], Some(result)) = (&operands[..], operation.results().next()) else { return };
    let binary = |name: &str, lhs, rhs| -> Value<'_, '_> {
        let built = OperationBuilder::new(name, operation.location()).add_operands(&[lhs, rhs]);
        let built = built.add_results(&[value.r#type()]).build().expect("a binary operation");
        let block = operation.block().expect("an operation in a block");
        let inserted = block.insert_operation_before(operation, built);
        inserted.results().next().expect("an operation with a result").into()
    };
    let capped = binary("arith.minimumf", value, most);
    let clamped = binary("arith.maximumf", capped, least);
    let result: Value<'_, '_> = result.into();
    // SAFETY: both values live; the operation is left without users, and the pipeline erases it.
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), clamped.to_raw()) };
}

/// Functions by name and type.
type Functions = [(&'static str, &'static str); EXPM1.len()];

/// Computes `math.expm1` by one of the functions, in `f32` if the type is narrower; vectors lane by lane.
fn expm1(operation: OperationRef<'_, '_>, functions: Functions, called: &mut [bool; EXPM1.len()]) {
    let (Some(result), Ok(operand)) = (operation.results().next(), operation.operand(0)) else { return };
    let result: Value<'_, '_> = result.into();
    let ty = result.r#type();
    let lanes = if ty.is_vector() { lanes(ty) } else { None };
    let element = lanes.map_or_else(|| ty.to_string(), |(_, element)| element.to_string());
    let number = match element.as_str() {
        "f16" | "bf16" | "f32" => 0,
        "f64" => 1,
        _ => return,
    };
    called[number] = true;
    let value = match lanes {
        None => call_on_scalar(operation, operand, functions[number]),
        Some((count, element)) => {
            let flat = insert(operation, "vector.shape_cast", operand, &format!("vector<{count}x{element}>"));
            let of_lane = |lane| {
                let lane = extract(operation, flat, lane, element);
                call_on_scalar(operation, lane, functions[number])
            };
            let values: Vec<Value<'_, '_>> = (0..count).map(of_lane).collect();
            let built = OperationBuilder::new("vector.from_elements", operation.location());
            let built = built.add_operands(&values).add_results(&[ty]).build().expect("a vector");
            let block = operation.block().expect("an operation in a block");
            let inserted = block.insert_operation_before(operation, built);
            inserted.results().next().expect("an operation with a result").into()
        }
    };
    // SAFETY: both values live; the operation is left without users, and the pipeline erases it.
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) };
}

/// The number of lanes of a vector and their type; `None` if the number is not known.
fn lanes(vector: Type<'_>) -> Option<(i64, Type<'_>)> {
    // SAFETY: the type is a vector type.
    unsafe {
        let ty = vector.to_raw();
        let dims = 0..isize::try_from(mlirShapedTypeGetRank(ty)).ok()?;
        let count = dims.map(|dim| mlirShapedTypeGetDimSize(ty, dim)).product();
        let element = Type::from_raw(mlirShapedTypeGetElementType(ty));
        (!mlirVectorTypeIsScalable(ty)).then_some((count, element))
    }
}

/// Inserts the extraction of a lane before an operation.
fn extract<'c: 'a, 'a>(
    before: OperationRef<'c, 'a>,
    vector: Value<'c, 'a>,
    lane: i64,
    element: Type<'c>,
) -> Value<'c, 'a> {
    let context = before.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let position = DenseI64ArrayAttribute::new(context, &[lane]).into();
    let operation = OperationBuilder::new("vector.extract", before.location()).add_operands(&[vector]);
    let operation = operation.add_attributes(&[(Identifier::new(context, "static_position"), position)]);
    let operation = operation.add_results(&[element]).build().expect("an extraction");
    let block = before.block().expect("an operation in a block");
    let inserted = block.insert_operation_before(before, operation);
    inserted.results().next().expect("an operation with a result").into()
}

/// Inserts a call of a function on a scalar before an operation; the type of a narrower scalar is converted.
fn call_on_scalar<'c: 'a, 'a>(
    before: OperationRef<'c, 'a>,
    scalar: Value<'c, 'a>,
    (function, ty): (&str, &str),
) -> Value<'c, 'a> {
    let own = scalar.r#type().to_string();
    let operand = if own == ty { scalar } else { insert(before, "arith.extf", scalar, ty) };
    let context = before.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let callee = (Identifier::new(context, "callee"), FlatSymbolRefAttribute::new(context, function).into());
    let call = OperationBuilder::new("func.call", before.location()).add_operands(&[operand]);
    let call = call.add_attributes(&[callee]).add_results(&[operand.r#type()]).build().expect("a call");
    let block = before.block().expect("an operation in a block");
    let call = block.insert_operation_before(before, call);
    let value: Value<'_, '_> = call.results().next().expect("a call with a result").into();
    if own == ty { value } else { insert(before, "arith.truncf", value, &own) }
}

/// Declares the functions that are called and that the module does not have.
fn declare(
    backend: &Backend,
    module: &Module<'_>,
    functions: Functions,
    called: [bool; EXPM1.len()],
) -> Result<(), Diagnostics> {
    let needed =
        functions.iter().zip(called).filter(|((name, _), called)| *called && !has_symbol(module, name));
    let text: String =
        needed.map(|((name, ty), _)| format!("func.func private @{name}({ty}) -> {ty}\n")).collect();
    if text.is_empty() {
        return Ok(());
    }
    let declared = backend.parse(&format!("module {{\n{text}}}\n"), "<math>")?;
    while let Some(mut operation) = declared.body().first_operation_mut() {
        operation.remove_from_parent();
        // SAFETY: the operation was removed from its module, so this is its only owner.
        let operation = unsafe { melior::ir::Operation::from_raw(operation.to_raw()) };
        module.body().append_operation(operation);
    }
    Ok(())
}

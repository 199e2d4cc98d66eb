//! Creation of operations from their parts.

use crate::error::{Error, MinoanStatus, guard, put, text};
use crate::module::Operation;
use crate::table::{self, MinoanHandle};
use minoan::diag::nearest;
use minoan::ir::text::{parse_attr, parse_type};
use minoan::ir::verify::verify_op;
use minoan::ir::{InsertionPoint, Op, OpRef, OpState, Value};
use std::ffi::c_char;

/// A value: a result of an operation, or an argument of a block of one of its regions.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinoanValue {
    /// The operation.
    pub operation: MinoanHandle,
    /// The region that has the block; -1 for a result.
    pub region: i32,
    /// The number of the block in the region; 0 for a result.
    pub block: usize,
    /// The number of the result or of the argument.
    pub index: usize,
}

/// The most operands, results or attributes of an operation.
const MAX_COUNT: usize = 65_535;

/// Where a new operation goes.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanPlace {
    /// Before another operation.
    Before = 0,
    /// After another operation.
    After = 1,
}

/// The id of a value, and the isolated operations around it.
fn resolve(value: &MinoanValue) -> Result<(Vec<Op>, Value), Error> {
    let object = table::operation(value.operation)?;
    object.with(|op| {
        let none = |what: String| Error::argument(format!("'{}' has no {what}", op.name()));
        let Ok(region) = usize::try_from(value.region) else {
            let result = op.results().nth(value.index);
            let result = result.ok_or_else(|| none(format!("result {}", value.index)))?;
            return Ok((object.around.clone(), result));
        };
        let (body, regions) = op.inside();
        let found = regions.get(region).copied().ok_or_else(|| none(format!("region {region}")))?;
        let block = body.region(found).blocks().nth(value.block);
        let block = block.ok_or_else(|| none(format!("block {} in region {region}", value.block)))?;
        let argument = body.block(block).args().nth(value.index);
        let argument = argument.ok_or_else(|| none(format!("argument {} of that block", value.index)))?;
        let mut around = object.around.clone();
        around.extend(op.nested().map(|_: &_| op.id()));
        Ok((around, argument))
    })
}

/// Values that must be of the body that an operation is in.
fn values_beside(place: &Operation, values: &[MinoanValue]) -> Result<Vec<Value>, Error> {
    let of = |(index, value): (usize, &MinoanValue)| {
        let object = table::operation(value.operation)?;
        let (around, found) = resolve(value)?;
        if !object.is_same_module(place) || around != place.around {
            return Err(Error::argument(format!("operand {index} is a value of another function or module")));
        }
        Ok(found)
    };
    values.iter().enumerate().map(of).collect()
}

/// The elements of an array of the caller.
///
/// # Safety
/// `data` must be null or point to `count` elements.
unsafe fn elements<'a, T>(data: *const T, count: usize, what: &str) -> Result<&'a [T], Error> {
    if count > MAX_COUNT {
        return Err(Error::argument(format!("an operation has at most {MAX_COUNT} {what}, found {count}")));
    }
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Error::argument(format!("the {what} are null")));
    }
    // SAFETY: guaranteed by the caller.
    Ok(unsafe { std::slice::from_raw_parts(data, count) })
}

/// Texts of the caller.
///
/// # Safety
/// `data` must be null or point to `count` pointers, each null or a C string.
unsafe fn texts<'a>(data: *const *const c_char, count: usize, what: &str) -> Result<Vec<&'a str>, Error> {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { elements(data, count, what)? };
    // SAFETY: as above.
    all.iter().map(|&one| unsafe { text(one, what) }).collect()
}

/// Creates an operation without regions before or after another one (`MinoanPlace`), and checks it: the operation has to be
/// registered, and operands, types and attributes have to be what it declares; otherwise nothing is created. Types and attributes
/// are in MLIR's text (`tensor<2xf32>`, `4 : i32`). Operations with regions are parsed, see `minoan_module_append`.
///
/// # Safety
/// The pointers must be null or point to as many elements as the number after them says (the attributes have one number); `name`
/// and the texts must be C strings, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_create(
    place: MinoanHandle,
    position: i32,
    name: *const c_char,
    operands: *const MinoanValue,
    operand_count: usize,
    result_types: *const *const c_char,
    result_count: usize,
    attribute_names: *const *const c_char,
    attribute_values: *const *const c_char,
    attribute_count: usize,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(place)?;
        // SAFETY: guaranteed by the caller.
        let (name, values, types, keys, attributes) = unsafe {
            (
                text(name, "the name")?,
                elements(operands, operand_count, "operands")?,
                texts(result_types, result_count, "types of results")?,
                texts(attribute_names, attribute_count, "names of attributes")?,
                texts(attribute_values, attribute_count, "attributes")?,
            )
        };
        if out.is_null() {
            return Err(Error::argument("'out' is null"));
        }
        if object.around.is_empty() {
            return Err(Error::argument("an operation is created inside of a module, not beside it"));
        }
        let operands = values_beside(&object, values)?;
        let created = object.edit(|body, place| {
            let ctx = body.context().clone();
            let Some(kind) = ctx.registered_kind(name) else {
                let kinds: Vec<_> = ctx.registered_kinds().collect();
                let near = nearest(name, kinds.iter().map(|&kind| ctx.kind_name(kind)));
                let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                return Err(Error::argument(format!("there is no operation '{name}'{near}")));
            };
            let point = match position {
                0 => InsertionPoint::Before(place),
                1 => InsertionPoint::After(place),
                _ => return Err(Error::argument(format!("there is no place {position}"))),
            };
            if body.op(place).block().is_none() || !operands.iter().all(|&value| body.contains_value(value)) {
                return Err(Error::handle("the operation was erased"));
            }
            let mut results = Vec::new();
            for ty in types {
                let parsed = parse_type(&ctx, ty);
                results
                    .push(parsed.map_err(|error| Error::invalid(format!("the type of a result: {error}")))?);
            }
            let mut attrs = Vec::new();
            for (key, value) in keys.into_iter().zip(attributes) {
                if key.is_empty() {
                    return Err(Error::argument("an attribute has a name"));
                }
                let parsed = parse_attr(&ctx, value);
                let parsed =
                    parsed.map_err(|error| Error::invalid(format!("the attribute '{key}': {error}")))?;
                attrs.push((ctx.name(key), parsed));
            }
            let loc = body.op(place).loc();
            let op = body.create(&OpState::new(kind).loc(loc).operands(&operands).results(&results), point);
            for (key, attr) in attrs {
                body.set_attr(op, key, Some(attr));
            }
            if let Err(diagnostics) = verify_op(body, op) {
                body.try_erase(op).map_err(Error::invalid)?;
                return Err(Error::invalid(diagnostics.to_string()));
            }
            Ok(op)
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, object.beside(created).handle(), "'out'") }
    })
}

/// Replaces an operand of an operation by another value of its type.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_operation_set_operand(
    operation: MinoanHandle,
    index: usize,
    value: MinoanValue,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        let value = values_beside(&object, &[value])?[0];
        object.edit(|body, op| {
            let old = operand(body.op(op), index)?;
            if !body.contains_value(value) {
                return Err(Error::handle("the operation of the value was erased"));
            }
            if body.ty(old) != body.ty(value) {
                return Err(Error::argument(format!("operand {index} is of another type than the value")));
            }
            body.set_operand(op, index, value);
            Ok(())
        })
    })
}

fn operand(op: OpRef<'_>, index: usize) -> Result<Value, Error> {
    let none = || Error::argument(format!("'{}' has no operand {index}", op.name()));
    op.operands().nth(index).ok_or_else(none)
}

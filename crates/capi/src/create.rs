//! Creation of operations and blocks from their parts.

use crate::error::{Error, MinoanStatus, expect_out, guard, put, text};
use crate::module::Place;
use crate::operation::{block_of, region_of};
use crate::table::{self, MinoanHandle, Object};
use minoan::diag::nearest;
use minoan::ir::text::{parse_attr, parse_type, print_type};
use minoan::ir::verify::verify_op;
use minoan::ir::{Block, Body, Context, InsertionPoint, Loc, Op, OpRef, OpState, Type, Value};
use std::ffi::c_char;

/// A value: a result of an operation, or an argument of a block. A block is given by its handle, or by the operation and its
/// place there.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinoanValue {
    /// The operation or the block.
    pub operation: MinoanHandle,
    /// The region of the operation that has the block; -1 for a result, and with the handle of a block.
    pub region: i32,
    /// The number of the block in the region; 0 if there is no region.
    pub block: usize,
    /// The number of the result or of the argument.
    pub index: usize,
}

/// The most operands, results or attributes of an operation.
const MAX_COUNT: usize = 65_535;

/// The insertion point of a new operation.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanPlace {
    /// Before another operation.
    Before = 0,
    /// After another operation.
    After = 1,
}

impl MinoanPlace {
    fn from_number(number: i32) -> Result<Self, Error> {
        let all = [Self::Before, Self::After];
        let found = all.into_iter().find(|&one| one as i32 == number);
        found.ok_or_else(|| Error::argument(format!("there is no place {number}")))
    }
}

/// The id of a value, and its body.
fn resolve(value: &MinoanValue) -> Result<(Place, Value), Error> {
    if let Object::Block(object) = table::get(value.operation)? {
        let argument = object.place.read(|body| {
            if !body.contains_block(object.block) {
                return Err(Error::handle("the block was erased"));
            }
            let argument = body.block(object.block).args().nth(value.index);
            argument.ok_or_else(|| Error::argument(format!("the block has no argument {}", value.index)))
        })?;
        return Ok((object.place.clone(), argument));
    }
    let object = table::operation(value.operation)?;
    object.with(|op| {
        let none = |what: String| Error::argument(format!("'{}' has no {what}", op.name()));
        let Ok(region) = usize::try_from(value.region) else {
            let result = op.results().nth(value.index);
            let result = result.ok_or_else(|| none(format!("result {}", value.index)))?;
            return Ok((object.place.clone(), result));
        };
        let (body, found) = op.region_inside(region).ok_or_else(|| none(format!("region {region}")))?;
        let block = body.region(found).blocks().nth(value.block);
        let block = block.ok_or_else(|| none(format!("block {} in region {region}", value.block)))?;
        let argument = body.block(block).args().nth(value.index);
        let argument = argument.ok_or_else(|| none(format!("argument {} of that block", value.index)))?;
        Ok((object.place.inside(op), argument))
    })
}

/// Values that must be of a body.
fn values_in(place: &Place, values: &[MinoanValue]) -> Result<Vec<Value>, Error> {
    let of = |(index, value): (usize, &MinoanValue)| {
        let (found_in, found) = resolve(value)?;
        if !found_in.is_same(place) {
            return Err(Error::argument(format!("operand {index} is a value of another function or module")));
        }
        Ok(found)
    };
    values.iter().enumerate().map(of).collect()
}

/// The components of an operation to create, as given by the caller.
struct Parts<'a> {
    name: &'a str,
    operands: Vec<Value>,
    types: Vec<&'a str>,
    attributes: Vec<(&'a str, &'a str)>,
    regions: usize,
    successors: Vec<Block>,
}

impl<'a> Parts<'a> {
    /// Reads the components of an operation to create in the body of `place`.
    ///
    /// # Safety
    /// `state` must be null or point to a structure whose pointers are null or point to arrays of the stated lengths; texts
    /// must be C strings. All live for `'a`.
    unsafe fn of(state: *const MinoanOperationState, place: &Place) -> Result<Self, Error> {
        // SAFETY: guaranteed by the caller.
        let state = unsafe { state.as_ref() }.ok_or_else(|| Error::argument("the state is null"))?;
        // SAFETY: guaranteed by the caller.
        let (name, values, types, keys, attributes, successors) = unsafe {
            (
                text(state.name, "the name")?,
                elements(state.operands, state.operand_count, "operands")?,
                texts(state.result_types, state.result_count, "types of results")?,
                texts(state.attribute_names, state.attribute_count, "names of attributes")?,
                texts(state.attribute_values, state.attribute_count, "attributes")?,
                elements(state.successors, state.successor_count, "successors")?,
            )
        };
        let regions = state.region_count;
        if regions > MAX_COUNT {
            return Err(Error::argument(format!(
                "an operation has at most {MAX_COUNT} regions, found {regions}"
            )));
        }
        let operands = values_in(place, values)?;
        let successor = |(index, &handle): (usize, &MinoanHandle)| {
            let successor = table::block(handle)?;
            match successor.place.is_same(place) {
                true => Ok(successor.block),
                false => Err(Error::argument(format!(
                    "successor {index} is a block of another function or module"
                ))),
            }
        };
        let successors = successors.iter().enumerate().map(successor).collect::<Result<_, Error>>()?;
        let attributes = keys.into_iter().zip(attributes).collect();
        Ok(Self { name, operands, types, attributes, regions, successors })
    }

    /// Creates the operation, whose regions have no blocks, without checking it.
    fn create(&self, body: &mut Body, point: InsertionPoint, loc: Loc) -> Result<Op, Error> {
        let (ctx, name) = (body.context().clone(), self.name);
        let Some(kind) = ctx.registered_kind(name) else {
            let kinds: Vec<_> = ctx.registered_kinds().collect();
            let near = nearest(name, kinds.iter().map(|&kind| ctx.kind_name(kind)));
            let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            return Err(Error::argument(format!("there is no operation '{name}'{near}")));
        };
        let are_alive = self.operands.iter().all(|&value| body.contains_value(value))
            && self.successors.iter().all(|&block| body.contains_block(block));
        if !are_alive {
            return Err(Error::handle("the operation was erased"));
        }
        let results = parse_types(&ctx, &self.types, "result")?;
        let mut attrs = Vec::new();
        for &(key, value) in &self.attributes {
            if key.is_empty() {
                return Err(Error::argument("an attribute has a name"));
            }
            let parsed = parse_attr(&ctx, value);
            let parsed = parsed.map_err(|error| Error::invalid(format!("the attribute '{key}': {error}")))?;
            attrs.push((ctx.name(key), parsed));
        }
        let state = OpState::new(kind).loc(loc).operands(&self.operands).results(&results);
        let op = body.create(&state.successors(&self.successors).regions(self.regions), point);
        for (key, attr) in attrs {
            body.set_attr(op, key, Some(attr));
        }
        Ok(op)
    }
}

fn parse_types(ctx: &Context, types: &[&str], what: &str) -> Result<Vec<Type>, Error> {
    let parse = |ty: &&str| {
        parse_type(ctx, ty).map_err(|error| Error::invalid(format!("the type of a {what}: {error}")))
    };
    types.iter().map(parse).collect()
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

/// The parts of an operation to create. Types and attributes are in MLIR's text. A structure of zeros is an
/// operation without operands, results, attributes, regions and successors; `name` is required.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MinoanOperationState {
    /// The name, such as `scf.for`.
    pub name: *const c_char,
    /// The operands.
    pub operands: *const MinoanValue,
    /// The number of operands.
    pub operand_count: usize,
    /// The types of the results.
    pub result_types: *const *const c_char,
    /// The number of results.
    pub result_count: usize,
    /// The names of the attributes.
    pub attribute_names: *const *const c_char,
    /// The attributes, one per name.
    pub attribute_values: *const *const c_char,
    /// The number of attributes.
    pub attribute_count: usize,
    /// The number of regions, which are created without blocks; `minoan_operation_add_block` adds them.
    pub region_count: usize,
    /// Handles of the successor blocks.
    pub successors: *const MinoanHandle,
    /// The number of successors.
    pub successor_count: usize,
}

/// Creates an operation without regions and successors before or after another one (`MinoanPlace`), and checks it: the
/// operation has to be registered, and operands, types and attributes have to be what it declares; otherwise nothing is
/// created. `minoan_block_append` creates operations with regions and successors.
///
/// # Safety
/// `state` must be null or point to a structure whose pointers are null or point to arrays of the stated lengths; texts must be
/// C strings, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_create(
    place: MinoanHandle,
    position: i32,
    state: *const MinoanOperationState,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(place)?;
        // SAFETY: guaranteed by the caller.
        let parts = unsafe { Parts::of(state, &object.place)? };
        expect_out(out)?;
        if parts.regions > 0 || !parts.successors.is_empty() {
            return Err(Error::argument(
                "an operation with regions or successors is created by 'minoan_block_append'",
            ));
        }
        if object.place.around.is_empty() {
            return Err(Error::argument("an operation is created inside of a module, not beside it"));
        }
        let created = object.edit(|body, place| {
            let point = match MinoanPlace::from_number(position)? {
                MinoanPlace::Before => InsertionPoint::Before(place),
                MinoanPlace::After => InsertionPoint::After(place),
            };
            if body.op(place).block().is_none() {
                return Err(Error::handle("the operation was erased"));
            }
            let loc = body.op(place).loc();
            let op = parts.create(body, point, loc)?;
            if let Err(diagnostics) = verify_op(body, op) {
                body.try_erase(op).map_err(|error| Error::invalid(error.to_string()))?;
                return Err(Error::invalid(diagnostics.to_string()));
            }
            Ok(op)
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, object.place.operation(created), "'out'") }
    })
}

/// Creates an operation at the end of a block. Its name has to be registered, and its operands and successors have to be of the
/// function that it is created in. It is not checked any further, since its regions are not complete: `minoan_module_verify`
/// does, and so do passes and `minoan_function_create`.
///
/// # Safety
/// `state` must be null or point to a structure whose pointers are null or point to arrays of the stated lengths; texts must be
/// C strings, `out` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_block_append(
    block: MinoanHandle,
    state: *const MinoanOperationState,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::block(block)?;
        // SAFETY: guaranteed by the caller.
        let parts = unsafe { Parts::of(state, &object.place)? };
        expect_out(out)?;
        let created = object.place.edit(
            |body| body.contains_block(object.block),
            |body| parts.create(body, InsertionPoint::End(object.block), Loc::UNKNOWN),
        )?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, object.place.operation(created), "'out'") }
    })
}

/// Appends a block with arguments of these types to a region of an operation.
///
/// # Safety
/// `types` must be null or point to `count` C strings, `out` be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_add_block(
    operation: MinoanHandle,
    region: usize,
    types: *const *const c_char,
    count: usize,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        // SAFETY: guaranteed by the caller.
        let types = unsafe { texts(types, count, "types of arguments")? };
        expect_out(out)?;
        let (place, region) = object.with(|op| {
            let (_, region) = region_of(op, region)?;
            Ok((object.place.inside(op), region))
        })?;
        let block = place.edit(
            |body| body.contains_region(region),
            |body| {
                let types = parse_types(&body.context().clone(), &types, "block argument")?;
                Ok(body.add_block(region, &types))
            },
        )?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, place.block(block), "'out'") }
    })
}

/// A block of a region of an operation, such as that of the top-level operation of a module.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_block(
    operation: MinoanHandle,
    region: usize,
    block: usize,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        expect_out(out)?;
        let (place, block) = object.with(|op| {
            let (_, found) = block_of(op, region, block)?;
            Ok((object.place.inside(op), found))
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, place.block(block), "'out'") }
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
        let value = values_in(&object.place, &[value])?[0];
        object.edit(|body, op| {
            let old = operand(body.op(op), index)?;
            if !body.contains_value(value) {
                return Err(Error::handle("the operation of the value was erased"));
            }
            if body.ty(old) != body.ty(value) {
                let [old, new] = [old, value].map(|value| print_type(body.context(), body.ty(value)));
                let message = format!("operand {index} has type {old}, but the new value has type {new}");
                return Err(Error::argument(message));
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

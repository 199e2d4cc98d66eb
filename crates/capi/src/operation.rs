//! Operations: counts, walking, properties, attributes, and erasure.

use crate::error::{Error, MinoanStatus, expect_out, guard, put, put_text, text};
use crate::module::{Place, stale};
use crate::table::{self, MinoanHandle};
use minoan::ir::text::{parse_attr, print_attr, print_loc, print_op, print_type};
use minoan::ir::{Block, Body, Op, OpRef, Region};
use std::ffi::c_char;

/// An operation of a module. Its id is stale when it is erased.
pub(crate) struct Operation {
    pub(crate) place: Place,
    pub(crate) op: Op,
}

impl Operation {
    /// Calls `f` with the operation, unless it was erased.
    pub(crate) fn with<R>(&self, f: impl FnOnce(OpRef<'_>) -> Result<R, Error>) -> Result<R, Error> {
        self.place.read(|body| f(body.try_op(self.op).map_err(|_| stale())?))
    }

    /// Calls `f` with the body of the operation, for edits.
    pub(crate) fn edit<R>(&self, f: impl FnOnce(&mut Body, Op) -> Result<R, Error>) -> Result<R, Error> {
        self.place.edit(|body| body.try_op(self.op).is_ok(), |body| f(body, self.op))
    }
}

/// The numbers of operands, results and regions of an operation; each pointer may be null.
///
/// # Safety
/// The pointers must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_counts(
    operation: MinoanHandle,
    operands: *mut usize,
    results: *mut usize,
    regions: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let counts =
            table::operation(operation)?.with(|op| Ok([op.n_operands(), op.n_results(), op.n_regions()]))?;
        for (out, count) in [operands, results, regions].into_iter().zip(counts) {
            if !out.is_null() {
                // SAFETY: guaranteed by the caller.
                unsafe { out.write(count) };
            }
        }
        Ok(())
    })
}

/// The number of blocks in a region of an operation.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_block_count(
    operation: MinoanHandle,
    region: usize,
    out: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let count = table::operation(operation)?.with(|op| {
            let (body, region) = region_of(op, region)?;
            Ok(body.region(region).blocks().len())
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, count, "'out'") }
    })
}

/// A region of an operation by number, and the body that contains it.
pub(crate) fn region_of(op: OpRef<'_>, region: usize) -> Result<(&Body, Region), Error> {
    op.region_inside(region).ok_or_else(|| {
        Error::argument(format!("'{}' has {} regions, and no region {region}", op.name(), op.n_regions()))
    })
}

/// A block of a region of an operation by number, and the body that contains it.
pub(crate) fn block_of(op: OpRef<'_>, region: usize, block: usize) -> Result<(&Body, Block), Error> {
    let (body, region) = region_of(op, region)?;
    let found = body.region(region).blocks().nth(block);
    let found = found.ok_or_else(|| Error::argument(format!("the region has no block {block}")))?;
    Ok((body, found))
}

/// The first operation of a block of an operation; the handle is zero if the block is empty.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_first(
    operation: MinoanHandle,
    region: usize,
    block: usize,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        expect_out(out)?;
        let first = object.with(|op| {
            let (body, found) = block_of(op, region, block)?;
            Ok(body.block(found).ops().next().map(|first| (object.place.inside(op), first)))
        })?;
        let handle = first.map_or_else(MinoanHandle::default, |(place, op)| place.operation(op));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, handle, "'out'") }
    })
}

/// The next operation of the same block; the handle is zero after the last one.
///
/// # Safety
/// `out` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_next(
    operation: MinoanHandle,
    out: *mut MinoanHandle,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        expect_out(out)?;
        let next = object.with(|op| Ok(op.next()))?;
        let handle = next.map_or_else(MinoanHandle::default, |op| object.place.operation(op));
        // SAFETY: guaranteed by the caller.
        unsafe { put(out, handle, "'out'") }
    })
}

/// The property of an operation that is printed.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanProperty {
    /// The name, such as `arith.addf`.
    Name = 0,
    /// The whole operation with its regions; in the generic form after an edit, until the module is verified.
    Text = 1,
    /// The location.
    Location = 2,
    /// The type of the result with the index.
    ResultType = 3,
    /// The type of the operand with the index.
    OperandType = 4,
}

impl MinoanProperty {
    fn from_number(number: i32) -> Result<Self, Error> {
        let all = [Self::Name, Self::Text, Self::Location, Self::ResultType, Self::OperandType];
        let found = all.into_iter().find(|&one| one as i32 == number);
        found.ok_or_else(|| Error::argument(format!("there is no property {number}")))
    }
}

/// Prints a property of an operation, by its number in `MinoanProperty`; `index` is that of an operand or result.
///
/// # Safety
/// `buffer` must be null or have `size` writable bytes, `needed` be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_print(
    operation: MinoanHandle,
    property: i32,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        let printed = object.with(|op| {
            // Read under the lock of the module, which another thread may edit.
            let flags = object.place.module.flags(false);
            let (ctx, body) = (op.context(), op.body());
            let none = |what: &str| Error::argument(format!("'{}' has no {what} {index}", op.name()));
            Ok(match MinoanProperty::from_number(property)? {
                MinoanProperty::Name => op.name().to_owned(),
                MinoanProperty::Text => print_op(body, op.id(), &flags),
                MinoanProperty::Location => print_loc(ctx, op.loc()),
                MinoanProperty::ResultType => {
                    print_type(ctx, body.ty(op.results().nth(index).ok_or_else(|| none("result"))?))
                }
                MinoanProperty::OperandType => {
                    print_type(ctx, body.ty(op.operands().nth(index).ok_or_else(|| none("operand"))?))
                }
            })
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put_text(&printed, buffer, size, needed) }
    })
}

/// Prints an attribute of an operation, inherent or discardable; the text is empty if there is none of this name.
///
/// # Safety
/// `name` must be null or a C string, `buffer` null or have `size` writable bytes, `needed` null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_attribute(
    operation: MinoanHandle,
    name: *const c_char,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        // SAFETY: guaranteed by the caller.
        let name = unsafe { text(name, "the name")? };
        let printed = object.with(|op| {
            Ok(op.attr_named(name).map_or_else(String::new, |attr| print_attr(op.context(), attr)))
        })?;
        // SAFETY: guaranteed by the caller.
        unsafe { put_text(&printed, buffer, size, needed) }
    })
}

/// Sets an attribute of an operation, in MLIR's text (`4 : i32`), or removes it if `value` is null. The verifier says whether
/// the operation is valid with it.
///
/// # Safety
/// `name` and `value` must be null or C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_operation_set_attribute(
    operation: MinoanHandle,
    name: *const c_char,
    value: *const c_char,
) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        // SAFETY: guaranteed by the caller.
        let name = unsafe { text(name, "the name")? };
        let value = match value.is_null() {
            true => None,
            // SAFETY: guaranteed by the caller.
            false => Some(unsafe { text(value, "the value")? }),
        };
        object.edit(|body, op| {
            let ctx = body.context().clone();
            let value = value.map(|value| parse_attr(&ctx, value));
            let value =
                value.transpose().map_err(|error| Error::invalid(format!("the attribute: {error}")))?;
            body.set_attr(op, ctx.name(name), value);
            Ok(())
        })
    })
}

/// Erases an operation whose results are unused, with everything inside.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_operation_erase(operation: MinoanHandle) -> MinoanStatus {
    guard(|| {
        let object = table::operation(operation)?;
        if object.place.around.is_empty() {
            return Err(Error::argument("the top-level operation of a module cannot be erased"));
        }
        object.edit(|body, op| body.try_erase(op).map_err(|error| Error::invalid(error.to_string())))
    })
}

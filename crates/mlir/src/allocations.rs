//! Checks and locations of memory allocations.
//!
//! MLIR computes the size of a `memref.alloc` in wrapping arithmetic and calls an allocator that knows no location.
//! [`check_sizes`] runs before MLIR's pipeline and asserts that the size of each allocation fits; [`add_locations`] runs after
//! it and passes the location of each allocation to the runtime, which reports it when there is no memory.

use crate::Backend;
use crate::diagnostics::place;
use melior::dialect::{arith, cf};
use melior::ir::attribute::{DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, WalkOrder, WalkResult,
};
use melior::ir::r#type::MemRefType;
use melior::ir::{Location, Module, ShapedTypeLike, Type, TypeLike, Value, ValueLike};
use minoan_diag::{Diagnostic, Diagnostics, Place};
use minoan_services::SIZE_OVERFLOWS;
use mlir_sys::{
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeGetRank, mlirShapedTypeIsDynamicDim,
};
use std::collections::BTreeMap;

/// The allocators that MLIR's `finalize-memref-to-llvm` calls, and the positions of size and alignment.
const ALLOCATORS: [(&str, usize, Option<usize>); 2] =
    [("_mlir_memref_to_llvm_alloc", 0, None), ("_mlir_memref_to_llvm_aligned_alloc", 1, Some(0))];
/// The allocator of the runtime that takes a location. Parameters: size, alignment, location as a C string.
const ALLOCATE: &str = "minoan_alloc_at";
/// The default alignment of the runtime.
const ALIGN: i64 = 64;

/// Asserts before each `memref.alloc` that its size in bytes fits an `i64`. A single dynamic extent takes one comparison.
///
/// # Errors
/// An allocation whose static extents alone are too large, at its location.
pub(crate) fn check_sizes(module: &mut Module<'_>) -> Result<(), Diagnostics> {
    let mut errors = Diagnostics::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if operation.name().as_string_ref().as_str() == Ok("memref.alloc")
            && let Some(ty) = operation.results().next().and_then(|it| MemRefType::try_from(it.r#type()).ok())
        {
            match bytes_of_static_extents(ty) {
                None => {
                    errors.push(Diagnostic::error(SIZE_OVERFLOWS).at(place(operation.location())));
                }
                Some(0) => {}
                Some(bytes) => assert_fits(operation, ty, bytes),
            }
        }
        WalkResult::Advance
    });
    if errors.has_errors() { Err(errors) } else { Ok(()) }
}

/// The size of an element times the static extents; `None` if that is too large.
fn bytes_of_static_extents(ty: MemRefType<'_>) -> Option<i64> {
    let mut bytes = i64::try_from(element_bytes(ty.element())).ok()?;
    let extents: Vec<i64> = static_extents(ty.into()).collect();
    if extents.contains(&0) {
        return Some(0);
    }
    for extent in extents {
        bytes = bytes.checked_mul(extent)?;
    }
    Some(bytes)
}

/// The static extents of a ranked shaped type.
fn static_extents(ty: Type<'_>) -> impl Iterator<Item = i64> {
    let ty = ty.to_raw();
    // SAFETY: the caller's type is shaped and has a rank, and the dimensions are below it.
    let rank = unsafe { mlirShapedTypeGetRank(ty) };
    (0..rank as isize).filter_map(move |dim| {
        // SAFETY: as above.
        unsafe { (!mlirShapedTypeIsDynamicDim(ty, dim)).then(|| mlirShapedTypeGetDimSize(ty, dim)) }
    })
}

/// The bytes of an element, or an upper bound for types that are not numbers.
fn element_bytes(ty: Type<'_>) -> usize {
    if ty.is_index() {
        return 8;
    }
    if ty.is_vector() {
        let count: i64 = static_extents(ty).product();
        // SAFETY: a vector is shaped.
        let element = unsafe { Type::from_raw(mlirShapedTypeGetElementType(ty.to_raw())) };
        return element_bytes(element) * usize::try_from(count).unwrap_or(1).max(1);
    }
    let digits: String = ty.to_string().chars().filter(char::is_ascii_digit).collect();
    digits.parse::<usize>().map_or(64, |bits| bits.div_ceil(8).next_power_of_two())
}

/// Asserts before an allocation that its dynamic extents times `bytes` fit an `i64`, or one of them is 0.
fn assert_fits<'c: 'a, 'a>(alloc: OperationRef<'c, 'a>, ty: MemRefType<'c>, bytes: i64) {
    let dynamic = ty.rank() - static_extents(ty.into()).count();
    let sizes: Vec<Value<'c, 'a>> = alloc.operands().take(dynamic).collect();
    let (Some(block), false) = (alloc.block(), sizes.is_empty()) else { return };
    let (context, location) = (alloc.context(), alloc.location());
    // SAFETY: as in `add_locations`.
    let context = unsafe { context.to_ref() };
    let index = Type::index(context);
    let insert = |operation| -> Value<'c, 'a> {
        let inserted = block.insert_operation_before(alloc, operation);
        inserted.results().next().expect("an operation with a result").into()
    };
    let constant =
        |value: i64| insert(arith::constant(context, IntegerAttribute::new(index, value).into(), location));
    let binary = |name: &str, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>| {
        let operation = OperationBuilder::new(name, location).add_operands(&[lhs, rhs]);
        insert(operation.add_results(&[lhs.r#type()]).build().expect("a binary operation"))
    };
    let compare = |predicate, lhs, rhs| insert(arith::cmpi(context, predicate, lhs, rhs, location));
    let mut limit = constant(i64::MAX / bytes);
    let mut fits: Option<Value<'c, 'a>> = None;
    for (number, &size) in sizes.iter().enumerate() {
        let this = compare(arith::CmpiPredicate::Ule, size, limit);
        fits = Some(fits.map_or(this, |all| binary("arith.andi", all, this)));
        if number + 1 < sizes.len() {
            let one = constant(1);
            let divisor = binary("arith.maxui", size, one);
            limit = binary("arith.divui", limit, divisor);
        }
    }
    let Some(mut fits) = fits else { return };
    if sizes.len() > 1 {
        let zero = constant(0);
        for &size in &sizes {
            let empty = compare(arith::CmpiPredicate::Eq, size, zero);
            fits = binary("arith.ori", fits, empty);
        }
    }
    block.insert_operation_before(alloc, cf::assert(context, fits, SIZE_OVERFLOWS, location));
}

/// Passes the location of each allocation whose location is known to the runtime. The module is of the `llvm` dialect.
///
/// # Errors
/// MLIR refuses the declarations.
pub(crate) fn add_locations(backend: &Backend, module: &mut Module<'_>) -> Result<(), Diagnostics> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    module.as_operation().walk(WalkOrder::PreOrder, |operation| {
        if let Some((text, ..)) = allocation(operation) {
            let next = places.len();
            places.entry(text).or_insert(next);
        }
        WalkResult::Advance
    });
    if places.is_empty() {
        return Ok(());
    }
    let mut declarations =
        format!("module {{\nllvm.func @{ALLOCATE}(i64, i64, !llvm.ptr) -> (!llvm.ptr {{llvm.noalias}})\n");
    for (text, number) in &places {
        let mut escaped = String::new();
        for byte in text.bytes() {
            match byte {
                b' '..=b'~' if byte != b'"' && byte != b'\\' => escaped.push(char::from(byte)),
                _ => escaped += &format!("\\{byte:02X}"),
            }
        }
        declarations += &format!(
            "llvm.mlir.global private constant @minoan_place_{number}(\"{escaped}\\00\") {{addr_space = 0 : i32}}\n"
        );
    }
    declarations += "}\n";
    let declared = backend.parse(&declarations, "<allocations>")?;
    while let Some(mut operation) = declared.body().first_operation_mut() {
        operation.remove_from_parent();
        // SAFETY: the operation was removed from its module, so this is its only owner.
        let operation = unsafe { melior::ir::Operation::from_raw(operation.to_raw()) };
        module.body().append_operation(operation);
    }
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        let found = {
            // SAFETY: the operation lives for this call.
            let view = unsafe { OperationRef::from_raw(operation.to_raw()) };
            allocation(view).map(|(text, size, align)| (places[&text], view, size, align))
        };
        if let Some((number, view, size, align)) = found
            && let Some(block) = view.block()
        {
            let location = view.location();
            let context = view.context();
            // SAFETY: `to_ref` borrows `context` for longer than its type says, and `context` lives as long as the borrow here.
            let context = unsafe { context.to_ref() };
            let align = align.unwrap_or_else(|| aligned(context, &block, view, location));
            let symbol = FlatSymbolRefAttribute::new(context, &format!("minoan_place_{number}"));
            let pointer = Type::parse(context, "!llvm.ptr").expect("a pointer");
            let address = OperationBuilder::new("llvm.mlir.addressof", location)
                .add_attributes(&[(melior::ir::Identifier::new(context, "global_name"), symbol.into())])
                .add_results(&[pointer])
                .build()
                .expect("an address");
            let address = block.insert_operation_before(view, address);
            let address: Value<'_, '_> = address.results().next().expect("an address").into();
            operation.set_operands(&[size, align, address]);
            operation.set_attribute("callee", FlatSymbolRefAttribute::new(context, ALLOCATE).into());
            let segments = DenseI32ArrayAttribute::new(context, &[3, 0]);
            operation.set_attribute("operandSegmentSizes", segments.into());
        }
        WalkResult::Advance
    });
    Ok(())
}

/// The default alignment, before an operation.
fn aligned<'c, 'a>(
    context: &'c melior::Context,
    block: &impl BlockLike<'c, 'a>,
    before: OperationRef<'c, 'a>,
    location: Location<'c>,
) -> Value<'c, 'a> {
    let i64 = melior::ir::r#type::IntegerType::new(context, 64);
    let value = IntegerAttribute::new(i64.into(), ALIGN);
    let constant = OperationBuilder::new("llvm.mlir.constant", location)
        .add_attributes(&[(melior::ir::Identifier::new(context, "value"), value.into())])
        .add_results(&[i64.into()])
        .build()
        .expect("a constant");
    block.insert_operation_before(before, constant).results().next().expect("a constant").into()
}

/// The location as text, the size and the alignment of a call that allocates.
fn allocation<'c, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<(String, Value<'c, 'a>, Option<Value<'c, 'a>>)> {
    if operation.name().as_string_ref().as_str() != Ok("llvm.call") {
        return None;
    }
    let callee = FlatSymbolRefAttribute::try_from(operation.attribute("callee").ok()?).ok()?;
    let (_, size, align) = *ALLOCATORS.iter().find(|(name, ..)| *name == callee.value())?;
    let Place::Point(file, at) = place(operation.location()) else { return None };
    let align = align.and_then(|align| operation.operand(align).ok());
    Some((format!("{file}:{}:{}", at.line, at.column), operation.operand(size).ok()?, align))
}

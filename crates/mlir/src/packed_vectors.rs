//! Loads and stores of vectors whose elements do not fill bytes.
//!
//! In memory, each element of a memref occupies whole bytes, but LLVM packs the bits of a vector: a vector of four `i1` has one
//! byte. [`unpack`] accesses vectors of integers with the size of an element instead, and converts in registers.

use crate::atomics::{wider_storage, with_element};
use melior::ir::block::BlockLike;
use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRef, WalkOrder, WalkResult,
};
use melior::ir::r#type::{IntegerType, MemRefType};
use melior::ir::{Module, ShapedTypeLike, Type, TypeLike, Value, ValueLike};
use mlir_sys::{mlirValueReplaceAllUsesExcept, mlirValueSetType};

/// Rewrites the accesses of a module that need it.
pub(crate) fn unpack(module: &mut Module<'_>) {
    module.as_operation_mut().walk_mut(WalkOrder::PreOrder, |mut operation| {
        // SAFETY: the operation lives for this call.
        let view = unsafe { OperationRef::from_raw(operation.to_raw()) };
        if let Some(access) = Access::of(view)
            && let Some(operands) = widen(view, access)
        {
            operation.set_operands(&operands);
        }
        WalkResult::Advance
    });
}

/// The operands of an access whose types have the element type of the memref.
#[derive(Clone, Copy)]
struct Access {
    base: usize,
    /// The stored vector, the elements of a load that are not read, or the padding.
    value: Option<usize>,
}

impl Access {
    fn of(operation: OperationRef<'_, '_>) -> Option<Self> {
        let last = operation.operand_count().checked_sub(1)?;
        Some(match operation.name().as_string_ref().as_str().ok()? {
            "vector.load" => Self { base: 0, value: None },
            "vector.store" | "vector.transfer_write" => Self { base: 1, value: Some(0) },
            "vector.transfer_read" => {
                let base = MemRefType::try_from(operation.operand(0).ok()?.r#type()).ok()?;
                Self { base: 0, value: Some(1 + base.rank()) }
            }
            "vector.maskedload"
            | "vector.maskedstore"
            | "vector.gather"
            | "vector.scatter"
            | "vector.expandload"
            | "vector.compressstore" => Self { base: 0, value: Some(last) },
            _ => return None,
        })
    }
}

/// Changes an access to one of wider integers; returns its new operands, or `None` if it is not changed.
fn widen<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, access: Access) -> Option<Vec<Value<'c, 'a>>> {
    let context = operation.context();
    // SAFETY: the operation's context outlives the operation.
    let context = unsafe { context.to_ref() };
    let mut operands: Vec<Value<'c, 'a>> = operation.operands().collect();
    let memref = MemRefType::try_from(operands[access.base].r#type()).ok()?;
    let (element, text) = (memref.element(), memref.element().to_string());
    let storage: Type<'c> = IntegerType::new(context, wider_storage(element)?).into();
    let wide = |ty: Type<'c>| -> Option<Type<'c>> {
        if ty == element {
            return Some(storage);
        }
        let own = ty.to_string();
        let dims = own.strip_suffix('>')?.strip_suffix(&text)?;
        Type::parse(context, &format!("{dims}{storage}>"))
    };
    let block = operation.block()?;
    let insert = |name: &str, value: Value<'c, 'a>, to: Type<'c>| -> Value<'c, 'a> {
        let built =
            OperationBuilder::new(name, operation.location()).add_operands(&[value]).add_results(&[to]);
        let inserted = block.insert_operation_before(operation, built.build().expect("a conversion"));
        inserted.results().next().expect("an operation with a result").into()
    };
    operands[access.base] =
        insert("builtin.unrealized_conversion_cast", operands[access.base], with_element(memref, storage));
    if let Some(at) = access.value {
        operands[at] = insert("arith.extui", operands[at], wide(operands[at].r#type())?);
    }
    let Some(result) = operation.results().next() else { return Some(operands) };
    let narrow = result.r#type();
    let to = wide(narrow)?;
    // SAFETY: the value lives, and its users are given a conversion next.
    unsafe { mlirValueSetType(result.to_raw(), to.to_raw()) };
    let result: Value<'_, '_> = result.into();
    let own = OperationBuilder::new("arith.trunci", operation.location()).add_operands(&[result]);
    let own = own.add_results(&[narrow]).build().expect("a conversion");
    let own = block.insert_operation_after(operation, own);
    let value: Value<'_, '_> = own.results().next()?.into();
    // SAFETY: both values live, and the conversion is the one user that keeps its operand.
    unsafe { mlirValueReplaceAllUsesExcept(result.to_raw(), value.to_raw(), 1, &mut own.to_raw()) };
    Some(operands)
}

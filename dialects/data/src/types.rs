//! The types of heap-allocated values.

use minoan_ir::{Context, SymbolRef, Type, ty, type_constraints};

/// A value of an algebraic data type, `!data.cell<@List>`; a [`data.type`](crate::Declaration) declares its
/// constructors.
#[ty("data.cell")]
pub struct Cell {
    /// The symbol of the data type.
    name: SymbolRef,
}

/// A function with captured values: `!data.closure<(f32) -> f32>`.
#[ty("data.closure", verify = verify_closure)]
pub struct ClosureType {
    /// The types of the remaining arguments and of the results, as a function type.
    signature: Type,
}

fn verify_closure(ctx: &Context, signature: Type) -> Result<(), String> {
    match signature.as_function(ctx) {
        Some(_) => Ok(()),
        None => Err("expected a function type".to_owned()),
    }
}

/// A mutable cell, whose contents have these components: `!data.ref<i32>`.
#[ty("data.ref")]
pub struct Ref {
    /// The types of the components.
    contents: Vec<Type>,
}

/// A tensor on the heap, `!data.box<tensor<?xf32>>`: the form in which cells, closures and references contain tensors.
#[ty("data.box", verify = verify_box)]
pub struct BoxType {
    /// The tensor type.
    contents: Type,
}

fn verify_box(ctx: &Context, contents: Type) -> Result<(), String> {
    if contents.is_tensor(ctx) && contents.shape(ctx).is_some() {
        Ok(())
    } else {
        Err("expected a ranked tensor type".to_owned())
    }
}

/// The memory of an object that died, or none: `!data.memory<2>`. It is counted like an object, and has one owner.
#[ty("data.memory")]
pub struct Memory {
    /// The size in words of 8 bytes.
    class: u32,
}

/// The place of a field that is written after its object has been created: `!data.hole<!data.cell<@List>>`.
#[ty("data.hole")]
pub struct Hole {
    /// The type of the field.
    contents: Type,
}

/// Whether values of the type are objects on the heap.
pub fn is_object(ctx: &Context, ty: Type) -> bool {
    Cell::cast(ctx, ty).is_some()
        || ClosureType::cast(ctx, ty).is_some()
        || Ref::cast(ctx, ty).is_some()
        || BoxType::cast(ctx, ty).is_some()
}

/// Whether values of the type have owners: objects and their memory.
pub(crate) fn is_counted(ctx: &Context, ty: Type) -> bool {
    is_object(ctx, ty) || Memory::cast(ctx, ty).is_some()
}

fn is_tensor_or_buffer(ctx: &Context, ty: Type) -> bool {
    (ty.is_tensor(ctx) || ty.is_memref(ctx)) && ty.shape(ctx).is_some()
}

type_constraints! {
    pub(crate) OBJECT "an object on the heap" is_object;
    pub(crate) COUNTED "an object on the heap or its memory" is_counted;
    pub(crate) TENSOR_OR_BUFFER "a ranked tensor or memref" is_tensor_or_buffer;
}

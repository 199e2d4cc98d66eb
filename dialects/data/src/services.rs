//! Implementations of services by the operations and the dialect.

use crate::defunctionalize::{Selection, defunctionalize};
use crate::memory::Capture;
use crate::ops::{
    BoxExtent, Closure, Drop, Dup, Make, MakeBox, Nothing, Project, RefNew, RefRead, UnboxInto, is_value,
};
use crate::reuse::{NoMemory, Reset};
use crate::types::{BoxType, Cell, is_counted};
use minoan_ir::{Attr, Body, Builder, Context, DYNAMIC, Name, Op, OpRef, Traits, Type, Value};
use minoan_services::{
    BufferOps, ByAttributes, Constructor, CountOps, Defunctionalize, EffectSet, Effects, MemoryEvent,
    MemoryEvents, OperandUse, Ownership, ResultOwner, Speculatability, Speculation, Symbols, ToBuffers,
};

/// Values of data types and closures, before their owners are counted.
pub(crate) struct Constructors;

impl Constructor for Constructors {
    fn is_constructor(&self, op: OpRef<'_>) -> bool {
        (op.is::<Make>() || op.is::<Closure>()) && is_value(op)
    }
}

/// The creation of an object, unless the value is an immediate or there are no captured values.
pub(crate) struct NewObject;

impl MemoryEvents for NewObject {
    fn event(&self, op: OpRef<'_>) -> Option<MemoryEvent> {
        (!op.is::<Make>() || op.n_operands() > 0).then_some(MemoryEvent::NewObject)
    }
}

pub(crate) struct ClosuresAsData;

impl Defunctionalize for ClosuresAsData {
    fn defunctionalize(&self, module: &mut Body) {
        defunctionalize(module, Selection::Match);
    }
}

/// The type of the result uses the symbol of the data type. Where an operation does not create a value, one that does, or a
/// function type, uses it as well.
pub(crate) struct TypeOfResult;

impl Symbols for TypeOfResult {
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        ByAttributes.uses(op, names);
        let ctx = op.context();
        let cells = op.result_types().filter_map(|ty| Cell::cast(ctx, ty));
        names.extend(cells.map(|cell| cell.name(ctx).root(ctx)));
    }
}

/// Every operand becomes part of the result.
pub(crate) struct ConsumesAll;

impl Ownership for ConsumesAll {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// The first operand becomes memory; the fields that are kept get an owner.
pub(crate) struct ConsumesFirst;

impl Ownership for ConsumesFirst {
    fn operand(&self, _: OpRef<'_>, index: usize) -> OperandUse {
        if index == 0 { OperandUse::Consume } else { OperandUse::Borrow }
    }
}

/// The first operand, the reference or place, is borrowed.
pub(crate) struct ConsumesContents;

impl Ownership for ConsumesContents {
    fn operand(&self, _: OpRef<'_>, index: usize) -> OperandUse {
        if index == 0 { OperandUse::Borrow } else { OperandUse::Consume }
    }
}

/// A projection is valid only where the constructor is known.
pub(crate) struct Stays;

impl Speculation for Stays {
    fn speculatability(&self, _: OpRef<'_>) -> Speculatability {
        Speculatability::NotSpeculatable
    }
}

/// Creating an object reads the buffers that are copied to it. Before its owners are counted it has no other effect: equal
/// objects may be one.
pub(crate) struct Creates;

impl Effects for Creates {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        let ctx = op.context();
        let effects = if is_value(op) { EffectSet::NONE } else { EffectSet::ALLOCATE.and(EffectSet::WRITE) };
        let is_copied = |ty: Type| ty.is_memref(ctx);
        if op.operand_types().any(is_copied) { effects.and(EffectSet::READ) } else { effects }
    }
}

impl Speculation for Creates {
    fn speculatability(&self, op: OpRef<'_>) -> Speculatability {
        is_value(op).into()
    }
}

/// Boxes the contents of the buffer.
pub(crate) struct BoxToBuffers;

impl ToBuffers for BoxToBuffers {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let (contents, ty) = (view.operand(0), b.ty(view.result(0)));
        Ok(vec![MakeBox::build(b, contents, ty).result(b.body())])
    }
}

/// Copies the contents of the box, which may be freed before the tensor is.
pub(crate) struct UnboxToBuffers;

impl ToBuffers for UnboxToBuffers {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let ctx = b.context();
        let boxed = b.body().op(op).operand(0);
        let contents = BoxType::cast(&ctx, b.ty(boxed)).map(|boxed| boxed.contents(&ctx));
        let contents = contents.ok_or("it is not a box")?;
        let ty = buffers.buffer_type(&ctx, contents).ok_or("the contents have no buffer")?;
        let mut sizes = Vec::new();
        for (axis, &extent) in contents.shape(&ctx).unwrap_or(&[]).iter().enumerate() {
            if extent == DYNAMIC {
                sizes.push(BoxExtent::build(b, boxed, axis as i64).result(b.body()));
            }
        }
        let copy = buffers.alloc(b, ty, &sizes);
        UnboxInto::build(b, boxed, copy);
        Ok(vec![copy])
    }
}

/// All types of this dialect are counted.
pub(crate) struct Counts;

impl CountOps for Counts {
    fn is_counted(&self, ctx: &Context, ty: Type) -> bool {
        is_counted(ctx, ty)
    }

    fn owner(&self, op: OpRef<'_>, _: usize) -> ResultOwner {
        if op.is::<Project>() || op.is::<Capture>() {
            ResultOwner::Operand(0)
        } else if op.is::<RefRead>() || is_choice(op) {
            ResultOwner::Shared
        } else {
            ResultOwner::Itself
        }
    }

    fn mark(&self, body: &mut Body, op: Op) {
        let view = body.op(op);
        if view.is::<Make>() || view.is::<Closure>() || view.is::<RefNew>() || view.is::<MakeBox>() {
            let name = body.context().name("counted");
            body.set_attr(op, name, Some(Attr::UNIT));
        }
    }

    fn dup(&self, b: &mut Builder<'_>, object: Value) {
        Dup::build(b, object);
    }

    fn drop(&self, b: &mut Builder<'_>, object: Value) {
        Drop::build(b, object);
    }

    fn is_count(&self, op: OpRef<'_>) -> bool {
        op.is::<Dup>() || op.is::<Drop>() || op.is::<Reset>()
    }
}

/// Whether an operation of another dialect only forwards operands to its results, such as a select: it has no computation
/// and no calls.
fn is_choice(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::PURE) && op.n_regions() == 0 && !op.is::<Nothing>() && !op.is::<NoMemory>()
}

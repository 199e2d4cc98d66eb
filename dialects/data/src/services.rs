//! Services of the operations.

use crate::Declaration;
use crate::declare::{ClosureFits, CtorFits};
use crate::defunctionalize::{Selection, defunctionalize};
use crate::evaluate;
use crate::expand::ExpandObjects;
use crate::machine::Machine;
use crate::matches::{Match, MatchFlow, ToSwitch};
use crate::memory::{
    Capture, Free, HeaderTag, ImmediateTag, IsAllocated, IsUnique, RefStore, Release, Retain,
};
use crate::ops::{
    Apply, BoxExtent, Closure, Drop, Dup, Fail, Make, MakeBox, Nothing, Project, RefNew, RefRead, RefWrite,
    Tag, Unbox, UnboxInto, Yield, is_value,
};
use crate::reuse::{
    Fill, FreeMemory, HasMemory, HoleOf, MakeAt, MakeIn, MemoryOf, NewMemory, NoMemory, Opens, Reset, Reuses,
};
use crate::slots::{NewSlot, ReadOrWrite};
use crate::tangents::Tangents;
use crate::types::{BoxType, Cell, is_counted};
use minoan_ir::{
    Attr, Body, Builder, Context, DYNAMIC, DialectBuilder, Name, Op, OpRef, SymbolUser, Traits, Type, Value,
};
use minoan_services::{
    BufferOps, ByAttributes, CountOps, Defunctionalize, EffectSet, Effects, Evaluate, EvaluateFn, Expand,
    ExpandCounts, HoleOps, MemoryEvent, MemoryEvents, ObjectTangents, OperandUse, Ownership, RegionFlow,
    ResultOwner, ReuseOps, SlotAccess, SlotSource, Speculatability, Speculation, Symbols, ToBuffers, ToMlir,
};
use std::sync::Arc;

/// The creation of an object, unless the value is an immediate or nothing is captured.
struct NewObject;

impl MemoryEvents for NewObject {
    fn event(&self, op: OpRef<'_>) -> Option<MemoryEvent> {
        (!op.is::<Make>() || op.n_operands() > 0).then_some(MemoryEvent::NewObject)
    }
}

struct ClosuresAsData;

impl Defunctionalize for ClosuresAsData {
    fn defunctionalize(&self, module: &mut Body) {
        defunctionalize(module, Selection::Match);
    }
}

pub(crate) fn register(dialect: &mut DialectBuilder<'_>) {
    dialect
        .op_service::<Make, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::make)))
        .op_service::<Tag, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::tag)))
        .op_service::<Project, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::project)))
        .op_service::<Match, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::matches)))
        .op_service::<Yield, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::yields)))
        .op_service::<Fail, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::fail)))
        .op_service::<Nothing, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::nothing)))
        .op_service::<Closure, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::closure)))
        .op_service::<Apply, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::apply)))
        .op_service::<RefNew, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::ref_new)))
        .op_service::<RefRead, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::ref_read)))
        .op_service::<RefWrite, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::ref_write)))
        .op_service::<MakeBox, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::make_box)))
        .op_service::<Unbox, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::unbox)))
        .op_service::<BoxExtent, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::box_extent)))
        .op_service::<UnboxInto, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::unbox_into)))
        .op_service::<IsAllocated, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::is_allocated)))
        .op_service::<HeaderTag, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::tag)))
        .op_service::<ImmediateTag, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::tag)))
        .op_service::<IsUnique, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::is_unique)))
        .op_service::<Retain, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)))
        .op_service::<Release, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)))
        .op_service::<Free, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)))
        .op_service::<RefStore, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::ref_store)))
        .op_service::<Capture, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::capture)))
        .op_service::<Reset, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::reset)))
        .op_service::<MakeIn, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::make_in)))
        .op_service::<MakeAt, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::make_in)))
        .op_service::<HoleOf, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::hole)))
        .op_service::<Fill, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::fill)))
        .op_service::<MemoryOf, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::memory_of)))
        .op_service::<NoMemory, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::nothing)))
        .op_service::<NewMemory, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::new_memory)))
        .op_service::<HasMemory, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::has_memory)))
        .op_service::<FreeMemory, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)))
        .op_service::<Dup, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)))
        .op_service::<Drop, dyn Evaluate>(Arc::new(EvaluateFn(evaluate::count)));
    dialect
        .op_service::<Declaration, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<Project, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<Project, dyn Speculation>(Arc::new(Stays))
        .op_service::<Fail, dyn Effects>(Arc::new(EffectSet::OUTSIDE))
        .op_service::<RefNew, dyn Effects>(Arc::new(EffectSet::ALLOCATE))
        .op_service::<RefRead, dyn Effects>(Arc::new(EffectSet::READ))
        .op_service::<RefWrite, dyn Effects>(Arc::new(EffectSet::WRITE))
        .op_service::<BoxExtent, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<UnboxInto, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
        .op_service::<Make, dyn Effects>(Arc::new(Creates))
        .op_service::<Closure, dyn Effects>(Arc::new(Creates))
        .op_service::<MakeBox, dyn Effects>(Arc::new(Creates))
        .op_service::<Make, dyn Speculation>(Arc::new(Creates))
        .op_service::<Closure, dyn Speculation>(Arc::new(Creates))
        .op_service::<MakeBox, dyn Speculation>(Arc::new(Creates))
        .op_service::<HeaderTag, dyn Effects>(Arc::new(EffectSet::READ))
        .op_service::<IsUnique, dyn Effects>(Arc::new(EffectSet::READ))
        .op_service::<Retain, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
        .op_service::<Release, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
        .op_service::<Free, dyn Effects>(Arc::new(EffectSet::FREE.and(EffectSet::WRITE)))
        .op_service::<RefStore, dyn Effects>(Arc::new(EffectSet::WRITE))
        .op_service::<Capture, dyn Effects>(Arc::new(EffectSet::NONE))
        .op_service::<Capture, dyn Speculation>(Arc::new(Stays))
        .op_service::<Reset, dyn Effects>(Arc::new(
            EffectSet::READ.and(EffectSet::WRITE).and(EffectSet::FREE),
        ))
        .op_service::<MakeIn, dyn Effects>(Arc::new(EffectSet::ALLOCATE.and(EffectSet::WRITE)))
        .op_service::<MakeAt, dyn Effects>(Arc::new(EffectSet::WRITE))
        .op_service::<Fill, dyn Effects>(Arc::new(EffectSet::WRITE))
        .op_service::<MemoryOf, dyn Effects>(Arc::new(EffectSet::WRITE))
        .op_service::<NewMemory, dyn Effects>(Arc::new(EffectSet::ALLOCATE))
        .op_service::<FreeMemory, dyn Effects>(Arc::new(EffectSet::FREE.and(EffectSet::WRITE)))
        .op_service::<Dup, dyn Effects>(Arc::new(EffectSet::READ.and(EffectSet::WRITE)))
        .op_service::<Drop, dyn Effects>(Arc::new(EffectSet::FREE.and(EffectSet::WRITE)));
    dialect
        .op_service::<Make, dyn Symbols>(Arc::new(TypeOfResult))
        .op_service::<Nothing, dyn Symbols>(Arc::new(TypeOfResult))
        .op_service::<MakeIn, dyn Symbols>(Arc::new(TypeOfResult))
        .op_service::<MakeAt, dyn Symbols>(Arc::new(TypeOfResult))
        .op_service::<Make, dyn SymbolUser>(Arc::new(CtorFits))
        .op_service::<Project, dyn SymbolUser>(Arc::new(CtorFits))
        .op_service::<Match, dyn SymbolUser>(Arc::new(CtorFits))
        .op_service::<Closure, dyn SymbolUser>(Arc::new(ClosureFits))
        .op_service::<RefNew, dyn SlotSource>(Arc::new(NewSlot))
        .op_service::<RefRead, dyn SlotAccess>(Arc::new(ReadOrWrite))
        .op_service::<RefWrite, dyn SlotAccess>(Arc::new(ReadOrWrite))
        .op_service::<Match, dyn RegionFlow>(Arc::new(MatchFlow))
        .op_service::<Match, dyn Expand>(Arc::new(ToSwitch))
        .op_service::<Yield, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<Make, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<Make, dyn MemoryEvents>(Arc::new(NewObject))
        .op_service::<Closure, dyn MemoryEvents>(Arc::new(NewObject))
        .op_service::<RefNew, dyn MemoryEvents>(Arc::new(NewObject))
        .op_service::<MakeBox, dyn MemoryEvents>(Arc::new(NewObject))
        .op_service::<NewMemory, dyn MemoryEvents>(Arc::new(MemoryEvent::NewMemory))
        .op_service::<MakeAt, dyn MemoryEvents>(Arc::new(MemoryEvent::Placed))
        .op_service::<Closure, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<RefNew, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<RefWrite, dyn Ownership>(Arc::new(ConsumesContents))
        .op_service::<Drop, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<MakeIn, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<MakeAt, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<FreeMemory, dyn Ownership>(Arc::new(ConsumesAll))
        .op_service::<Fill, dyn Ownership>(Arc::new(ConsumesContents))
        .op_service::<Reset, dyn Ownership>(Arc::new(ConsumesFirst))
        .op_service::<Unbox, dyn ToBuffers>(Arc::new(UnboxToBuffers))
        .op_service::<MakeBox, dyn ToBuffers>(Arc::new(BoxToBuffers))
        .service::<dyn CountOps>(Arc::new(Counts))
        .service::<dyn ReuseOps>(Arc::new(Reuses))
        .service::<dyn HoleOps>(Arc::new(Opens))
        .service::<dyn Defunctionalize>(Arc::new(ClosuresAsData))
        .service::<dyn ExpandCounts>(Arc::new(ExpandObjects))
        .service::<dyn ObjectTangents>(Arc::new(Tangents))
        .service::<dyn ToMlir>(Arc::new(Machine));
}

/// The type of the result uses the symbol of the data type. Where an operation does not create a value, one that does, or a
/// function type, uses it as well.
struct TypeOfResult;

impl Symbols for TypeOfResult {
    fn uses(&self, op: OpRef<'_>, names: &mut Vec<Name>) {
        ByAttributes.uses(op, names);
        let ctx = op.context();
        let cells = op.result_types().filter_map(|ty| Cell::cast(ctx, ty));
        names.extend(cells.map(|cell| cell.name(ctx).root(ctx)));
    }
}

/// Every operand becomes part of the result.
struct ConsumesAll;

impl Ownership for ConsumesAll {
    fn operand(&self, _: OpRef<'_>, _: usize) -> OperandUse {
        OperandUse::Consume
    }
}

/// The first operand becomes memory; the fields that are kept get an owner.
struct ConsumesFirst;

impl Ownership for ConsumesFirst {
    fn operand(&self, _: OpRef<'_>, index: usize) -> OperandUse {
        if index == 0 { OperandUse::Consume } else { OperandUse::Borrow }
    }
}

/// The first operand, the reference or place, is borrowed.
struct ConsumesContents;

impl Ownership for ConsumesContents {
    fn operand(&self, _: OpRef<'_>, index: usize) -> OperandUse {
        if index == 0 { OperandUse::Borrow } else { OperandUse::Consume }
    }
}

/// A projection is valid only where the constructor is known.
struct Stays;

impl Speculation for Stays {
    fn speculatability(&self, _: OpRef<'_>) -> Speculatability {
        Speculatability::NotSpeculatable
    }
}

/// Creating an object has no effect before its owners are counted: equal objects may be one.
struct Creates;

impl Effects for Creates {
    fn effects(&self, op: OpRef<'_>) -> EffectSet {
        if is_value(op) { EffectSet::NONE } else { EffectSet::ALLOCATE.and(EffectSet::WRITE) }
    }
}

impl Speculation for Creates {
    fn speculatability(&self, op: OpRef<'_>) -> Speculatability {
        is_value(op).into()
    }
}

/// Boxes the contents of the buffer.
struct BoxToBuffers;

impl ToBuffers for BoxToBuffers {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, _: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let view = b.body().op(op);
        let (contents, ty) = (view.operand(0), b.ty(view.result(0)));
        Ok(vec![MakeBox::build(b, contents, ty).result(b.body())])
    }
}

/// Copies the contents of the box, which may be freed before the tensor is.
struct UnboxToBuffers;

impl ToBuffers for UnboxToBuffers {
    fn to_buffers(&self, b: &mut Builder<'_>, op: Op, buffers: &dyn BufferOps) -> Result<Vec<Value>, String> {
        let ctx = b.context();
        let boxed = b.body().op(op).operand(0);
        let contents = BoxType::cast(&ctx, b.ty(boxed)).map(|boxed| boxed.contents(&ctx));
        let contents = contents.ok_or("it is no box")?;
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
struct Counts;

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

/// Whether the results of an operation of another dialect are operands of it, such as those of a select: it computes nothing
/// and calls nothing.
fn is_choice(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::PURE) && op.n_regions() == 0 && !op.is::<Nothing>() && !op.is::<NoMemory>()
}

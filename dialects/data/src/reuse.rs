//! Operations on the memory of dying objects and on the places of parts, and their services.
//!
//! `reuse-objects` turns the drop of an object into `data.reset`, which returns the memory of the object if it has no other
//! owner, and the creation of an object into `data.make_in`. `expand-counts` turns both into tests and the operations on memory
//! at the end of this file.

use crate::layout::{MAX_SMALL, Slots, words};
use crate::ops::{Make, Nothing, Project};
use crate::types::{Cell, Hole, Memory, OBJECT, is_object};
use crate::{evaluate, services};
use minoan_ir::constraints::{ANY, I1};
use minoan_ir::{
    Array, Body, Builder, Context, InsertionPoint, Op, OpDef, OpRef, Type, Value, Violations, op,
};
use minoan_services::{
    EffectSet, Effects, Evaluate, EvaluateFn, HoleOps, MemoryEvent, MemoryEvents, Ownership, ReuseOps,
    Symbols,
};

/// Removes an owner of a value of a known constructor, adds an owner to some of its fields, and returns the memory of the value
/// if it had no other owner: `data.reset %xs keeps [1] (%rest) as "Cons"[0] of [i32, !data.cell<@List>] : (..) ->
/// !data.memory<2>`.
///
/// A unique value is not read or written: its kept fields move to their new owners, and the others are dropped.
#[op(
    "data.reset",
    assembly = "$cell `keeps` $kept `(` $fields `)` `as` $ctor `[` $tag `]` `of` $types attr-dict `:` functional-type(operands, results)",
    verify = verify_reset,
    services(
        Evaluate = EvaluateFn(evaluate::reset),
        Effects = EffectSet::READ.and(EffectSet::WRITE).and(EffectSet::FREE),
        Ownership = services::ConsumesFirst,
    )
)]
pub struct Reset {
    /// The value.
    cell: Operand<Cell>,
    /// The fields that get an owner.
    fields: Vec<Operand<OBJECT>>,
    /// Their indices among all fields.
    kept: Vec<i64>,
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// The types of all fields of the constructor.
    types: Array<Type>,
    /// The memory.
    memory: OpResult<Memory>,
}

fn verify_reset(reset: Reset, body: &Body, errors: &mut Violations) {
    let ctx = body.context();
    let types = reset.types(body);
    let have: Vec<Type> = body.op(reset.op()).operand_types().skip(1).collect();
    let want: Option<Vec<Type>> =
        reset.kept(body).iter().map(|index| types.get(usize::try_from(index).ok()?)).collect();
    match want {
        Some(want) => crate::ops::compare(ctx, "field", &have, &want, errors),
        None => errors.push(format!("keeps a field that is not there among {}", types.len())),
    }
    let all: Vec<Type> = types.iter().collect();
    let memory = Memory::cast(ctx, body.ty(reset.memory(body)));
    if class_of(ctx, &all) != memory.map(|memory| memory.class(ctx)) {
        errors.push(format!("the memory must be that of {} fields", types.len()));
    }
}

/// Creates a value of a data type in memory, if there is any:
/// `data.make_in %m "Cons"[0](%x, %rest) : (!data.memory<2>, i32, !data.cell<@List>) -> !data.cell<@List>`.
#[op(
    "data.make_in",
    assembly = "$memory $ctor `[` $tag `]` `(` $fields `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_make_in,
    services(
        Evaluate = EvaluateFn(evaluate::make_in),
        Effects = EffectSet::ALLOCATE.and(EffectSet::WRITE),
        Symbols = services::TypeOfResult,
        Ownership = services::ConsumesAll,
    )
)]
pub struct MakeIn {
    /// The memory.
    memory: Operand<Memory>,
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// One value per field of the constructor.
    fields: Vec<Operand<ANY>>,
    /// The value.
    result: OpResult<Cell>,
}

fn verify_make_in(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let memory = view.operand_types().next().and_then(|ty| Memory::cast(ctx, ty));
    let fields: Vec<Type> = view.operand_types().skip(1).collect();
    if memory.is_some_and(|memory| class_of(ctx, &fields) != Some(memory.class(ctx))) {
        errors.push(format!("the memory must be that of {} fields", fields.len()));
    }
}

/// The place of a field of a value that was created without it:
/// `data.hole %xs as "Cons"[0] of [i32, !data.cell<@List>] at 1 : (!data.cell<@List>) -> !data.hole<!data.cell<@List>>`.
#[op(
    "data.hole",
    traits(PURE),
    assembly = "$cell `as` $ctor `[` $tag `]` `of` $fields `at` $index attr-dict `:` functional-type(operands, results)",
    verify = verify_hole,
    services(Evaluate = EvaluateFn(evaluate::hole))
)]
pub struct HoleOf {
    /// The value.
    cell: Operand<Cell>,
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// The types of all fields of the constructor.
    fields: Array<Type>,
    /// The index of the field.
    index: i64,
    /// The place.
    result: OpResult<Hole>,
}

fn verify_hole(hole: HoleOf, body: &Body, errors: &mut Violations) {
    let ctx = body.context();
    let index = usize::try_from(hole.index(body)).ok();
    let fields = hole.fields(body);
    let contents = Hole::cast(ctx, body.ty(hole.result(body))).map(|hole| hole.contents(ctx));
    match index.and_then(|index| fields.get(index)) {
        Some(field) if Some(field) == contents => {}
        Some(_) => errors.push("the result must be the place of a value of the field's type"),
        None => errors.push(format!("there is no such field among {}", fields.len())),
    }
}

/// Writes a field to its place, once: `data.fill %hole(%value) : (!data.hole<!data.cell<@List>>, !data.cell<@List>) -> ()`.
#[op(
    "data.fill",
    assembly = "$hole `(` $value `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_fill,
    services(
        Evaluate = EvaluateFn(evaluate::fill),
        Effects = EffectSet::WRITE,
        Ownership = services::ConsumesContents,
    )
)]
pub struct Fill {
    /// The place.
    hole: Operand<Hole>,
    /// The field.
    value: Operand<ANY>,
}

fn verify_fill(fill: Fill, body: &Body, errors: &mut Violations) {
    let ctx = body.context();
    let contents = Hole::cast(ctx, body.ty(fill.hole(body))).map(|hole| hole.contents(ctx));
    if contents != Some(body.ty(fill.value(body))) {
        errors.push("the value must have the type of the place");
    }
}

/// The memory of a unique value whose fields have been moved or dropped.
#[op(
    "data.memory_of",
    assembly = "$cell attr-dict `:` functional-type(operands, results)",
    services(Evaluate = EvaluateFn(evaluate::memory_of), Effects = EffectSet::WRITE)
)]
pub struct MemoryOf {
    /// The value.
    cell: Operand<Cell>,
    /// Whether objects of the program may own each other.
    #[attr(unit)]
    cyclic: bool,
    /// The memory.
    memory: OpResult<Memory>,
}

/// No memory.
#[op(
    "data.no_memory",
    traits(PURE),
    assembly = "attr-dict `:` type($memory)",
    services(Evaluate = EvaluateFn(evaluate::nothing))
)]
pub struct NoMemory {
    /// No memory.
    memory: OpResult<Memory>,
}

/// New memory.
#[op(
    "data.new_memory",
    assembly = "attr-dict `:` type($memory)",
    services(
        Evaluate = EvaluateFn(evaluate::new_memory),
        Effects = EffectSet::ALLOCATE,
        MemoryEvents = MemoryEvent::NewMemory,
    )
)]
pub struct NewMemory {
    /// The memory.
    memory: OpResult<Memory>,
}

/// Whether there is memory.
#[op(
    "data.has_memory",
    traits(PURE),
    assembly = "$memory attr-dict `:` type($memory)",
    services(Evaluate = EvaluateFn(evaluate::has_memory))
)]
pub struct HasMemory {
    /// The memory.
    memory: Operand<Memory>,
    /// The answer.
    #[result(I1, fixed)]
    result: Value,
}

/// Frees memory that is there.
#[op(
    "data.free_memory",
    assembly = "$memory attr-dict `:` type($memory)",
    services(
        Evaluate = EvaluateFn(evaluate::count),
        Effects = EffectSet::FREE.and(EffectSet::WRITE),
        Ownership = services::ConsumesAll,
    )
)]
pub struct FreeMemory {
    /// The memory.
    memory: Operand<Memory>,
}

/// Creates a value of a data type in memory that is there.
#[op(
    "data.make_at",
    assembly = "$memory $ctor `[` $tag `]` `(` $fields `)` attr-dict `:` functional-type(operands, results)",
    verify = verify_make_in,
    services(
        Evaluate = EvaluateFn(evaluate::make_in),
        Effects = EffectSet::WRITE,
        Symbols = services::TypeOfResult,
        MemoryEvents = MemoryEvent::Placed,
        Ownership = services::ConsumesAll,
    )
)]
pub struct MakeAt {
    /// The memory.
    memory: Operand<Memory>,
    /// The name of the constructor.
    ctor: String,
    /// The position of the constructor in the declaration.
    tag: i64,
    /// One value per field of the constructor.
    fields: Vec<Operand<ANY>>,
    /// The value.
    result: OpResult<Cell>,
}

/// The size class of values with fields of these types; `None` if they are immediates or too large.
pub(crate) fn class_of(ctx: &Context, fields: &[Type]) -> Option<u32> {
    let slots = Slots::of_types(ctx, fields).len();
    (slots > 0 && words(slots) <= MAX_SMALL).then_some(words(slots) as u32)
}

/// Values of data types are created in the memory of others.
pub(crate) struct Reuses;

impl ReuseOps for Reuses {
    fn part(&self, op: OpRef<'_>) -> Option<(usize, u32)> {
        let project = op.cast::<Project>()?;
        let fields: Vec<Type> = project.fields(op.body()).iter().collect();
        Some((0, class_of(op.context(), &fields)?))
    }

    fn creates(&self, op: OpRef<'_>) -> Option<u32> {
        let fields: Vec<Type> = op.operand_types().collect();
        if op.is::<Make>() { class_of(op.context(), &fields) } else { None }
    }

    fn reset(&self, b: &mut Builder<'_>, part: Op, kept: &[Op]) -> Value {
        let ctx = b.context();
        let project = Project::from_op_unchecked(part);
        let body = b.body();
        let index = |&op: &Op| Project::from_op_unchecked(op).index(body);
        let indices: Vec<i64> = kept.iter().map(index).collect();
        let values: Vec<Value> = kept.iter().map(|&op| body.op(op).result(0)).collect();
        let (cell, ctor, tag) = (project.cell(body), project.ctor(body).to_owned(), project.tag(body));
        let types: Array<Type> = project.fields(body).iter().collect();
        let memory = Memory::get(&ctx, class_of(&ctx, &types.0).unwrap_or_default());
        Reset::build(b, cell, &values, indices, ctor, tag, types, memory.into()).memory(b.body())
    }

    fn reuse(&self, body: &mut Body, op: Op, memory: Value) {
        let view = body.op(op);
        let make = Make::from_op_unchecked(op);
        let (ctor, tag) = (make.ctor(body).to_owned(), make.tag(body));
        let (fields, ty, loc) =
            (view.operands().collect::<Vec<Value>>(), body.ty(view.result(0)), view.loc());
        let mut b = Builder::before(body, op).with_loc(loc);
        let made = MakeIn::build(&mut b, memory, &fields, ctor, tag, ty).result(b.body());
        body.replace(op, &[made]);
    }
}

/// Values of data types are created without an object in a field.
pub(crate) struct Opens;

impl HoleOps for Opens {
    fn stores(&self, op: OpRef<'_>, operand: usize) -> bool {
        op.cast::<Make>().is_some_and(|make| !make.open(op.body()))
            && is_object(op.context(), op.body().ty(op.operand(operand)))
    }

    fn hole_type(&self, ctx: &Context, part: Type) -> Type {
        Hole::get(ctx, part).into()
    }

    fn open(&self, body: &mut Body, op: Op, operand: usize) -> Value {
        let ctx = body.context().clone();
        let view = body.op(op);
        let types: Vec<Type> = view.operand_types().collect();
        let (loc, cell) = (view.loc(), view.result(0));
        let make = Make::from_op_unchecked(op);
        let (ctor, tag) = (make.ctor(body).to_owned(), make.tag(body));
        let nothing = {
            let mut b = Builder::before(body, op).with_loc(loc);
            Nothing::build(&mut b, types[operand]).result(b.body())
        };
        body.set_operand(op, operand, nothing);
        make.set_open(body, true);
        let mut b = Builder::new(body, InsertionPoint::After(op)).with_loc(loc);
        let hole = Hole::get(&ctx, types[operand]);
        HoleOf::build(&mut b, cell, ctor, tag, types, operand as i64, hole.into()).result(b.body())
    }

    fn fill(&self, b: &mut Builder<'_>, hole: Value, part: Value) {
        Fill::build(b, hole, part);
    }
}

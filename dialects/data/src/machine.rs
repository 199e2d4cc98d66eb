//! Conversion to upstream MLIR: addresses, loads and stores of the `llvm` dialect, and calls of the runtime.

mod boxes;
mod memory;

use crate::layout::{Slots, immediate, is_storable, slot_offset};
use crate::memory::{
    Capture, Free, HeaderTag, ImmediateTag, IsAllocated, IsUnique, RefStore, Release, Retain,
};
use crate::ops::{
    Apply, BoxExtent, Closure, Fail, Make, MakeBox, Nothing, Project, RefNew, RefRead, UnboxInto,
};
use crate::reuse::{Fill, FreeMemory, HasMemory, HoleOf, MakeAt, MemoryOf, NewMemory, NoMemory};
use crate::types::{Hole, is_counted, is_object};
use crate::{Assert, Declaration, declare::types_of};
use minoan_ir::text::print_type;
use minoan_ir::{Attr, Context, OpRef, Type, TypeData};
use minoan_services::{InMlir, MlirSequence, MlirValue, ToMlir};

/// The offset of the tag in the header, in bytes.
const TAG: usize = 4;

/// The offset of the number of slots that are objects in the header, in bytes.
const POINTERS: usize = 6;

/// The number of values that `minoan_assert_values` takes.
const SHOWN_AT_ONCE: usize = 4;

/// Operations on values and on memory. Operations that `expand-counts` expands have no equivalent.
pub(crate) struct Machine;

impl ToMlir for Machine {
    fn operation(&self, op: OpRef<'_>) -> InMlir {
        if op.is::<Declaration>() {
            return InMlir::Sequence(MlirSequence::default());
        }
        match sequence(op) {
            Some(Ok(sequence)) => InMlir::Sequence(sequence),
            Some(Err(reason)) => InMlir::Nothing(reason),
            None => InMlir::Nothing("the pass 'expand-counts' must run first".to_owned()),
        }
    }

    fn ty(&self, ctx: &Context, ty: Type) -> Option<Type> {
        let is_address = is_counted(ctx, ty) || Hole::cast(ctx, ty).is_some();
        is_address.then(|| Type::opaque(ctx, "llvm", ".ptr"))
    }
}

/// The code of an operation; `None` if it has to be expanded first.
fn sequence<'a>(op: OpRef<'a>) -> Generated {
    let code = Code::new(op);
    let generate: fn(Code<'a>) -> Generated = match () {
        () if op.is::<Make>() => Code::make,
        () if op.is::<Project>() => Code::project,
        () if op.is::<Capture>() => Code::capture,
        () if op.is::<Closure>() => Code::closure,
        () if op.is::<Apply>() => Code::apply,
        () if op.is::<RefNew>() => Code::ref_new,
        () if op.is::<RefRead>() => Code::ref_read,
        () if op.is::<RefStore>() => Code::ref_store,
        () if op.is::<MakeBox>() => Code::make_box,
        () if op.is::<UnboxInto>() => Code::unbox_into,
        () if op.is::<BoxExtent>() => Code::box_extent,
        () if op.is::<Nothing>() => Code::nothing,
        () if op.is::<Fail>() => Code::fail,
        () if op.is::<Assert>() => Code::assert,
        () if op.is::<IsAllocated>() => Code::test_allocated,
        () if op.is::<HeaderTag>() => Code::header_tag,
        () if op.is::<ImmediateTag>() => Code::immediate_tag,
        () if op.is::<IsUnique>() => Code::test_unique,
        () if op.is::<Retain>() => Code::retain,
        () if op.is::<Release>() => Code::release,
        () if op.is::<Free>() => Code::free,
        () if op.is::<MemoryOf>() => Code::memory_of,
        () if op.is::<NoMemory>() => Code::no_memory,
        () if op.is::<NewMemory>() => Code::new_memory,
        () if op.is::<HasMemory>() => Code::has_memory,
        () if op.is::<FreeMemory>() => Code::free_memory,
        () if op.is::<MakeAt>() => Code::make_at,
        () if op.is::<HoleOf>() => Code::hole,
        () if op.is::<Fill>() => Code::fill,
        () => return None,
    };
    generate(code)
}

/// The code being generated. Generation returns `None` for a malformed operation.
struct Code<'a> {
    op: OpRef<'a>,
    ctx: &'a Context,
    ptr: Type,
    seq: MlirSequence,
}

type Generated = Option<Result<MlirSequence, String>>;

impl<'a> Code<'a> {
    fn new(op: OpRef<'a>) -> Self {
        let ctx = op.context();
        Self { op, ctx, ptr: Type::opaque(ctx, "llvm", ".ptr"), seq: MlirSequence::default() }
    }

    fn finish(mut self, results: &[MlirValue]) -> Generated {
        self.seq.results = results.to_vec();
        Some(Ok(self.seq))
    }

    /// Appends an operation with one result.
    fn value(&mut self, name: &str, operands: &[MlirValue], ty: Type, props: &[(&str, Attr)]) -> MlirValue {
        let props: Vec<_> = props.iter().map(|&(name, attr)| (self.ctx.name(name), attr)).collect();
        let props = if props.is_empty() { Attr::EMPTY_PROPS } else { Attr::dictionary(self.ctx, &props) };
        MlirValue::Result(self.seq.push(name, operands, &[ty], props), 0)
    }

    fn number(&mut self, value: i64) -> MlirValue {
        let value = Attr::integer(self.ctx, value, Type::I64);
        self.value("llvm.mlir.constant", &[], Type::I64, &[("value", value)])
    }

    fn index(&mut self, value: i64) -> MlirValue {
        let value = Attr::integer(self.ctx, value, Type::INDEX);
        self.value("arith.constant", &[], Type::INDEX, &[("value", value)])
    }

    fn cast(&mut self, name: &str, value: MlirValue, ty: Type) -> MlirValue {
        self.value(name, &[value], ty, &[])
    }

    /// The result of an integer operation on two values of type `i64`.
    fn integer(&mut self, name: &str, lhs: MlirValue, rhs: MlirValue) -> MlirValue {
        self.value(name, &[lhs, rhs], Type::I64, &[])
    }

    /// The address at an offset in bytes.
    fn address(&mut self, object: MlirValue, offset: usize) -> MlirValue {
        if offset == 0 {
            return object;
        }
        let (ctx, ptr) = (self.ctx, self.ptr);
        let indices = Attr::dense_i32(ctx, &[offset as i32]);
        let element = Attr::ty(ctx, Type::integer(ctx, 8));
        self.value(
            "llvm.getelementptr",
            &[object],
            ptr,
            &[("rawConstantIndices", indices), ("elem_type", element)],
        )
    }

    fn load(&mut self, object: MlirValue, offset: usize, ty: Type) -> MlirValue {
        let address = self.address(object, offset);
        if ty == Type::INDEX {
            let word = self.value("llvm.load", &[address], Type::I64, &[]);
            return self.cast("arith.index_cast", word, ty);
        }
        if let Some(parts) = self.parts(ty) {
            let number = self.value("llvm.load", &[address], parts, &[]);
            return self.cast("builtin.unrealized_conversion_cast", number, ty);
        }
        self.value("llvm.load", &[address], ty, &[])
    }

    /// The structure that represents complex numbers of a type in memory; `None` for other types.
    fn parts(&self, ty: Type) -> Option<Type> {
        let TypeData::Complex(part) = *ty.data(self.ctx) else { return None };
        let part = print_type(self.ctx, part);
        Some(Type::opaque(self.ctx, "llvm", &format!(".struct<({part}, {part})>")))
    }

    fn store(&mut self, value: MlirValue, ty: Type, object: MlirValue, offset: usize) {
        let address = self.address(object, offset);
        let value = match self.parts(ty) {
            _ if ty == Type::INDEX => self.cast("arith.index_cast", value, Type::I64),
            Some(parts) => self.cast("builtin.unrealized_conversion_cast", value, parts),
            None => value,
        };
        self.seq.push("llvm.store", &[value, address], &[], Attr::EMPTY_PROPS);
    }

    fn call(
        &mut self,
        symbol: &str,
        operands: &[MlirValue],
        inputs: &[Type],
        result: Option<Type>,
    ) -> MlirValue {
        let at = self.seq.call(self.ctx, symbol, operands, inputs, result.as_slice());
        MlirValue::Result(at, 0)
    }

    /// The reason why objects cannot contain values of some of these types.
    fn refuse(&self, types: &[Type]) -> Option<Generated> {
        let ty = types.iter().find(|&&ty| !is_storable(self.ctx, ty))?;
        let ty = print_type(self.ctx, *ty);
        Some(Some(Err(format!("objects cannot contain values of type '{ty}' in machine code"))))
    }

    /// Creates an object by a function of the runtime and fills its slots, the first one with `code` if that is given.
    fn object(&mut self, create: &str, tag: i64, types: &[Type], code: Option<MlirValue>) -> MlirValue {
        let first = usize::from(code.is_some());
        let slots = Slots::of_types(self.ctx, types);
        let sizes = [(slots.len() + first) as i64, (slots.pointers + first) as i64, tag];
        let sizes = sizes.map(|size| self.number(size));
        let ptr = self.ptr;
        let object = self.call(create, &sizes, &[Type::I64; 3], Some(ptr));
        if let Some(code) = code {
            self.store(code, Type::I64, object, slot_offset(0));
        }
        for (at, (&slot, &ty)) in slots.of.iter().zip(types).enumerate() {
            self.store(MlirValue::Operand(at), ty, object, slot_offset(slot + first));
        }
        object
    }

    /// Loads one of the components of the first operand.
    fn component(&mut self, types: &[Type], index: usize, first: usize) -> Option<MlirValue> {
        let (slot, ty) = (*Slots::of_types(self.ctx, types).of.get(index)?, *types.get(index)?);
        Some(self.load(MlirValue::Operand(0), slot_offset(slot + first), ty))
    }

    fn number_of(&self, name: &str) -> Option<i64> {
        self.op.attr_named(name)?.as_i64(self.ctx)
    }

    fn types_in(&self, name: &str) -> Option<Vec<Type>> {
        types_of(self.ctx, self.op.attr_named(name)?)
    }

    fn operand_type(&self, index: usize) -> Option<Type> {
        self.op.operand_types().nth(index)
    }

    fn make(mut self) -> Generated {
        let tag = self.number_of("tag")?;
        let types: Vec<Type> = self.op.operand_types().collect();
        if types.is_empty() {
            let ptr = self.ptr;
            let value = self.number(immediate(tag));
            let value = self.cast("llvm.inttoptr", value, ptr);
            return self.finish(&[value]);
        }
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let object = self.object("minoan_object", tag, &types, None);
        self.finish(&[object])
    }

    fn project(mut self) -> Generated {
        let types = self.types_in("fields")?;
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let field = self.component(&types, usize::try_from(self.number_of("index")?).ok()?, 0)?;
        self.finish(&[field])
    }

    fn capture(mut self) -> Generated {
        let types = self.types_in("captures")?;
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let value = self.component(&types, usize::try_from(self.number_of("index")?).ok()?, 1)?;
        self.finish(&[value])
    }

    fn closure(mut self) -> Generated {
        let types: Vec<Type> = self.op.operand_types().collect();
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let (code, signature) =
            (self.op.attr_named("code")?, self.code_type(self.op.result_types().next()?)?);
        let (ptr, one) = (self.ptr, self.number(1));
        let code = self.value("func.constant", &[], signature, &[("value", code)]);
        let code = self.cast("builtin.unrealized_conversion_cast", code, ptr);
        let code = self.cast("llvm.ptrtoint", code, Type::I64);
        let code = self.integer("llvm.shl", code, one);
        let code = self.integer("llvm.or", code, one);
        let object = self.object("minoan_object", 0, &types, Some(code));
        self.finish(&[object])
    }

    /// The type of the code of closures of a type, whose first argument is the closure.
    fn code_type(&self, closure: Type) -> Option<Type> {
        let (inputs, results) =
            crate::ClosureType::cast(self.ctx, closure)?.signature(self.ctx).as_function(self.ctx)?;
        let inputs: Vec<Type> = [closure].into_iter().chain(inputs.iter().copied()).collect();
        Some(Type::function(self.ctx, &inputs, results))
    }

    fn apply(mut self) -> Generated {
        let signature = self.code_type(self.operand_type(0)?)?;
        let (ptr, one) = (self.ptr, self.number(1));
        let code = self.load(MlirValue::Operand(0), slot_offset(0), Type::I64);
        let code = self.integer("llvm.lshr", code, one);
        let code = self.cast("llvm.inttoptr", code, ptr);
        let code = self.cast("builtin.unrealized_conversion_cast", code, signature);
        let operands: Vec<MlirValue> =
            [code].into_iter().chain((0..self.op.n_operands()).map(MlirValue::Operand)).collect();
        let results: Vec<Type> = self.op.result_types().collect();
        let at = self.seq.push("func.call_indirect", &operands, &results, Attr::EMPTY_PROPS);
        let results: Vec<MlirValue> = (0..results.len()).map(|index| MlirValue::Result(at, index)).collect();
        self.finish(&results)
    }

    fn ref_new(mut self) -> Generated {
        let types: Vec<Type> = self.op.operand_types().collect();
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let is_cyclic = self.op.attr_named("cyclic").is_some();
        let create = if is_cyclic { "minoan_cyclic_object" } else { "minoan_object" };
        let object = self.object(create, 0, &types, None);
        self.finish(&[object])
    }

    fn ref_read(mut self) -> Generated {
        let types: Vec<Type> = self.op.result_types().collect();
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let parts: Option<Vec<MlirValue>> =
            (0..types.len()).map(|index| self.component(&types, index, 0)).collect();
        self.finish(&parts?)
    }

    fn ref_store(mut self) -> Generated {
        let types: Vec<Type> = self.op.operand_types().skip(1).collect();
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        for (at, (&slot, &ty)) in Slots::of_types(self.ctx, &types).of.iter().zip(&types).enumerate() {
            self.store(MlirValue::Operand(at + 1), ty, MlirValue::Operand(0), slot_offset(slot));
        }
        self.finish(&[])
    }

    fn nothing(mut self) -> Generated {
        let ptr = self.ptr;
        let value = self.number(immediate(0));
        let value = self.cast("llvm.inttoptr", value, ptr);
        self.finish(&[value])
    }

    /// A failed assertion with the message of the operation.
    fn stop(&mut self) -> Option<()> {
        let never = self.value("arith.constant", &[], Type::I1, &[("value", Attr::FALSE)]);
        self.check(never)
    }

    /// An assertion with the message of the operation.
    fn check(&mut self, condition: MlirValue) -> Option<()> {
        let message = self.op.attr_named("message")?;
        let props = Attr::dictionary(self.ctx, &[(self.ctx.name("msg"), message)]);
        self.seq.push("cf.assert", &[condition], &[], props);
        Some(())
    }

    /// The values are converted and passed on where the condition is false. The runtime takes a few at a time, in registers.
    fn assert(mut self) -> Generated {
        if self.op.n_operands() == 1 {
            self.check(MlirValue::Operand(0))?;
            return self.finish(&[]);
        }
        self.seq.unless = Some(MlirValue::Operand(0));
        let types: Vec<Type> = self.op.operand_types().collect();
        let values: Vec<MlirValue> = (1..types.len())
            .map(|at| match types[at] {
                Type::I64 => MlirValue::Operand(at),
                Type::INDEX => self.cast("arith.index_cast", MlirValue::Operand(at), Type::I64),
                _ => self.cast("arith.extsi", MlirValue::Operand(at), Type::I64),
            })
            .collect();
        for values in values.chunks(SHOWN_AT_ONCE) {
            let mut operands = vec![self.number(values.len() as i64)];
            operands.extend_from_slice(values);
            while operands.len() <= SHOWN_AT_ONCE {
                operands.push(operands[0]);
            }
            let inputs = [Type::I64; SHOWN_AT_ONCE + 1];
            self.seq.call(self.ctx, "minoan_assert_values", &operands, &inputs, &[]);
        }
        self.stop()?;
        self.finish(&[])
    }

    fn fail(mut self) -> Generated {
        let ptr = self.ptr;
        self.stop()?;
        let results: Vec<MlirValue> = self
            .op
            .result_types()
            .map(|ty| match is_object(self.ctx, ty) {
                true => self.value("llvm.mlir.zero", &[], ptr, &[]),
                false => self.value("ub.poison", &[], ty, &[]),
            })
            .collect();
        self.finish(&results)
    }

    /// The header of the first operand: its count.
    fn count(&mut self) -> MlirValue {
        let ty = Type::integer(self.ctx, 32);
        self.load(MlirValue::Operand(0), 0, ty)
    }

    fn small(&mut self, value: i64) -> MlirValue {
        let ty = Type::integer(self.ctx, 32);
        let value = Attr::integer(self.ctx, value, ty);
        self.value("llvm.mlir.constant", &[], ty, &[("value", value)])
    }

    /// A comparison of two integers: `eq` is 0, `ne` 1.
    fn compare(&mut self, predicate: i64, lhs: MlirValue, rhs: MlirValue) -> MlirValue {
        let predicate = Attr::i64(self.ctx, predicate);
        self.value("llvm.icmp", &[lhs, rhs], Type::I1, &[("predicate", predicate)])
    }

    fn test_allocated(mut self) -> Generated {
        let (one, zero) = (self.number(1), self.number(0));
        let word = self.cast("llvm.ptrtoint", MlirValue::Operand(0), Type::I64);
        let low = self.integer("llvm.and", word, one);
        let answer = self.compare(0, low, zero);
        self.finish(&[answer])
    }

    fn test_unique(mut self) -> Generated {
        let (count, one) = (self.count(), self.small(1));
        let answer = self.compare(0, count, one);
        self.finish(&[answer])
    }

    fn header_tag(mut self) -> Generated {
        let ty = Type::integer(self.ctx, 16);
        let tag = self.load(MlirValue::Operand(0), TAG, ty);
        let tag = self.cast("llvm.zext", tag, Type::I64);
        let tag = self.cast("arith.index_cast", tag, Type::INDEX);
        self.finish(&[tag])
    }

    fn immediate_tag(mut self) -> Generated {
        let one = self.number(1);
        let word = self.cast("llvm.ptrtoint", MlirValue::Operand(0), Type::I64);
        let tag = self.integer("llvm.lshr", word, one);
        let tag = self.cast("arith.index_cast", tag, Type::INDEX);
        self.finish(&[tag])
    }

    /// Changes the count by one, unless it is at its maximum, where it stays.
    fn change(mut self, by: i64) -> Generated {
        let (count, maximum) = (self.count(), self.small(i32::MAX.into()));
        let moves = self.compare(1, count, maximum);
        let ty = Type::integer(self.ctx, 32);
        let step = self.cast("llvm.zext", moves, ty);
        let name = if by < 0 { "llvm.sub" } else { "llvm.add" };
        let count = self.value(name, &[count, step], ty, &[]);
        self.store(count, ty, MlirValue::Operand(0), 0);
        self.finish(&[])
    }

    fn retain(self) -> Generated {
        self.change(1)
    }

    fn release(self) -> Generated {
        self.change(-1)
    }

    fn free(mut self) -> Generated {
        let ptr = self.ptr;
        self.call("minoan_object_drop", &[MlirValue::Operand(0)], &[ptr], None);
        self.finish(&[])
    }
}

//! Conversion of the operations that reuse the memory of dead objects, or address their fields.

use super::{Code, Generated, POINTERS};
use crate::layout::{Slots, slot_offset};
use crate::types::Memory;
use minoan_ir::{Attr, Type};
use minoan_services::MlirValue;

impl Code<'_> {
    /// The memory of the only operand is its address; null represents no memory. The collector of cycles must not see the slots,
    /// which are owners no longer.
    pub(super) fn memory_of(mut self) -> Generated {
        if self.op.attr_named("cyclic").is_some() {
            let byte = Type::integer(self.ctx, 8);
            let none = Attr::integer(self.ctx, 0, byte);
            let none = self.value("llvm.mlir.constant", &[], byte, &[("value", none)]);
            self.store(none, byte, MlirValue::Operand(0), POINTERS);
        }
        self.finish(&[MlirValue::Operand(0)])
    }

    pub(super) fn no_memory(mut self) -> Generated {
        let ptr = self.ptr;
        let null = self.value("llvm.mlir.zero", &[], ptr, &[]);
        self.finish(&[null])
    }

    pub(super) fn new_memory(mut self) -> Generated {
        let class = Memory::cast(self.ctx, self.op.result_types().next()?)?.class(self.ctx);
        let (class, ptr) = (self.number(class.into()), self.ptr);
        let memory = self.call("minoan_object_memory", &[class], &[Type::I64], Some(ptr));
        self.finish(&[memory])
    }

    pub(super) fn has_memory(mut self) -> Generated {
        let ptr = self.ptr;
        let null = self.value("llvm.mlir.zero", &[], ptr, &[]);
        let answer = self.compare(1, MlirValue::Operand(0), null);
        self.finish(&[answer])
    }

    pub(super) fn free_memory(mut self) -> Generated {
        let class = Memory::cast(self.ctx, self.operand_type(0)?)?.class(self.ctx);
        let (class, ptr) = (self.number(class.into()), self.ptr);
        self.call("minoan_object_free_memory", &[MlirValue::Operand(0), class], &[ptr, Type::I64], None);
        self.finish(&[])
    }

    /// A header and slots at an address.
    pub(super) fn make_at(mut self) -> Generated {
        let types: Vec<Type> = self.op.operand_types().skip(1).collect();
        if let Some(refused) = self.refuse(&types) {
            return refused;
        }
        let slots = Slots::of_types(self.ctx, &types);
        let tag = self.number_of("tag")?;
        let header = 1 | tag << 32 | (slots.pointers as i64) << 48 | (slots.len() as i64) << 56;
        let (header, object) = (self.number(header), MlirValue::Operand(0));
        self.store(header, Type::I64, object, 0);
        for (at, (&slot, &ty)) in slots.of.iter().zip(&types).enumerate() {
            self.store(MlirValue::Operand(at + 1), ty, object, slot_offset(slot));
        }
        self.finish(&[object])
    }

    /// The address of a slot.
    pub(super) fn hole(mut self) -> Generated {
        let types = self.types_in("fields")?;
        let index = usize::try_from(self.number_of("index")?).ok()?;
        let slot = *Slots::of_types(self.ctx, &types).of.get(index)?;
        let address = self.address(MlirValue::Operand(0), slot_offset(slot));
        self.finish(&[address])
    }

    pub(super) fn fill(mut self) -> Generated {
        let ty = self.operand_type(1)?;
        self.store(MlirValue::Operand(1), ty, MlirValue::Operand(0), 0);
        self.finish(&[])
    }
}

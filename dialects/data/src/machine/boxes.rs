//! Boxes: a header, extents and elements.

use super::{Code, Generated};
use crate::layout::{elements_offset, extent_offset, size_of};
use crate::types::BoxType;
use minoan_ir::{Attr, DYNAMIC, Type};
use minoan_services::MlirValue;

impl Code<'_> {
    /// The extents of a tensor type, and its element type and size.
    fn elements(&self, boxed: Type) -> Option<(Vec<i64>, Type, usize)> {
        let contents = BoxType::cast(self.ctx, boxed)?.contents(self.ctx);
        let element = contents.element(self.ctx)?;
        Some((contents.shape(self.ctx)?.to_vec(), element, size_of(self.ctx, element)?))
    }

    fn unsupported() -> Generated {
        Some(Err("boxes cannot contain tensors of this type in machine code".to_owned()))
    }

    /// A memref of the elements of a box with these extents.
    fn view(&mut self, object: MlirValue, extents: &[MlirValue], shape: &[i64], element: Type) -> MlirValue {
        let (ctx, rank) = (self.ctx, shape.len());
        let arrays = if rank == 0 { String::new() } else { format!(", array<{rank} x i64>").repeat(2) };
        let descriptor = Type::opaque(ctx, "llvm", &format!(".struct<(ptr, ptr, i64{arrays})>"));
        let data = self.address(object, elements_offset(rank));
        let zero = self.number(0);
        let mut whole = self.value("llvm.mlir.undef", &[], descriptor, &[]);
        let mut insert = |code: &mut Self, value: MlirValue, position: &[i64]| {
            let position = Attr::dense_i64(ctx, position);
            whole = code.value("llvm.insertvalue", &[whole, value], descriptor, &[("position", position)]);
        };
        insert(self, data, &[0]);
        insert(self, data, &[1]);
        insert(self, zero, &[2]);
        let mut stride = self.number(1);
        for axis in (0..rank).rev() {
            insert(self, extents[axis], &[3, axis as i64]);
            insert(self, stride, &[4, axis as i64]);
            if axis > 0 {
                stride = self.integer("llvm.mul", stride, extents[axis]);
            }
        }
        let ty = Type::memref(ctx, shape, element);
        self.cast("builtin.unrealized_conversion_cast", whole, ty)
    }

    pub(super) fn make_box(mut self) -> Generated {
        let Some((shape, element, size)) = self.elements(self.op.result_types().next()?) else {
            return Self::unsupported();
        };
        let (rank, ptr) = (shape.len(), self.ptr);
        let mut extents = Vec::with_capacity(rank);
        for (axis, &extent) in shape.iter().enumerate() {
            extents.push(if extent == DYNAMIC {
                let axis = self.index(axis as i64);
                let extent = self.value("memref.dim", &[MlirValue::Operand(0), axis], Type::INDEX, &[]);
                self.cast("arith.index_cast", extent, Type::I64)
            } else {
                self.number(extent)
            });
        }
        let mut bytes = self.number(size as i64);
        for &extent in &extents {
            bytes = self.integer("llvm.mul", bytes, extent);
        }
        let head = self.number((elements_offset(rank) - elements_offset(0)) as i64);
        let bytes = self.integer("llvm.add", bytes, head);
        let object = self.call("minoan_raw_object", &[bytes], &[Type::I64], Some(ptr));
        for (axis, &extent) in extents.iter().enumerate() {
            self.store(extent, Type::I64, object, extent_offset(axis));
        }
        let view = self.view(object, &extents, &shape, element);
        self.seq.push("memref.copy", &[MlirValue::Operand(0), view], &[], Attr::EMPTY_PROPS);
        self.finish(&[object])
    }

    pub(super) fn unbox_into(mut self) -> Generated {
        let Some((shape, element, _)) = self.elements(self.operand_type(0)?) else {
            return Self::unsupported();
        };
        let object = MlirValue::Operand(0);
        let extents: Vec<MlirValue> = shape
            .iter()
            .enumerate()
            .map(|(axis, &extent)| match extent {
                DYNAMIC => self.load(object, extent_offset(axis), Type::I64),
                extent => self.number(extent),
            })
            .collect();
        let view = self.view(object, &extents, &shape, element);
        self.seq.push("memref.copy", &[view, MlirValue::Operand(1)], &[], Attr::EMPTY_PROPS);
        self.finish(&[])
    }

    pub(super) fn box_extent(mut self) -> Generated {
        let axis = usize::try_from(self.number_of("axis")?).ok()?;
        let extent = self.load(MlirValue::Operand(0), extent_offset(axis), Type::INDEX);
        self.finish(&[extent])
    }
}

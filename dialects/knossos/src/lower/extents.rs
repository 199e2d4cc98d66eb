//! The extents of a tensor that a region yields, where they follow from cheap operations of the region.
//!
//! A sum of tensors begins with a tensor of zeros of these extents, instead of a first term whose computation would be
//! copied.

use super::build::{dims, extents, filled, zero};
use super::{Lowering, Parts, prelude};
use crate::types::{is_number, tensor_parts};
use minoan_functional::{Functional, one};
use minoan_ir::{Block, Builder, OpRef, Type, Value};
use rustc_hash::FxHashSet;

/// The origin of the extents of a tensor.
enum Origin {
    /// The extents of a tensor that exists.
    Tensor(Value),
    /// Integers.
    Sizes(Vec<Value>),
}

impl<'a> Lowering<'a> {
    /// A zero of the size of the value that region 0 yields for these arguments; `None` if the size is only known from the value.
    pub(super) fn zero_of_region(
        &mut self,
        b: &mut Builder<'_>,
        op: OpRef<'a>,
        args: &[Value],
    ) -> Option<Parts> {
        let block = self.source.region(op.region(0)).entry()?;
        let yielded = self.source.op(self.source.block(block).last()?).operand(0);
        self.bind_flat(block, args);
        self.zero_of(b, block, yielded)
    }

    fn zero_of(&mut self, b: &mut Builder<'_>, block: Block, value: Value) -> Option<Parts> {
        let ctx = self.ctx.clone();
        let ty = self.source.ty(value);
        if is_number(&ctx, ty) {
            return Some(one(zero(b, ty)));
        }
        if ty.as_tuple(&ctx).is_some() {
            let made = self.inside(block, value)?;
            if !made.is::<crate::MakeTuple>() {
                return None;
            }
            let mut parts = Parts::new();
            for part in made.operands() {
                parts.extend(self.zero_of(b, block, part)?);
            }
            return Some(parts);
        }
        let (_, element) = tensor_parts(&ctx, ty).filter(|&(_, element)| is_number(&ctx, element))?;
        let sizes = self.extents_of(b, block, value)?;
        let nothing = zero(b, element);
        Some(one(filled(b, ty, &sizes, nothing)))
    }

    fn extents_of(&mut self, b: &mut Builder<'_>, block: Block, value: Value) -> Option<Vec<Value>> {
        match self.origin(block, value)? {
            Origin::Tensor(tensor) => Some(dims(b, self.single(tensor))),
            Origin::Sizes(sizes) => {
                self.lower_cheap(b, block, &sizes)?;
                let sizes = self.singles(sizes.into_iter());
                Some(extents(b, &sizes, "build"))
            }
        }
    }

    /// The operation of the block that defines a value; `None` if it is defined elsewhere.
    fn inside(&self, block: Block, value: Value) -> Option<OpRef<'a>> {
        let op = self.source.op(self.source.defining_op(value)?);
        (op.block() == Some(block)).then_some(op)
    }

    /// Whether a value exists before the block is executed.
    fn exists(&self, block: Block, value: Value) -> bool {
        self.inside(block, value).is_none() && self.values.contains_key(&value)
    }

    fn origin(&self, block: Block, mut value: Value) -> Option<Origin> {
        loop {
            if self.exists(block, value) {
                return Some(Origin::Tensor(value));
            }
            let op = self.inside(block, value)?;
            value = match op.name().strip_prefix("knossos.")? {
                "build" => return Some(Origin::Sizes(op.operands().collect())),
                "const_vec" => return Some(Origin::Sizes(op.operands().skip(1).collect())),
                "delta_vec" => return Some(Origin::Sizes(op.operand_group(1).to_vec())),
                "map" | "map2" | "ts_add" | "ts_neg" => op.operand(0),
                "ts_scale" => op.operand(1),
                "prelude" => match prelude::find(op).map(|function| (function.name, function.args))? {
                    ("sub", "VV" | "VF") | ("exp", "V") => op.operand(0),
                    ("mul", "FV") => op.operand(1),
                    _ => return None,
                },
                _ => return None,
            };
        }
    }

    /// Lowers the operations of the block that integers depend on, if all of them are cheap and cannot fail.
    fn lower_cheap(&mut self, b: &mut Builder<'_>, block: Block, values: &[Value]) -> Option<()> {
        let (mut needed, mut pending) = (FxHashSet::default(), values.to_vec());
        while let Some(value) = pending.pop() {
            if self.exists(block, value) {
                continue;
            }
            let op = self.inside(block, value)?;
            let cheap = match op.name().strip_prefix("knossos.")? {
                "constant" | "tuple" | "get" | "size" => true,
                "prelude" => prelude::find(op).is_some_and(|function| function.is_arithmetic()),
                _ => false,
            };
            if !cheap {
                return None;
            }
            if needed.insert(op.id()) {
                pending.extend(op.operands());
            }
        }
        for op in self.source.block(block).ops().filter(|op| needed.contains(op)) {
            let op = self.source.op(op);
            let parts = self.op(b, op);
            self.values.insert(op.result(0), parts);
        }
        Some(())
    }
}

/// Whether a type is that of a tensor of numbers.
pub(super) fn is_plain(ctx: &minoan_ir::Context, ty: Type) -> bool {
    tensor_parts(ctx, ty).is_some_and(|(_, element)| is_number(ctx, element))
}

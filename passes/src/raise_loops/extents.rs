//! Equality of extents.

use super::Tables;
use super::nest::Size;
use minoan_ir::{Body, DYNAMIC, Def, Value};
use minoan_services::{Extent, constant_of};

/// A canonical name of an extent: equal names mean equal extents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Known(i64),
    /// The extent of a dimension of a tensor of unknown origin.
    Of(Value, usize),
    Value(Value),
}

impl Tables<'_> {
    /// The name of an extent.
    pub(super) fn key(&self, body: &Body, size: Size) -> Key {
        match size {
            Size::Known(size) => Key::Known(size),
            Size::Value(value) => self.key_of_value(body, value),
        }
    }

    fn key_of_value(&self, body: &Body, value: Value) -> Key {
        if let Some(known) = constant_of(body, value).and_then(|attr| attr.as_i64(body.context())) {
            return Key::Known(known);
        }
        let op = body.defining_op(value).map(|op| body.op(op));
        match op.and_then(|op| self.extents?.get(op.kind())?.dimension(op)) {
            Some((tensor, dim)) => self.key_of_dim(body, tensor, dim),
            None => Key::Value(value),
        }
    }

    /// The name of the extent of a dimension of a tensor.
    pub(super) fn key_of_dim(&self, body: &Body, mut tensor: Value, mut dim: usize) -> Key {
        loop {
            match body.ty(tensor).shape(body.context()).and_then(|shape| shape.get(dim)) {
                Some(&DYNAMIC) => {}
                Some(&known) => return Key::Known(known),
                None => return Key::Of(tensor, dim),
            }
            let Def::Result(op, result) = body.def(tensor) else { return Key::Of(tensor, dim) };
            let op = body.op(op);
            let extent = self.extents.and_then(|table| table.get(op.kind())?.extent(op, result, dim));
            match extent {
                Some(Extent::Known(known)) => return Key::Known(known),
                Some(Extent::Value(value)) => return self.key_of_value(body, value),
                Some(Extent::Of { operand, dim: other }) => (tensor, dim) = (op.operand(operand), other),
                None => return Key::Of(tensor, dim),
            }
        }
    }
}

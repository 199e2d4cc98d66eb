//! Lowering of printing to calls of the runtime library.
//!
//! Components of a tuple are separated by `,`; elements of a tensor by `, ` in brackets, with one pair per dimension.

use super::build::{flat, text, when};
use super::items::Array;
use super::{Lowering, Parts};
use crate::types::tensor_parts;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_functional::Functional;
use minoan_ir::{Builder, OpRef, Type, Value};
use minoan_scf::For;

impl<'a> Lowering<'a> {
    pub(super) fn print(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Value {
        for value in op.operands() {
            let parts = self.parts(value);
            self.print_value(b, self.source.ty(value), &parts);
        }
        arith::constant_int(b, op.n_operands() as i64, Type::I64)
    }

    pub(super) fn trace(&mut self, b: &mut Builder<'_>, op: OpRef<'a>) -> Parts {
        let parts = self.parts(op.operand(0));
        self.print_literal(b, "Trace[");
        self.print_value(b, self.source.ty(op.operand(0)), &parts);
        self.print_literal(b, "]\n");
        parts
    }

    fn print_literal(&mut self, b: &mut Builder<'_>, literal: &str) {
        let bytes = text(b, literal.as_bytes());
        self.externs.call(b, "minoan_print_text", &[bytes], &[]);
    }

    fn print_value(&mut self, b: &mut Builder<'_>, ty: Type, parts: &[Value]) {
        let ctx = self.ctx.clone();
        if let Some(types) = ty.as_tuple(&ctx) {
            let mut rest = parts;
            for (index, &ty) in types.iter().enumerate() {
                if index > 0 {
                    self.print_literal(b, ",");
                }
                let (own, after) = rest.split_at(flat(&ctx, ty).len());
                self.print_value(b, ty, own);
                rest = after;
            }
        } else if let Some((_, element)) = tensor_parts(&ctx, ty) {
            let array = Array::of(&ctx, ty, parts).expect("the type is that of a tensor");
            let sizes = array.sizes(b);
            self.print_array(b, &array, element, &sizes, &mut Vec::new());
        } else {
            self.print_scalar(b, parts[0]);
        }
    }

    fn print_scalar(&mut self, b: &mut Builder<'_>, value: Value) {
        let name = match b.ty(value) {
            Type::I64 => "minoan_print_i64",
            Type::I1 => "minoan_print_i1",
            Type::F32 => "minoan_print_f32",
            Type::F64 => "minoan_print_f64",
            _ => "minoan_print_text",
        };
        self.externs.call(b, name, &[value], &[]);
    }

    /// Prints the part of a tensor with these leading indices.
    fn print_array(
        &mut self,
        b: &mut Builder<'_>,
        array: &Array,
        element: Type,
        sizes: &[Value],
        indices: &mut Vec<Value>,
    ) {
        let Some(&size) = sizes.get(indices.len()) else {
            let parts = array.element(b, indices);
            return self.print_value(b, element, &parts);
        };
        self.print_literal(b, "[");
        let (from, step) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        For::with(b, [from, size, step], &[], |b, index, _| {
            let later = arith::cmpi(b, CmpIPredicate::Ne, index, from);
            when(b, later, |b| self.print_literal(b, ", "));
            indices.push(index);
            self.print_array(b, array, element, sizes, indices);
            indices.pop();
            Vec::new()
        });
        self.print_literal(b, "]");
    }
}

//! Printing of types.

use super::{Writer, write_int};
use crate::with_stack;
use crate::{DYNAMIC, Signedness, Type, TypeData};

impl Writer<'_> {
    pub(crate) fn ty(&mut self, ty: Type) {
        // The common ones need no lookup.
        match ty {
            Type::I64 => return self.text("i64"),
            Type::I1 => return self.text("i1"),
            Type::I32 => return self.text("i32"),
            Type::F32 => return self.text("f32"),
            Type::F64 => return self.text("f64"),
            Type::INDEX => return self.text("index"),
            _ => {}
        }
        match *ty.data(self.ctx) {
            TypeData::None => self.text("none"),
            TypeData::Index => self.text("index"),
            TypeData::Integer { width, signedness } => {
                self.text(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                write_int(&mut self.out, i64::from(width));
            }
            TypeData::Float(kind) => self.text(kind.keyword()),
            _ => {
                if self.type_alias(ty) {
                    return;
                }
                if self.counts_part() {
                    with_stack(|| self.nested_type(ty));
                }
            }
        }
    }

    fn nested_type(&mut self, ty: Type) {
        match ty.data(self.ctx) {
            TypeData::Complex(part) => {
                self.text("complex<");
                self.ty(*part);
                self.text(">");
            }
            TypeData::Function { inputs, results } => self.functional_type(inputs, results),
            TypeData::Tuple(elements) => {
                self.text("tuple<");
                self.types(elements);
                self.text(">");
            }
            TypeData::Vector { shape, scalable, element } => {
                self.text("vector<");
                for (&extent, &scalable) in shape.iter().zip(scalable) {
                    if scalable {
                        self.text("[");
                        write_int(&mut self.out, extent);
                        self.text("]x");
                    } else {
                        write_int(&mut self.out, extent);
                        self.text("x");
                    }
                }
                self.ty(*element);
                self.text(">");
            }
            TypeData::RankedTensor { shape, element, encoding } => {
                self.text("tensor<");
                self.extents(shape);
                self.ty(*element);
                if let Some(encoding) = encoding {
                    self.text(", ");
                    self.attr(*encoding);
                }
                self.text(">");
            }
            TypeData::UnrankedTensor(element) => {
                self.text("tensor<*x");
                self.ty(*element);
                self.text(">");
            }
            TypeData::MemRef { shape, element, layout, space } => {
                self.text("memref<");
                self.extents(shape);
                self.ty(*element);
                for attr in layout.iter().chain(space) {
                    self.text(", ");
                    self.attr_may_elide(*attr);
                }
                self.text(">");
            }
            TypeData::UnrankedMemRef { element, space } => {
                self.text("memref<*x");
                self.ty(*element);
                if let Some(space) = space {
                    self.text(", ");
                    self.attr_may_elide(*space);
                }
                self.text(">");
            }
            TypeData::Declared(declared) => self.declared(declared, ty.into()),
            TypeData::Opaque { dialect, text } => {
                self.text("!");
                self.text(dialect.as_str(self.ctx));
                self.text(text.as_str(self.ctx));
            }
            TypeData::None | TypeData::Index | TypeData::Integer { .. } | TypeData::Float(_) => self.ty(ty),
        }
    }

    fn extents(&mut self, shape: &[i64]) {
        for &extent in shape {
            if extent == DYNAMIC {
                self.text("?x");
            } else {
                write_int(&mut self.out, extent);
                self.text("x");
            }
        }
    }

    /// Prints `a, b`.
    pub(crate) fn types(&mut self, types: &[Type]) {
        self.separated(types, |printer, &ty| printer.ty(ty));
    }

    /// Prints `(a) -> b` or `(a) -> (b, c)`.
    pub(crate) fn functional_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.text("(");
        self.types(inputs);
        self.text(") -> ");
        self.result_types(results);
    }

    /// Prints `b` or `(b, c)`: a single function type also needs parentheses.
    pub(crate) fn result_types(&mut self, results: &[Type]) {
        match results {
            [one] if one.as_function(self.ctx).is_none() => self.ty(*one),
            _ => {
                self.text("(");
                self.types(results);
                self.text(")");
            }
        }
    }
}

//! Printing of types.

use super::{SchemeId, Type, TypeId, Types};
use std::fmt::Write;

impl Types {
    /// The source text of a type; types longer than a few thousand characters are truncated with `...`.
    pub fn text(&self, id: TypeId) -> String {
        let mut out = String::new();
        self.write(id, 0, &mut out);
        out
    }

    fn write(&self, id: TypeId, depth: usize, out: &mut String) {
        const MAX_DEPTH: usize = 30;
        const MAX_LENGTH: usize = 4000;
        if depth > MAX_DEPTH || out.len() > MAX_LENGTH {
            return out.push_str("...");
        }
        match self.get(id) {
            Type::Error => out.push_str("<error>"),
            Type::Hole(_) => out.push('_'),
            Type::Var(var) => out.push_str(&self.var(*var).name),
            Type::Base(dtype) => {
                let _ = write!(out, "{dtype}");
            }
            Type::OtherBase(name) => out.push_str(name),
            Type::Dim(extent) => {
                let _ = write!(out, "{extent}");
            }
            Type::AnyDim => out.push('?'),
            Type::Tensor(Self::SCALAR, base)
                if matches!(self.get(*base), Type::Base(_) | Type::OtherBase(_)) =>
            {
                self.write(*base, depth + 1, out);
            }
            Type::Tensor(shape, base) => {
                out.push_str("Tensor[");
                self.write(*shape, depth + 1, out);
                out.push_str(", ");
                self.write(*base, depth + 1, out);
                out.push(']');
            }
            Type::Shape(dims) => self.write_list(("(", ")"), dims, depth, out),
            Type::Tuple(parts) => {
                self.write_list(("(", if parts.len() == 1 { ",)" } else { ")" }), parts, depth, out);
            }
            Type::Fn(params, result) => {
                self.write_list(("fn (", ") -> "), params, depth, out);
                self.write(*result, depth + 1, out);
            }
            Type::Data(data, args) => {
                out.push_str(self.data_names.get(data.index()).map_or("", |name| name));
                self.write_list(("[", "]"), args, depth, out);
            }
            Type::Ref(inner) => self.write_list(("ref(", ")"), &[*inner], depth, out),
            Type::Poly(scheme) => self.write_scheme(*scheme, depth, out),
        }
    }

    fn write_scheme(&self, id: SchemeId, depth: usize, out: &mut String) {
        let scheme = self.scheme(id);
        out.push_str("fn [");
        for (index, &var) in scheme.vars.iter().enumerate() {
            let _ = write!(out, "{}{}", if index == 0 { "" } else { ", " }, self.var(var).name);
        }
        out.push(']');
        let mut ty = String::new();
        self.write(scheme.ty, depth + 1, &mut ty);
        out.push_str(ty.strip_prefix("fn").unwrap_or(&ty));
        for (index, constraint) in scheme.constraints.iter().enumerate() {
            out.push_str(if index == 0 { " where " } else { ", " });
            match constraint.op {
                Some(op) => {
                    let _ = write!(out, "{:?}", op.relation);
                }
                None => {
                    let _ = write!(out, "Component{}", constraint.index);
                }
            }
            let parts: Vec<TypeId> = constraint.args.iter().copied().chain([constraint.result]).collect();
            self.write_list(("(", ")"), &parts, depth, out);
        }
    }

    fn write_list(&self, brackets: (&str, &str), parts: &[TypeId], depth: usize, out: &mut String) {
        out.push_str(brackets.0);
        for (index, &part) in parts.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { ", " });
            self.write(part, depth + 1, out);
        }
        out.push_str(brackets.1);
    }
}

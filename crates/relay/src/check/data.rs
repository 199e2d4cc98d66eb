//! Checks the declarations of algebraic data types.

use super::Checker;
use crate::ast::{DataId, Item, ItemKind, Kind};
use crate::types::{Scheme, Type, TypeId};
use minoan_diag::{Diagnostic, Span};

impl Checker<'_> {
    /// Declares data types and constructors.
    pub(super) fn data_types(&mut self, items: &[Item]) {
        let module = self.module;
        let declared = |item: &Item| match item.kind {
            ItemKind::Data(data) => Some(data),
            _ => None,
        };
        let datas: Vec<DataId> = items.iter().filter_map(declared).collect();
        let Some(&base) = datas.first() else { return };
        for &data in &datas {
            let name = module.data(data).name;
            let text = module.text(name.name);
            self.out.types.data_names.push(text.into());
            if let Some(first) = self.data_of.insert(name.name, data)
                && first >= base
            {
                self.duplicate(
                    format!("the type '{text}' is declared twice"),
                    name.span,
                    module.data(first).name.span,
                );
            }
        }
        for data in datas {
            self.data_ctors(data, base);
        }
    }

    pub(super) fn duplicate(&mut self, message: String, span: Span, first: Span) {
        self.reporter.report(Diagnostic::error(message).at(span).label(first, "first here"));
    }

    fn data_ctors(&mut self, data: DataId, base: DataId) {
        let module = self.module;
        let node = module.data(data);
        let mark = self.type_scope.len();
        let vars = self.declare(&node.type_params);
        for param in &node.type_params {
            if param.kind != Kind::Type {
                let text = module.text(param.name.name);
                self.error(
                    param.name.span,
                    format!("the type parameter '{text}' of a data type must be a type"),
                );
            }
        }
        let args: Box<[TypeId]> = vars.iter().map(|&var| self.types().intern(Type::Var(var))).collect();
        let result = self.types().intern(Type::Data(data, args));
        for ctor in module.ctors_of(data) {
            let node = module.ctor(ctor);
            if let Some(first) = self.ctor_of.insert(node.name.name, ctor)
                && module.ctor(first).data >= base
            {
                let text = module.text(node.name.name);
                let first = module.ctor(first).name.span;
                self.duplicate(format!("the constructor '{text}' is declared twice"), node.name.span, first);
            }
            let fields: Vec<TypeId> = node.fields.iter().map(|&field| self.written(field)).collect();
            let mut ty = self.types().function(fields, result);
            if !vars.is_empty() {
                let declared = vars.len();
                let vars = vars.clone().into();
                let scheme = Scheme { vars, declared, constraints: Box::default(), ty };
                let scheme = self.types().add_scheme(scheme);
                ty = self.types().intern(Type::Poly(scheme));
            }
            self.out.ctor_types[ctor.index()] = ty;
        }
        self.type_scope.truncate(mark);
        self.out.data_vars[data.index()] = vars.into();
    }
}

//! Type inference of `match` and patterns.

use super::Checker;
use crate::ast::{ExprId, Ident, MatchId, PatternId, PatternKind};
use crate::typed::Target;
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, nearest};
use minoan_frontend::with_stack;

impl Checker<'_> {
    pub(super) fn match_expr(&mut self, id: ExprId, node: MatchId) -> TypeId {
        let module = self.module;
        let value = module.match_node(node).value;
        let ty = self.infer(value);
        let mut result: Option<(TypeId, ExprId)> = None;
        for clause in &module.match_node(node).clauses {
            let mark = self.mark();
            self.pattern(clause.pattern, ty);
            let found = self.infer(clause.body);
            self.leave(mark);
            let last = self.last_of(clause.body);
            result = Some(match result {
                None => (found, last),
                Some((expected, first)) => {
                    let origin = Some((self.span(first), "the value of the first clause"));
                    (self.expect(last, expected, found, "the clauses differ", origin), first)
                }
            });
        }
        self.matches.push((node, id));
        match result {
            Some((ty, _)) => ty,
            None => self.fresh(),
        }
    }

    /// Checks a pattern against a type and adds its variables to the scope.
    fn pattern(&mut self, id: PatternId, ty: TypeId) {
        let module = self.module;
        let node = module.pattern(id);
        match &node.kind {
            PatternKind::Wildcard => {}
            PatternKind::Var(binder) => {
                let mut ty = ty;
                if let Some(written) = module.binder(*binder).ty {
                    let span = module.type_expr(written).span;
                    let written = self.written(written);
                    match self.unify(written, ty) {
                        Ok(unified) => ty = unified,
                        Err(clash) => {
                            let error = self.clash(span, written, ty, "the pattern", clash);
                            self.reporter.report(error);
                        }
                    }
                }
                self.bind_name(*binder, ty);
            }
            PatternKind::Tuple(parts) => {
                let root = self.find(ty);
                let types: Box<[TypeId]> = match self.out.types.get(root).clone() {
                    Type::Tuple(types) if types.len() == parts.len() => types,
                    Type::Tuple(types) => {
                        let (has, is) = (parts.len(), types.len());
                        let plural = if has == 1 { "" } else { "s" };
                        let message =
                            format!("the pattern has {has} component{plural}, but the tuple has {is}");
                        let error = Diagnostic::error(message).at(node.span);
                        let text = self.text(root);
                        self.reporter.report(error.note(format!("the value is of type '{text}'")));
                        parts.iter().map(|_| Types::ERROR).collect()
                    }
                    _ => {
                        let types: Box<[TypeId]> = parts.iter().map(|_| self.fresh()).collect();
                        let wanted = self.types().intern(Type::Tuple(types.clone()));
                        self.pattern_type(id, wanted, ty);
                        types
                    }
                };
                self.parts(parts, &types);
            }
            PatternKind::Ctor(name, parts) => self.ctor_pattern(id, *name, parts, ty),
        }
    }

    fn parts(&mut self, parts: &[PatternId], types: &[TypeId]) {
        for (index, &part) in parts.iter().enumerate() {
            let ty = types.get(index).copied().unwrap_or(Types::ERROR);
            with_stack(|| self.pattern(part, ty));
        }
    }

    /// Reports a pattern that does not match values of a type.
    fn pattern_type(&mut self, id: PatternId, wanted: TypeId, ty: TypeId) {
        if let Err(clash) = self.unify(ty, wanted) {
            let span = self.module.pattern(id).span;
            let error = self.clash(span, ty, wanted, "the pattern", clash);
            self.reporter.report(error);
        }
    }

    fn ctor_pattern(&mut self, id: PatternId, name: Ident, parts: &[PatternId], ty: TypeId) {
        let module = self.module;
        let Target::Ctor(ctor) = self.word(name.name) else {
            let text = module.text(name.name);
            let near = nearest(text, self.ctor_of.keys().map(|&name| module.text(name)));
            let error = Diagnostic::error(format!("unknown constructor '{text}'")).at(name.span);
            self.reporter.report(error.did_you_mean(near));
            return self.parts(parts, &[]);
        };
        self.out.pattern_ctors.insert(id, ctor);
        let own = self.out.ctor_types[ctor.index()];
        let own = match *self.out.types.get(own) {
            Type::Poly(scheme) => self.instantiate(scheme, None).0,
            _ => own,
        };
        let Type::Fn(fields, result) = self.out.types.get(own).clone() else { return self.parts(parts, &[]) };
        self.pattern_type(id, result, ty);
        if fields.len() != parts.len() {
            let text = module.text(name.name);
            let plural = if fields.len() == 1 { "" } else { "s" };
            let message = format!(
                "the constructor '{text}' has {} field{plural}, but the pattern {}",
                fields.len(),
                parts.len()
            );
            let declared = module.ctor(ctor).name.span;
            self.reporter.report(Diagnostic::error(message).at(name.span).label(declared, "declared here"));
        }
        self.parts(parts, &fields);
    }
}

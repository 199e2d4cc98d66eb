//! The declarations of top-level forms.

use super::Checker;
use crate::ast::{Derivation, ItemKind, NameId, Param, TypeExprId, TypeKind};
use crate::prelude::PreludeFn;
use crate::prims::Prim;
use crate::typed::{Def, DefId, Edef, EdefId, FnName, FnRef, Rule};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};

impl Checker<'_> {
    /// Collects the signatures of all functions.
    pub(super) fn signatures(&mut self) {
        let program = self.program;
        for item in &program.items {
            match &item.kind {
                ItemKind::Def { name, result, params, body } => {
                    let ty = self.param_types(params);
                    let discards = matches!(program.type_expr(*result).kind, TypeKind::Nothing);
                    let result = self.resolve_type(*result);
                    let (name, base_arg, name_span) = self.declared_name(*name, ty);
                    // Parameters become variables when the body is checked.
                    let params = [].into();
                    let def = Def {
                        name,
                        base_arg,
                        arg: ty,
                        result,
                        params,
                        body: *body,
                        discards,
                        span: item.span,
                        name_span,
                    };
                    self.add_def(def);
                }
                ItemKind::Edef { name, result, arg } => self.add_edef(*name, *result, *arg, item.span),
                ItemKind::Gdef { .. } | ItemKind::Rule { .. } => {}
            }
        }
        self.gdefs();
        self.gradients();
        for index in 0..self.out.defs.len() {
            self.check_supplied(FnRef::Def(DefId(index as u32)));
        }
        for index in 0..self.out.edefs.len() {
            self.check_supplied(FnRef::Edef(EdefId(index as u32)));
        }
    }

    /// Checks all bodies.
    pub(super) fn bodies(&mut self) {
        let program = self.program;
        let mut defs = 0;
        for item in &program.items {
            if self.reporter.is_full() {
                return;
            }
            match &item.kind {
                ItemKind::Def { params, .. } => {
                    self.body(DefId(defs), params);
                    defs += 1;
                }
                ItemKind::Rule { name, params, from, to } => {
                    self.in_rule = true;
                    let mark = self.mark();
                    let (params, _) = self.bind_params(params);
                    let (left, right) = (self.value(*from), self.value(*to));
                    self.leave(mark);
                    self.in_rule = false;
                    if !self.out.types.agree(left, right) {
                        let message = format!(
                            "both sides of a rule must have one type, but '{}' is put in the place of '{}'",
                            self.text(right),
                            self.text(left)
                        );
                        let (from, to) = (self.span(*from), self.span(*to));
                        self.reporter
                            .report(Diagnostic::error(message).at(to).label(from, "the replaced definition"));
                    }
                    let (from, to) = (*from, *to);
                    self.out.rules.push(Rule { name: name.clone(), params, from, to, span: item.span });
                }
                ItemKind::Edef { .. } | ItemKind::Gdef { .. } => {}
            }
        }
    }

    fn body(&mut self, id: DefId, params: &[Param]) {
        let index = id.0 as usize;
        let mark = self.mark();
        // The types have been resolved, and their errors reported, before.
        let (vars, _) = self.quiet(|checker| checker.bind_params(params));
        self.out.defs[index].params = vars;
        let body = self.out.defs[index].body;
        let found = self.value(body);
        self.leave(mark);
        let Def { result, discards, ref name, name_span, .. } = self.out.defs[index];
        if discards {
            self.out.defs[index].discards = found != Types::UNIT;
            return;
        }
        if !self.out.types.agree(result, found) {
            let message = format!(
                "'{}' is declared to return '{}', but its body is of type '{}'",
                self.out.name_text(name),
                self.text(result),
                self.text(found)
            );
            let mut span = self.span(body);
            // For a body of several lines: point at the expression that yields its value.
            span = self.result_span(body).unwrap_or(span);
            self.reporter.report(Diagnostic::error(message).at(span).label(name_span, "declared here"));
        }
    }

    fn quiet<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        let reporter = std::mem::take(&mut self.reporter);
        let result = work(self);
        self.reporter = reporter;
        result
    }

    fn param_types(&mut self, params: &[Param]) -> TypeId {
        let mark = self.mark();
        let (vars, ty) = self.bind_params(params);
        self.leave(mark);
        for (var, param) in vars.iter().zip(params) {
            if self.out.types.has_lam(self.out.var(*var).ty) {
                let span = self.program.type_expr(param.ty).span;
                let error = Diagnostic::error("a parameter of a 'def' cannot be of function type").at(span);
                self.reporter
                    .report(error.help("lambdas are arguments of primitives and of 'edef' functions"));
            }
        }
        let count = self.out.vars.len() - vars.len();
        self.out.vars.truncate(count);
        ty
    }

    /// The name that a `def` or `edef` with this argument type declares.
    fn declared_name(&mut self, id: NameId, arg: TypeId) -> (FnName, TypeId, Span) {
        let span = self.program.fn_name(id).span;
        let (name, written) = self.resolve_name(id);
        if name.derivations.is_empty() {
            if let Some(written) = written
                && !self.out.types.agree(written, arg)
            {
                let message = format!(
                    "according to the name, the argument is '{}', but it is '{}'",
                    self.text(written),
                    self.text(arg)
                );
                self.error(span, message);
            }
            return (name, arg, span);
        }
        let base_arg = match written.or_else(|| self.base_arg_of(&name, arg)) {
            Some(ty) => ty,
            None if self.out.types.has_error(arg) => Types::ERROR,
            None => {
                let text = self.out.name_text(&name);
                let base = self.out.names.text(name.base);
                let typed =
                    name.derivations.iter().rev().fold(format!("[{base} Type]"), |inner, derivation| {
                        format!("[{} {inner}]", derivation.text(&self.out.names))
                    });
                let error =
                    Diagnostic::error(format!("the type of '{base}' is missing in '{text}'")).at(span);
                let error =
                    error.note(format!("it cannot be found from the argument type '{}'", self.text(arg)));
                self.reporter.report(error.help(format!("write '{typed}'")));
                Types::ERROR
            }
        };
        (name, base_arg, span)
    }

    fn add_def(&mut self, def: Def) {
        let function = FnRef::Def(DefId(self.out.defs.len() as u32));
        let (name, base_arg, span, result) = (def.name.clone(), def.base_arg, def.name_span, def.result);
        self.out.defs.push(def);
        if base_arg == Types::ERROR || !self.may_define(&name, base_arg, span) {
            self.broken.insert(name.base);
            return;
        }
        match self.out.function(&name, base_arg) {
            Some(FnRef::Edef(id)) if self.out.edef(id).prelude.is_none() => {
                let FnRef::Def(definition) = function else { return };
                self.out.edefs[id.0 as usize].definition = Some(definition);
                self.same_result(FnRef::Edef(id), result, span);
                self.register(name, base_arg, function);
            }
            Some(earlier) => self.defined_twice(&name, base_arg, earlier, span),
            None => self.register(name, base_arg, function),
        }
    }

    fn add_edef(&mut self, id: NameId, result: TypeExprId, arg: TypeExprId, span: Span) {
        let result = self.resolve_type(result);
        let arg = self.resolve_type(arg);
        let (name, base_arg, name_span) = self.declared_name(id, arg);
        let prelude = self.declared_prelude(&name, arg, result);
        let function = FnRef::Edef(EdefId(self.out.edefs.len() as u32));
        let mut edef =
            Edef { name: name.clone(), base_arg, arg, result, definition: None, prelude, span, name_span };
        let earlier = self.out.function(&name, base_arg);
        if let Some(FnRef::Def(definition)) = earlier {
            edef.definition = Some(definition);
        }
        self.out.edefs.push(edef);
        let text = self.out.names.text(name.base);
        if name.derivations.is_empty() && Prim::named(text).is_some() {
            let warning = Diagnostic::warning(format!("'{text}' is built in; the declaration is ignored"));
            self.reporter.report(warning.at(name_span));
        } else if base_arg == Types::ERROR {
            self.broken.insert(name.base);
        } else if let Some(earlier) = earlier {
            self.same_result(earlier, result, name_span);
        } else if prelude.is_some() || self.may_define(&name, base_arg, name_span) {
            self.register(name, base_arg, function);
        }
    }

    /// The prelude function that an `edef` redeclares, under its name or with type codes.
    fn declared_prelude(&mut self, name: &FnName, arg: TypeId, result: TypeId) -> Option<&'static PreludeFn> {
        if !name.derivations.is_empty() {
            return None;
        }
        let text = self.out.names.text(name.base).to_owned();
        let base = super::suffix::split(&text).map_or(&*text, |(base, _)| base);
        let overload = self.prelude_overload(base, arg)?;
        (overload.result.intern(&mut self.out.types) == result).then_some(overload)
    }

    /// Whether a program may define this function; reports an error otherwise.
    fn may_define(&mut self, name: &FnName, arg: TypeId, span: Span) -> bool {
        if !name.derivations.is_empty() {
            return true;
        }
        let text = self.out.names.text(name.base).to_owned();
        if Prim::named(&text).is_some() {
            let error = Diagnostic::error(format!("'{text}' is a primitive and cannot be defined")).at(span);
            self.reporter.report(error.help("give the function another name"));
            return false;
        }
        match self.prelude_overload(&text, arg) {
            Some(overload) if !overload.replaceable => {
                let ty = self.text(arg);
                let message = format!("'{text}' for '{ty}' is built in and cannot be defined again");
                let error = Diagnostic::error(message).at(span);
                self.reporter.report(error.help("other argument types can be given to the same name"));
                false
            }
            _ => true,
        }
    }

    fn same_result(&mut self, earlier: FnRef, result: TypeId, span: Span) {
        let expected = self.out.signature(earlier).1;
        if self.out.types.agree(expected, result) {
            return;
        }
        let (name, base_arg) = self.out.identity(earlier);
        let message = format!(
            "'{}' returns '{}' here, but '{}' elsewhere",
            self.out.full_text(name, base_arg),
            self.text(result),
            self.text(expected)
        );
        self.reporter
            .report(Diagnostic::error(message).at(span).label(self.out.span(earlier), "declared here"));
    }

    fn defined_twice(&mut self, name: &FnName, base_arg: TypeId, earlier: FnRef, span: Span) {
        let full = self.out.full_text(name, base_arg);
        let error = Diagnostic::error(format!("'{full}' is defined twice")).at(span);
        let error = error.label(self.out.span(earlier), "first defined here");
        self.reporter.report(error.note("a function is identified by its name and the type of its argument"));
    }

    /// Processes all `gdef` forms in order of derivation depth, since derivations may build on others.
    fn gdefs(&mut self) {
        let program = self.program;
        let mut forms: Vec<(FnName, Option<TypeId>, Span)> = Vec::new();
        for item in &program.items {
            if let ItemKind::Gdef { name } = item.kind {
                let (resolved, written) = self.resolve_name(name);
                forms.push((resolved, written, item.span));
            }
        }
        forms.sort_by_key(|(name, ..)| name.derivations.len());
        for (name, written, span) in forms {
            let Some(base_arg) = written.or_else(|| self.only_overload(&name, span)) else { continue };
            if base_arg == Types::ERROR {
                self.underivable.insert(name);
                continue;
            }
            match self.out.function(&name, base_arg) {
                Some(FnRef::Gdef(earlier)) => {
                    let full = self.out.full_text(&name, base_arg);
                    let warning = Diagnostic::warning(format!("'{full}' is derived already")).at(span);
                    self.reporter.report(warning.label(self.out.gdef(earlier).span, "here"));
                }
                // The function is also declared: the declaration is a forward declaration.
                Some(FnRef::Edef(earlier)) => {
                    let declared = self.out.edef(earlier).result;
                    if let Some(function) = self.derive_form(&name, base_arg, span) {
                        self.same_result(function, declared, self.out.edef(earlier).name_span);
                    }
                }
                // The derivative that the program defines takes precedence.
                Some(earlier @ FnRef::Def(_)) => {
                    let full = self.out.full_text(&name, base_arg);
                    let message = format!("'{full}' is defined by the program, so it is not derived");
                    let warning = Diagnostic::warning(message).at(span);
                    self.reporter.report(warning.label(self.out.span(earlier), "defined here"));
                }
                None => {
                    self.derive_form(&name, base_arg, span);
                }
            }
        }
    }

    /// Adds the gradients of all functions that have one, so that they can be entries.
    pub(super) fn gradients(&mut self) {
        for index in 0..self.out.defs.len() {
            let Def { ref name, base_arg, arg, result, name_span, .. } = self.out.defs[index];
            let types = &self.out.types;
            let has_form = !types.has_error(arg) && !types.has_lam(arg) && !types.has_linear_map(arg);
            if !name.derivations.is_empty() || result != Types::FLOAT || !has_form {
                continue;
            }
            let name = FnName { derivations: [Derivation::Grad].into(), base: name.base };
            if self.out.function(&name, base_arg).is_none() {
                // The function exists and has a gradient.
                let _ = self.derive(&name, base_arg, name_span);
            }
        }
    }

    fn derive_form(&mut self, name: &FnName, base_arg: TypeId, span: Span) -> Option<FnRef> {
        match self.derive(name, base_arg, span) {
            Ok(function) => Some(function),
            Err(error) => {
                let inner = FnName { derivations: name.derivations[1..].into(), base: name.base };
                if !self.broken.contains(&name.base) && !self.underivable.contains(&inner) {
                    self.reporter.report(*error);
                }
                self.underivable.insert(name.clone());
                None
            }
        }
    }

    /// The argument type of the innermost function, if there is only one with this name.
    fn only_overload(&mut self, name: &FnName, span: Span) -> Option<TypeId> {
        let plain = FnName { derivations: [].into(), base: name.base };
        let overloads = self.out.overloads.get(&plain).map_or(&[][..], Vec::as_slice);
        if let &[function] = overloads {
            return Some(self.out.signature(function).0);
        }
        self.underivable.insert(name.clone());
        if self.broken.contains(&name.base) {
            return None;
        }
        let base = self.out.names.text(name.base).to_owned();
        let error = match overloads {
            [] => {
                let suggestion = self.nearest_function(&base);
                Diagnostic::error(format!("there is no function '{base}' to derive"))
                    .at(span)
                    .did_you_mean(suggestion.as_deref())
            }
            _ => {
                let error = Diagnostic::error(format!("the type of '{base}' is missing")).at(span);
                self.list_overloads(error, &plain).help(format!("write '[{base} Type]'"))
            }
        };
        self.reporter.report(error);
        None
    }

    /// Whether a type contains a function type.
    pub(super) fn is_function_type(&self, ty: TypeId) -> bool {
        matches!(self.out.types.get(ty), Type::Lam(..))
    }
}

//! Overload resolution of calls.

use super::Checker;
use super::derive::Signature;
use crate::ast::{Derivation, ExprId, FnNameKind, NameId};
use crate::prelude::PRELUDE;
use crate::prims::Prim;
use crate::typed::{Callee, FnName, FnRef, TypedKind};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span, nearest};
use minoan_frontend::Symbol;

/// The maximum number of overloads listed in a message.
const MAX_LISTED: usize = 8;

impl Checker<'_> {
    pub(super) fn call(&mut self, id: ExprId, name_id: NameId, args: &[ExprId]) -> (TypedKind, TypeId) {
        let name_span = self.program.fn_name(name_id).span;
        if let FnNameKind::Plain(symbol) = self.program.fn_name(name_id).kind
            && let Some(&var) = self.scope.get(&symbol)
        {
            if self.is_function_type(self.out.var(var).ty) && !args.is_empty() {
                return self.call_lambda(id, var, args);
            }
            // `(x)` for a variable: redundant parentheses, unless there is such a function.
            let plain = FnName { derivations: [].into(), base: symbol };
            if args.is_empty() && self.find(&plain, Types::UNIT, name_span).is_none() {
                return self.variable(symbol, name_span);
            }
        }
        let (name, written) = self.resolve_name(name_id);
        let mut prim = None;
        if name.derivations.is_empty() {
            let text = self.out.names.text(name.base);
            prim = Prim::named(text);
            let undefined = !self.out.overloads.contains_key(&name);
            if let (None, true, Some((base, codes))) = (prim, undefined, super::suffix::split(text)) {
                let (base, codes) = (base.to_owned(), codes.to_owned());
                prim = Prim::named(&base);
                if prim.is_none() && self.knows_base(&base) {
                    let base = self.out.names.intern(&base);
                    return self.call_suffixed(id, base, &codes, args, name_span);
                }
            }
        }
        match prim {
            Some(prim) => {
                let ty = self.prim_call(prim, id, args);
                (TypedKind::Call { callee: Callee::Prim(prim), args: args.into() }, ty)
            }
            None => {
                let name = self.older_name(&name).unwrap_or(name);
                self.call_function(id, &name, written, args, name_span)
            }
        }
    }

    /// The derivative that an undefined name denotes in older programs, which do not request derivatives: `[rev f]` for
    /// `rev$f`.
    fn older_name(&mut self, name: &FnName) -> Option<FnName> {
        let text = self.out.names.text(name.base);
        let (prefix, base) = text.split_once('$')?;
        let (_, derivation) = Derivation::KNOWN.into_iter().find(|(spelling, _)| *spelling == prefix)?;
        let is_known = self.out.overloads.contains_key(name) || !self.knows_base(base);
        if !name.derivations.is_empty() || is_known {
            return None;
        }
        let base = base.to_owned();
        let base = self.out.names.intern(&base);
        let name = FnName { derivations: [derivation].into(), base };
        self.implicit.insert(name.clone());
        Some(name)
    }

    fn call_lambda(&mut self, id: ExprId, var: crate::typed::VarId, args: &[ExprId]) -> (TypedKind, TypeId) {
        let types: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect();
        let found = self.out.types.argument(&types);
        let Type::Lam(expected, result) = *self.out.types.get(self.out.var(var).ty) else {
            return (TypedKind::Error, Types::ERROR);
        };
        if !self.out.types.agree(expected, found) {
            let name = self.out.names.text(self.out.var(var).name);
            let message = format!(
                "the lambda '{name}' takes '{}', but is given '{}'",
                self.text(expected),
                self.text(found)
            );
            let error = Diagnostic::error(message).at(self.span(id));
            self.reporter.report(error.label(self.out.var(var).span, "bound here"));
        }
        (TypedKind::Call { callee: Callee::Lambda(var), args: args.into() }, result)
    }

    /// Resolves `name@codes` if only `name` is declared.
    fn call_suffixed(
        &mut self,
        id: ExprId,
        base: Symbol,
        codes: &str,
        args: &[ExprId],
        span: Span,
    ) -> (TypedKind, TypeId) {
        let name = FnName { derivations: [].into(), base };
        let (kind, ty) = self.call_function(id, &name, None, args, span);
        let TypedKind::Call { callee, ref args } = kind else { return (kind, ty) };
        let types: Vec<_> = args.iter().map(|&arg| self.out.ty(arg)).collect();
        let arg = self.out.types.argument(&types);
        if self.out.types.has_error(arg) || super::suffix::matches(&self.out.types, codes, arg) {
            return (kind, ty);
        }
        let message = format!("the suffix '@{codes}' does not describe the argument, '{}'", self.text(arg));
        // Programs attach inexact suffixes to their own functions.
        let diagnostic = match callee {
            Callee::Prelude(_) => Diagnostic::error(message),
            _ => Diagnostic::warning(message),
        };
        self.reporter.report(diagnostic.at(span));
        (kind, ty)
    }

    fn call_function(
        &mut self,
        id: ExprId,
        name: &FnName,
        written: Option<TypeId>,
        args: &[ExprId],
        span: Span,
    ) -> (TypedKind, TypeId) {
        let takes_lambda = self.takes_lambda(name);
        let types: Vec<_> =
            args.iter().map(|&arg| if takes_lambda { self.expr(arg) } else { self.value(arg) }).collect();
        let arg = self.out.types.argument(&types);
        if self.out.types.has_error(arg) || written == Some(Types::ERROR) {
            let known = self.knows_function(name.base) || self.broken.contains(&name.base);
            if !known {
                self.unknown_function(name, span);
            }
            return (TypedKind::Error, self.common_result(name));
        }
        let base_arg = match written {
            Some(written) => Some(written),
            None if name.derivations.is_empty() => Some(arg),
            None => self.base_arg_of(name, arg).or_else(|| self.only_base_arg(name)),
        };
        let found = base_arg.and_then(|base_arg| self.find(name, base_arg, span));
        let found = match base_arg {
            Some(base_arg) if found.is_none() && self.implicit.contains(name) => {
                self.derive(name, base_arg, span).ok().map(|function| self.signature_of(function))
            }
            _ => found,
        };
        let found = found.or_else(|| self.find_loosely(name, arg));
        if let Some(Signature { callee, arg: expected, result }) = found {
            if self.out.types.agree(expected, arg) {
                return (TypedKind::Call { callee, args: args.into() }, result);
            }
            let signature = Signature { callee, arg: expected, result };
            self.wrong_argument(id, name, signature, args, &types);
            return (TypedKind::Error, result);
        }
        if !self.broken.contains(&name.base) && !self.underivable.contains(name) {
            self.no_overload(id, name, base_arg, args, &types, span);
        }
        (TypedKind::Error, self.common_result(name))
    }

    /// In rules: the overload that matches an argument type containing `Any`.
    fn find_loosely(&mut self, name: &FnName, arg: TypeId) -> Option<Signature> {
        if !self.out.types.has_any(arg) {
            return None;
        }
        self.candidates(name).into_iter().find(|candidate| self.out.types.agree(candidate.arg, arg))
    }

    /// The argument type of the innermost function of `name`, if there is only one overload.
    fn only_base_arg(&self, name: &FnName) -> Option<TypeId> {
        match self.out.overloads.get(name).map(Vec::as_slice) {
            Some(&[function]) => Some(self.out.identity(function).1),
            _ => None,
        }
    }

    /// All functions with this name, those of the program first.
    pub(super) fn candidates(&mut self, name: &FnName) -> Vec<Signature> {
        let own: Vec<FnRef> = self.out.overloads.get(name).cloned().unwrap_or_default();
        let mut list: Vec<Signature> = own.into_iter().map(|function| self.signature_of(function)).collect();
        if name.derivations.is_empty() {
            let text = self.out.names.text(name.base).to_owned();
            for overload in PRELUDE.iter().filter(|overload| overload.name == text) {
                let (arg, callee) = (self.prelude_arg(overload), Callee::Prelude(overload));
                let result = overload.result.intern(&mut self.out.types);
                list.push(Signature { callee, arg, result });
            }
        }
        list
    }

    fn takes_lambda(&self, name: &FnName) -> bool {
        let own = self.out.overloads.get(name).into_iter().flatten();
        own.into_iter().any(|&function| self.out.types.has_lam(self.out.signature(function).0))
    }

    /// The result type that all functions with this name share; avoids follow-up errors.
    fn common_result(&mut self, name: &FnName) -> TypeId {
        let mut results = self.candidates(name).into_iter().map(|candidate| candidate.result);
        match results.next() {
            Some(first) if !self.broken.contains(&name.base) && results.all(|result| result == first) => {
                first
            }
            _ => Types::ERROR,
        }
    }

    /// Whether any function has this name.
    pub(super) fn knows_function(&self, base: Symbol) -> bool {
        self.knows_base(self.out.names.text(base))
    }

    fn knows_base(&self, text: &str) -> bool {
        let own = self.out.names.get(text).map(|base| FnName { derivations: [].into(), base });
        own.is_some_and(|name| self.out.overloads.contains_key(&name))
            || PRELUDE.iter().any(|overload| overload.name == text)
            || Prim::named(text).is_some()
    }

    /// The function with the most similar name.
    pub(super) fn nearest_function(&self, text: &str) -> Option<String> {
        // Every other single letter would be similar to a single letter.
        text.chars().nth(1)?;
        let mut own: Vec<Symbol> = self.out.overloads.keys().map(|name| name.base).collect();
        own.sort_unstable();
        own.dedup();
        let own = own.into_iter().map(|base| self.out.names.text(base));
        let built_in =
            PRELUDE.iter().map(|overload| overload.name).chain(Prim::NAMED.iter().map(|(name, _)| *name));
        const FORMS: [&str; 5] = ["let", "if", "lam", "assert", "tuple"];
        nearest(text, own.chain(built_in).chain(FORMS)).map(str::to_owned)
    }

    /// Adds a note with the signatures of the functions with this name.
    pub(super) fn list_overloads(&mut self, mut error: Diagnostic, name: &FnName) -> Diagnostic {
        let candidates = self.candidates(name);
        let text = self.out.name_text(name);
        for candidate in candidates.iter().take(MAX_LISTED) {
            let line = format!("{text} : {} -> {}", self.text(candidate.arg), self.text(candidate.result));
            error = match self.place_of(candidate.callee) {
                Some(span) if candidates.len() <= 2 => error.note_at(span, line),
                _ => error.note(line),
            };
        }
        if candidates.len() > MAX_LISTED {
            error = error.note(format!("and {} more", candidates.len() - MAX_LISTED));
        }
        error
    }

    fn place_of(&self, callee: Callee) -> Option<Span> {
        match callee {
            Callee::User(id) => Some(self.out.def(id).name_span),
            Callee::Edef(id) => Some(self.out.edef(id).name_span),
            Callee::Gdef(id) => Some(self.out.gdef(id).span),
            _ => None,
        }
    }

    fn unknown_function(&mut self, name: &FnName, span: Span) {
        let text = self.out.names.text(name.base).to_owned();
        let mut error =
            Diagnostic::error(format!("unknown function '{}'", minoan_frontend::clip(&text))).at(span);
        if let Some(&var) = self.scope.get(&name.base) {
            let message = format!("'{text}' is a variable of type '{}'", self.text(self.out.var(var).ty));
            error = error.note_at(self.out.var(var).span, message);
        } else if matches!(&*text, "lam" | "lambda") {
            error = error.help(format!("a lambda is written '({text} (x : Type) body)'"));
        } else if text.ends_with(',') {
            error = error
                .help("elements are written without commas, and a tuple begins with its name: '(tuple i j)'");
        } else if let Some((note, help)) = crate::prims::without_type(&text) {
            error = error.note(note).help(help);
        } else {
            let suggestion = self.nearest_function(&text);
            error = error.did_you_mean(suggestion.as_deref());
        }
        self.reporter.report(error);
    }

    fn no_overload(
        &mut self,
        id: ExprId,
        name: &FnName,
        base_arg: Option<TypeId>,
        args: &[ExprId],
        types: &[TypeId],
        span: Span,
    ) {
        if !self.knows_function(name.base) && !self.out.overloads.contains_key(name) {
            return self.unknown_function(name, span);
        }
        let candidates = self.candidates(name);
        if let (Some((_, inner)), Some(ty)) = (name.derivations.split_first(), base_arg) {
            // The function exists, but the program does not request this derivative.
            let inner = FnName { derivations: inner.into(), base: name.base };
            if self.find(&inner, ty, span).is_some() {
                return self.not_derived(name, base_arg, span);
            }
        }
        if let &[candidate] = &candidates[..] {
            return self.wrong_argument(id, name, candidate, args, types);
        }
        if candidates.is_empty() {
            return self.not_derived(name, base_arg, span);
        }
        let text = self.out.name_text(name);
        if let Some(message) = self.wrong_count(&text, &candidates, types) {
            let error = Diagnostic::error(message).at(self.span(id));
            let error = self.list_overloads(error, name);
            return self.reporter.report(error);
        }
        let found = self.argument_text(types);
        let error = Diagnostic::error(format!("no overload of '{text}' takes {found}")).at(self.span(id));
        let error = self.list_overloads(error, name);
        self.reporter.report(error);
    }

    /// Reports a derivative that is not requested of a known function.
    fn not_derived(&mut self, name: &FnName, base_arg: Option<TypeId>, span: Span) {
        let text = self.out.name_text(name);
        let error = Diagnostic::error(format!("unknown function '{text}'")).at(span);
        let Some((first, rest)) = name.derivations.split_first() else { return self.reporter.report(error) };
        let inner = FnName { derivations: rest.into(), base: name.base };
        let known = first.text(&self.out.names);
        let unknown = matches!(first, crate::ast::Derivation::Other(_));
        let error = match base_arg {
            _ if unknown => error.note(format!("'{known}' is not a derivation that 'gdef' supports")),
            Some(ty) => {
                let form = format!("(gdef {known} {})", self.out.full_text(&inner, ty));
                let help = format!("add '{form}'");
                match self.program.items.last() {
                    Some(last) => {
                        let end = Span::new(last.span.file, last.span.end, last.span.end);
                        error.suggest(end, format!("\n\n{form}"), help)
                    }
                    None => error.help(help),
                }
            }
            None => error.note("the argument does not determine the overload").help(format!(
                "write the type in the name: '[{known} [{} Type]]'",
                self.out.names.text(name.base)
            )),
        };
        self.reporter.report(error);
    }

    /// The message if all candidates take a different number of arguments.
    fn wrong_count(&self, text: &str, candidates: &[Signature], types: &[TypeId]) -> Option<String> {
        let count_of = |ty: TypeId| self.out.types.parts(ty).map_or(1, <[TypeId]>::len);
        let given = match types {
            &[single] => count_of(single),
            types => types.len(),
        };
        let mut counts: Vec<usize> = candidates.iter().map(|candidate| count_of(candidate.arg)).collect();
        counts.sort_unstable();
        counts.dedup();
        if counts.contains(&given) || counts.contains(&types.len()) {
            return None;
        }
        let expected: Vec<String> = counts.iter().map(usize::to_string).collect();
        let plural = if counts == [1] { "argument" } else { "arguments" };
        let verb = if types.len() == 1 { "is" } else { "are" };
        Some(format!("'{text}' takes {} {plural}, but {} {verb} given", expected.join(" or "), types.len()))
    }

    /// Reports a wrong argument of a function with a single overload.
    fn wrong_argument(
        &mut self,
        id: ExprId,
        name: &FnName,
        of: Signature,
        args: &[ExprId],
        types: &[TypeId],
    ) {
        let text = self.out.name_text(name);
        let signature = format!("{text} : {} -> {}", self.text(of.arg), self.text(of.result));
        let place = self.place_of(of.callee);
        let attach = |error: Diagnostic| match place {
            Some(span) => error.note_at(span, signature.clone()),
            None => error.note(signature.clone()),
        };
        if let Some(message) = self.wrong_count(&text, &[of], types) {
            self.reporter.report(attach(Diagnostic::error(message).at(self.span(id))));
            return;
        }
        let expected = match self.out.types.parts(of.arg) {
            Some(parts) if parts.len() == args.len() && args.len() != 1 => parts.to_vec(),
            _ if args.len() == 1 => vec![of.arg],
            _ => Vec::new(),
        };
        let mut reported = false;
        for (index, (&expected, &found)) in expected.iter().zip(types).enumerate() {
            if self.out.types.agree(expected, found) {
                continue;
            }
            reported = true;
            let which =
                if args.len() == 1 { "the argument".into() } else { format!("argument {}", index + 1) };
            let message = format!(
                "{which} of '{text}' must be of type '{}', but is '{}'",
                self.text(expected),
                self.text(found)
            );
            self.reporter.report(attach(Diagnostic::error(message).at(self.span(args[index]))));
        }
        if !reported {
            let message =
                format!("'{text}' takes '{}', but is given {}", self.text(of.arg), self.argument_text(types));
            self.reporter.report(attach(Diagnostic::error(message).at(self.span(id))));
        }
    }

    /// The types of the arguments, for messages.
    fn argument_text(&self, types: &[TypeId]) -> String {
        let texts: Vec<String> = types.iter().map(|&ty| self.text(ty)).collect();
        match &texts[..] {
            [single] => format!("'{single}'"),
            texts => format!("({})", texts.join(", ")),
        }
    }
}

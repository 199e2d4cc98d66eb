//! Queries of a typed program.

use crate::ast::Derivation;
use crate::ast::ExprId;
use crate::typed::{
    Callee, DefId, EdefId, FnName, FnRef, GdefId, LetPattern, TypedKind, TypedProgram, VarId,
};
use indexmap::IndexSet;
use minoan_diag::Diagnostic;
use minoan_frontend::with_known_names;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// The functions reachable from a set of functions, in order of discovery.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// Functions with a body.
    pub defs: Vec<DefId>,
    /// External functions.
    pub edefs: Vec<EdefId>,
    /// Derived functions.
    pub gdefs: Vec<GdefId>,
}

impl TypedProgram {
    /// The immediate subexpressions of an expression, in order of evaluation.
    pub fn children(&self, id: ExprId) -> Vec<ExprId> {
        match &self.expr(id).kind {
            TypedKind::Call { args: parts, .. } | TypedKind::Tuple(parts) => parts.to_vec(),
            TypedKind::Let { bindings, body } => {
                bindings.iter().map(|binding| binding.value).chain([*body]).collect()
            }
            &TypedKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
            &TypedKind::Assert { condition, body } => vec![condition, body],
            TypedKind::Lambda(lambda) => vec![lambda.body],
            TypedKind::Error
            | TypedKind::Integer(_)
            | TypedKind::Float(_)
            | TypedKind::Bool(_)
            | TypedKind::String(_)
            | TypedKind::Var(_)
            | TypedKind::Dummy => Vec::new(),
        }
    }

    /// The free variables of an expression, each once, in order of first use. A variable bound to a lambda is
    /// replaced by the free variables of that lambda.
    pub fn free_vars(&self, id: ExprId) -> Vec<VarId> {
        let mut bound: FxHashSet<VarId> = FxHashSet::default();
        let mut used: IndexSet<VarId, FxBuildHasher> = IndexSet::default();
        let mut opened: FxHashSet<ExprId> = FxHashSet::default();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let var = match &self.expr(id).kind {
                TypedKind::Var(var) => Some(*var),
                TypedKind::Call { callee: Callee::Lambda(var), .. } => Some(*var),
                TypedKind::Let { bindings, .. } => {
                    for binding in bindings {
                        match &binding.pattern {
                            LetPattern::Var(var) => bound.extend([*var]),
                            LetPattern::Unpack(vars) => bound.extend(vars.iter().copied()),
                        }
                    }
                    None
                }
                TypedKind::Lambda(lambda) => {
                    bound.extend(lambda.params.iter().copied());
                    None
                }
                _ => None,
            };
            pending.extend(self.children(id).into_iter().rev());
            match var.map(|var| (var, self.var(var).lambda)) {
                Some((_, Some(lambda))) if opened.insert(lambda) => pending.push(lambda),
                Some((var, None)) => _ = used.insert(var),
                _ => {}
            }
        }
        // Every variable has one binding, so a variable bound anywhere inside is bound at its uses.
        used.retain(|var| !bound.contains(var));
        used.into_iter().collect()
    }

    /// All functions called from `start`, directly or indirectly, including `start`. A gdef reaches the function that
    /// it derives. In a program that requests derivatives, a function reaches those that the program supplies for it, also if
    /// no request is reachable: the function may be differentiated later.
    pub fn reachable_from(&self, start: impl IntoIterator<Item = FnRef>) -> Reachable {
        let mut supplied: FxHashMap<(FnName, crate::TypeId), Vec<FnRef>> = FxHashMap::default();
        let own = (0..self.defs.len() as u32).map(|id| FnRef::Def(DefId(id)));
        let external = (0..self.edefs.len() as u32).map(|id| FnRef::Edef(EdefId(id)));
        for function in own.chain(external) {
            let (name, base_arg) = self.identity(function);
            if !name.derivations.is_empty() {
                let plain = FnName { derivations: [].into(), base: name.base };
                supplied.entry((plain, base_arg)).or_default().push(function);
            }
        }
        let mut seen: IndexSet<FnRef, FxBuildHasher> = start.into_iter().map(|it| self.defined(it)).collect();
        let mut done = 0;
        let derives = !self.gdefs.is_empty();
        loop {
            while let Some(&function) = seen.get_index(done) {
                done += 1;
                match function {
                    FnRef::Def(id) => self.calls(self.def(id).body, &mut seen),
                    FnRef::Gdef(id) => seen.extend(fn_of(self.gdef(id).of).map(|it| self.defined(it))),
                    FnRef::Edef(_) => {}
                }
            }
            if derives {
                for index in 0..done {
                    let (name, base_arg) = self.identity(seen[index]);
                    let plain = FnName { derivations: [].into(), base: name.base };
                    seen.extend(
                        supplied.get(&(plain, base_arg)).into_iter().flatten().map(|&it| self.defined(it)),
                    );
                }
            }
            if done == seen.len() {
                break;
            }
        }
        let mut reachable = Reachable::default();
        for function in seen {
            match function {
                FnRef::Def(id) => reachable.defs.push(id),
                FnRef::Edef(id) => reachable.edefs.push(id),
                FnRef::Gdef(id) => reachable.gdefs.push(id),
            }
        }
        reachable
    }

    /// The derivatives among these functions that are supplied as a linear map, or by a pair of passes.
    pub(crate) fn supplied_derivatives(&self, reachable: &Reachable) -> Vec<Supplied> {
        let functions = reachable.defs.iter().map(|&id| FnRef::Def(id));
        let functions = functions.chain(reachable.edefs.iter().map(|&id| FnRef::Edef(id)));
        let supplied = functions.filter_map(|function| {
            let (name, base_arg) = self.identity(function);
            let (&outermost, inner) = name.derivations.split_first()?;
            let named = |derivations: Box<[Derivation]>| {
                self.function(&FnName { derivations, base: name.base }, base_arg).map(|it| self.defined(it))
            };
            let of = named(inner.into())?;
            let pass = match outermost {
                Derivation::D if matches!(function, FnRef::Def(_)) => None,
                Derivation::SufRevPass => {
                    let derivations = std::iter::once(Derivation::SufFwdPass).chain(inner.iter().copied());
                    Some(named(derivations.collect()).filter(|pass| !matches!(pass, FnRef::Gdef(_)))?)
                }
                _ => return None,
            };
            Some(Supplied { function, of, pass })
        });
        supplied.collect()
    }

    /// The functions with a body, and the external ones, that rules call.
    pub fn called_by_rules(&self) -> Vec<FnRef> {
        let mut seen = IndexSet::default();
        for rule in &self.rules {
            self.calls(rule.from, &mut seen);
            self.calls(rule.to, &mut seen);
        }
        seen.into_iter().filter(|function| !matches!(function, FnRef::Gdef(_))).collect()
    }

    /// The definition of a function that the program also declares.
    fn defined(&self, function: FnRef) -> FnRef {
        match function {
            FnRef::Edef(id) => self.edef(id).definition.map_or(function, FnRef::Def),
            other => other,
        }
    }

    fn calls(&self, body: ExprId, seen: &mut IndexSet<FnRef, FxBuildHasher>) {
        let mut pending = vec![body];
        while let Some(id) = pending.pop() {
            if let TypedKind::Call { callee, .. } = self.expr(id).kind {
                seen.extend(fn_of(callee).map(|it| self.defined(it)));
            }
            pending.extend(self.children(id).into_iter().rev());
        }
    }

    /// The functions that `name` may denote as an entry point: a name such as `f`, `[rev f]` or `[rev [f Float]]`,
    /// with arbitrary white space.
    pub fn entries_named(&self, name: &str) -> Vec<FnRef> {
        let wanted = plain_spaces(name);
        let fits = |&function: &FnRef| {
            let (name, base_arg) = self.identity(function);
            // The cheap comparison first: most names do not contain the base.
            wanted.contains(self.names.text(name.base))
                && (self.name_text(name) == wanted || self.full_text(name, base_arg) == wanted)
        };
        self.entries().filter(fits).collect()
    }

    /// The unique function that `name` denotes as an entry point.
    ///
    /// # Errors
    /// There is no such function (with the most similar name), or the name is overloaded (with all overloads).
    pub fn find_entry(&self, name: &str) -> Result<FnRef, Box<Diagnostic>> {
        let found = self.entries_named(name);
        if let &[function] = &found[..] {
            return Ok(function);
        }
        if found.is_empty() {
            let texts: Vec<String> = self.entries().map(|it| self.name_text(self.identity(it).0)).collect();
            let error = Diagnostic::error(format!("unknown function '{name}'"));
            // Every function has a gradient: derived functions are only suggested for the name of one.
            let is_derived = |text: &str| text.starts_with('[');
            let known = texts.iter().map(String::as_str).filter(|text| is_derived(name) || !is_derived(text));
            let error = with_known_names(error, &plain_spaces(name), "function", known);
            return Err(Box::new(self.with_request(error, &plain_spaces(name))));
        }
        let mut error = Diagnostic::error(format!("'{name}' means {} functions", found.len()));
        for &function in &found {
            let (name, base_arg) = self.identity(function);
            let (_, result) = self.signature(function);
            let line = format!("{} gives {}", self.full_text(name, base_arg), self.types.text(result));
            error = error.note_at(self.span(function), line);
        }
        Err(Box::new(error.help("give the type of the argument: '[name Type]'")))
    }

    /// Tells how to request a derivative that does not exist, or cannot be run.
    fn with_request(&self, error: Diagnostic, name: &str) -> Diagnostic {
        let inner = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once(' '));
        let Some((derivation, of)) = inner.filter(|(word, _)| is_requested(word)) else { return error };
        match self.entries_named(of)[..] {
            [function] => {
                let (base, base_arg) = self.identity(function);
                let of = self.full_text(base, base_arg);
                error.help(match derivation {
                    "D" => format!(
                        "the result of '{name}' is a linear map, which a program can only apply; it requests a derivative \
                         without linear maps by '(gdef fwd {of})' or '(gdef rev {of})'"
                    ),
                    _ => format!("a program requests a derivative by '(gdef {derivation} {of})'"),
                })
            }
            _ => error,
        }
    }

    /// The functions that can be run: defined or derived.
    fn entries(&self) -> impl Iterator<Item = FnRef> + '_ {
        let defs = (0..self.defs.len() as u32).map(|id| FnRef::Def(DefId(id)));
        defs.chain((0..self.gdefs.len() as u32).map(|id| FnRef::Gdef(GdefId(id))))
    }
}

/// Whether a derivation of this spelling can be run only if a program requests it, or not at all.
fn is_requested(word: &str) -> bool {
    let known = Derivation::KNOWN.into_iter().find(|(text, _)| *text == word);
    known.is_some_and(|(_, derivation)| derivation != Derivation::Grad)
}

/// A derivative that a program supplies in another form than as `[fwd f]` or `[rev f]`.
#[derive(Clone, Copy)]
pub(crate) struct Supplied {
    /// `[D f]`, or `[sufrevpass f]`.
    pub function: FnRef,
    /// The function that it is a derivative of.
    pub of: FnRef,
    /// `[suffwdpass f]`.
    pub pass: Option<FnRef>,
}

fn fn_of(callee: Callee) -> Option<FnRef> {
    match callee {
        Callee::User(id) => Some(FnRef::Def(id)),
        Callee::Edef(id) => Some(FnRef::Edef(id)),
        Callee::Gdef(id) => Some(FnRef::Gdef(id)),
        Callee::Prelude(_) | Callee::Prim(_) | Callee::Lambda(_) => None,
    }
}

/// Normalizes white space: one space between words, none inside brackets.
fn plain_spaces(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace("( ", "(").replace("[ ", "[").replace(" )", ")").replace(" ]", "]")
}

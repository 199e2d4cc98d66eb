//! Name resolution, typing rules and arity.

use crate::ast::{Def, File, NodeId, NodeKind};
use crate::summary::{Signature, Summary};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_frontend::{Reporter, with_known_names};
use rustc_hash::FxHashMap;

/// Upper bound on the expressions of a component, including those of the components that it names.
pub const MAX_EXPRESSIONS: usize = 100_000;

/// The names of the identity, unless they are defined otherwise.
const IDENTITY: [&str; 2] = ["I", "id"];

/// The target of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Identity,
    Def(usize),
}

/// A file with resolved names, and the signatures of its definitions.
#[derive(Clone)]
pub struct Checked {
    pub(crate) file: File,
    pub(crate) targets: FxHashMap<NodeId, Target>,
    /// The number of inputs and outputs of each component.
    pub(crate) arity: Vec<(usize, usize)>,
    /// The signatures of the differentiated components, by `rev`.
    pub(crate) differentiated: FxHashMap<NodeId, Signature>,
    by_name: FxHashMap<Box<str>, usize>,
    /// The summaries of definitions without errors.
    summaries: Vec<Option<Summary>>,
}

/// Resolves names and checks rules, arity and types.
///
/// Definitions with errors are reported and are not entry points.
pub fn check(file: &File) -> (Checked, Diagnostics) {
    let mut checker = Checker {
        file,
        targets: FxHashMap::default(),
        by_name: FxHashMap::default(),
        nodes: Vec::new(),
        arity: Vec::new(),
        differentiated: FxHashMap::default(),
        summaries: Vec::new(),
        reporter: Reporter::default(),
    };
    for (index, def) in file.defs.iter().enumerate() {
        checker.def(index, def);
    }
    let Checker { targets, by_name, arity, differentiated, summaries, reporter, .. } = checker;
    (Checked { file: file.clone(), targets, arity, differentiated, by_name, summaries }, reporter.finish())
}

impl Checked {
    /// The names of the definitions, in order.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.file.defs.iter().map(|def| &*def.name)
    }

    /// The names of the definitions that can be functions of their own, in order: those without errors, whose inputs have known
    /// ranks.
    ///
    /// A component whose schedule places the computation of an input is no function if another definition names it: it is a part
    /// of that one.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let mut is_named = vec![false; self.file.defs.len()];
        for target in self.targets.values() {
            if let &Target::Def(index) = target {
                is_named[index] = true;
            }
        }
        let defs = self.file.defs.iter().zip(&self.summaries).zip(is_named);
        defs.filter_map(|((def, summary), is_named)| {
            let summary = summary.as_ref()?;
            let has_ranks = summary.signature().inputs.iter().all(|port| port.rank.is_some());
            (has_ranks && !(is_named && summary.needs_producer())).then_some(&*def.name)
        })
    }

    /// The last definition, the default entry point.
    pub fn default_entry(&self) -> Option<&str> {
        self.file.defs.last().map(|def| &*def.name)
    }

    /// The signature of a definition; `None` if it does not exist or has errors.
    pub fn signature(&self, name: &str) -> Option<Signature> {
        let index = *self.by_name.get(name)?;
        self.summaries[index].as_ref().map(Summary::signature)
    }

    /// The definition with this name.
    ///
    /// # Errors
    /// There is no such definition; the error suggests a similar name.
    pub fn find_entry(&self, name: &str) -> Result<&Def, Box<Diagnostic>> {
        match self.by_name.get(name) {
            Some(&index) => Ok(&self.file.defs[index]),
            None => {
                let error = Diagnostic::error(format!("there is no component '{name}'"));
                Err(Box::new(with_known_names(error, name, "component", self.entries())))
            }
        }
    }

    /// The body that a name refers to; `None` for the identity.
    pub(crate) fn named(&self, node: NodeId) -> Option<NodeId> {
        match self.targets.get(&node) {
            Some(&Target::Def(index)) => Some(self.file.defs[index].body),
            _ => None,
        }
    }
}

struct Checker<'a> {
    file: &'a File,
    targets: FxHashMap<NodeId, Target>,
    by_name: FxHashMap<Box<str>, usize>,
    /// The summaries of components that are not operands yet.
    nodes: Vec<Option<Summary>>,
    arity: Vec<(usize, usize)>,
    differentiated: FxHashMap<NodeId, Signature>,
    summaries: Vec<Option<Summary>>,
    reporter: Reporter,
}

impl Checker<'_> {
    fn def(&mut self, index: usize, def: &Def) {
        // Operands precede their users and follow the previous definition.
        for id in (self.nodes.len() as u32..=def.body.0).map(NodeId) {
            let summary = self.node(id, index);
            let arity = summary.as_ref().map_or((0, 0), |it| (it.inputs.len(), it.outputs.len()));
            self.arity.push(arity);
            self.nodes.push(summary);
        }
        let mut summary = self.nodes[def.body.0 as usize].take();
        if let Some(large) = summary.take_if(|summary| summary.size > MAX_EXPRESSIONS) {
            let message = format!(
                "'{}' has {} expressions, including those of referenced components; at most {MAX_EXPRESSIONS} are allowed",
                def.name, large.size
            );
            self.reporter.report(Diagnostic::error(message).at(def.name_span));
        }
        self.summaries.push(summary);
        match self.by_name.get(&def.name) {
            None => _ = self.by_name.insert(def.name.clone(), index),
            Some(&first) => {
                let message = format!("'{}' is defined twice", def.name);
                let first = &self.file.defs[first];
                let error = Diagnostic::error(message).at(def.name_span);
                let error = error.label(first.name_span, "the first one");
                self.reporter.report(if def.is_named {
                    error
                } else {
                    error.help(
                        "a component without a name is called `main`; give this one a name: `name = ..`",
                    )
                });
            }
        }
    }

    fn take(&mut self, node: NodeId) -> Option<Summary> {
        self.nodes[node.0 as usize].take()
    }

    fn node(&mut self, id: NodeId, index: usize) -> Option<Summary> {
        let file = self.file;
        match &file.node(id).kind {
            NodeKind::Error => None,
            NodeKind::Expr(literal) => {
                let problems = minoan_iexpr_dialect::check(&literal.expr, &literal.places);
                for problem in &problems {
                    self.reporter.report(problem.diagnostic(file.id, literal.base));
                }
                problems.is_empty().then(|| Summary::of(literal, file.id))
            }
            NodeKind::Name(name) => self.name(id, name, index),
            NodeKind::Swap(operand) => self.take(*operand).map(Summary::swap),
            NodeKind::Reverse { operand, at } => {
                let operand = self.take(*operand)?;
                self.differentiated.insert(id, operand.signature());
                match operand.reverse(*at) {
                    Ok(reversed) => Some(reversed),
                    Err(error) => {
                        self.reporter.report(*error);
                        None
                    }
                }
            }
            NodeKind::Binary { combinator, left, right, at } => {
                let (left, right) = (self.take(*left), self.take(*right));
                match left?.wire(*combinator, right?, *at) {
                    Ok(wired) => Some(wired),
                    Err(error) => {
                        self.reporter.report(*error);
                        None
                    }
                }
            }
        }
    }

    fn name(&mut self, id: NodeId, name: &str, index: usize) -> Option<Summary> {
        if let Some(&target) = self.by_name.get(name) {
            self.targets.insert(id, Target::Def(target));
            return self.summaries[target].clone();
        }
        if IDENTITY.contains(&name) {
            self.targets.insert(id, Target::Identity);
            return Some(Summary::identity());
        }
        let span = self.file.node(id).span;
        let later = self.file.defs[index..].iter().find(|def| *def.name == *name);
        let error = match later {
            Some(def) if std::ptr::eq(def, &self.file.defs[index]) => {
                Diagnostic::error(format!("'{name}' is defined by itself")).at(span)
            }
            Some(def) => {
                let error = Diagnostic::error(format!("'{name}' is used before its definition")).at(span);
                error.label(def.name_span, "defined here")
            }
            None => {
                let known = self.file.defs[..index].iter().map(|def| &*def.name);
                let near = nearest(name, known.chain(IDENTITY));
                Diagnostic::error(format!("there is no component '{name}'")).at(span).did_you_mean(near)
            }
        };
        self.reporter.report(error);
        None
    }
}

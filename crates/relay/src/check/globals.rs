//! Type inference of global functions, callees first.

use super::function::Opened;
use super::{Checker, Recursive};
use crate::ast::{ExprKind, FnId, Ident, Item, ItemKind};
use crate::typed::{Def, DefId};
use crate::types::Types;
use minoan_diag::Diagnostic;
use minoan_frontend::Symbol;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

/// The inference state of a global function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// The type is known.
    Known,
    /// The function is being inferred.
    Open,
}

/// The functions of one inference run with their annotations.
struct Globals {
    /// The id of the first function.
    base: usize,
    functions: Vec<FnId>,
    opened: Vec<Opened>,
}

impl Globals {
    fn opened(&self, def: DefId) -> &Opened {
        &self.opened[def.index() - self.base]
    }

    fn function(&self, def: DefId) -> FnId {
        self.functions[def.index() - self.base]
    }
}

impl Checker<'_> {
    /// Infers the global functions among the forms.
    pub(super) fn globals(&mut self, items: &[Item], prelude: bool) {
        let base = self.out.defs.len();
        let functions = self.declare_globals(items, prelude);
        let opened: Vec<Opened> = functions.iter().map(|&function| self.open_global(function)).collect();
        for (index, opened) in opened.iter().enumerate() {
            // A complete annotation makes the type known immediately.
            let ty = if self.out.types.has_hole(opened.ty) {
                opened.ty
            } else {
                self.poly(opened.vars.clone(), opened.declared, Vec::new(), opened.ty)
            };
            self.out.defs[base + index].ty = ty;
        }
        let globals = Globals { base, functions, opened };
        for group in self.groups(&globals) {
            self.group(&group, &globals);
        }
    }

    fn declare_globals(&mut self, items: &[Item], prelude: bool) -> Vec<FnId> {
        let module = self.module;
        let mut functions = Vec::new();
        for item in items {
            let (name, function, span) = match item.kind {
                ItemKind::Def { name, function } => (module.text(name.name), function, name.span),
                ItemKind::Main { function, .. } => ("main", function, item.span),
                ItemKind::Data(_) => continue,
            };
            if let Some(&first) = self.out.def_of.get(name)
                && self.out.def(first).prelude == prelude
            {
                let first = self.out.def(first).span;
                self.duplicate(format!("the function '@{name}' is defined twice"), span, first);
            }
            functions.push(function);
            self.progress.push(Progress::Known);
            self.add_def(Def { name: name.into(), function, ty: Types::ERROR, span, prelude });
        }
        functions
    }

    fn open_global(&mut self, function: FnId) -> Opened {
        self.level += 1;
        let opened = self.open_function(function);
        self.level -= 1;
        opened
    }

    /// The strongly connected components of the call graph, callees before callers.
    fn groups(&mut self, globals: &Globals) -> Vec<Vec<DefId>> {
        let module = self.module;
        let (base, functions) = (globals.base, &globals.functions);
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(functions.len(), functions.len());
        let nodes: Vec<NodeIndex> = functions.iter().map(|_| graph.add_node(())).collect();
        let by_symbol: FxHashMap<Symbol, DefId> =
            self.out.def_of.iter().filter_map(|(name, &def)| Some((module.names.get(name)?, def))).collect();
        // The expressions of a function are added before its item ends and after the previous item.
        let mut bodies: Vec<(u32, DefId)> = functions
            .iter()
            .enumerate()
            .map(|(index, &function)| (module.function(function).body.0, DefId((base + index) as u32)))
            .collect();
        bodies.sort_unstable_by_key(|&(body, _)| body);
        let mut at = 0;
        for id in 0..module.expr_count() as u32 {
            while at < bodies.len() && bodies[at].0 < id {
                at += 1;
            }
            let (Some(&(_, caller)), ExprKind::Global(name)) =
                (bodies.get(at), module.exprs[id as usize].kind)
            else {
                continue;
            };
            let Some(&callee) = by_symbol.get(&name).filter(|callee| callee.index() >= base) else {
                continue;
            };
            let known = globals.opened(callee);
            // Functions with a complete monomorphic annotation create no dependency.
            if self.out.types.has_hole(known.ty) || !known.vars.is_empty() {
                graph.add_edge(nodes[caller.index() - base], nodes[callee.index() - base], ());
            }
        }
        let groups = kosaraju_scc(&graph).into_iter();
        groups
            .map(|group| {
                let mut group: Vec<DefId> =
                    group.into_iter().map(|node| DefId((base + node.index()) as u32)).collect();
                group.sort_unstable();
                group
            })
            .collect()
    }

    /// Infers mutually recursive functions.
    fn group(&mut self, group: &[DefId], globals: &Globals) {
        let since = self.since();
        let outer = self.recursive.len();
        self.level += 1;
        for &def in group {
            if self.out.types.has_hole(globals.opened(def).ty) {
                self.progress[def.index()] = Progress::Open;
            }
        }
        for &def in group {
            self.function_body(globals.function(def), globals.opened(def));
        }
        self.level -= 1;
        let own: Vec<_> = group.iter().flat_map(|&def| globals.opened(def).vars.clone()).collect();
        let types: Vec<_> = group.iter().map(|&def| globals.opened(def).ty).collect();
        let (found, constraints) = self.generalize(&types, &own, since);
        let vars =
            |def: DefId| -> Vec<_> { globals.opened(def).vars.iter().chain(&found).copied().collect() };
        self.close_recursive(outer, |of| match of {
            Recursive::Global(def) if def.index() >= globals.base => vars(def),
            _ => Vec::new(),
        });
        for &def in group {
            let Opened { declared, ty, .. } = globals.opened(def);
            self.out.defs[def.index()].ty = self.poly(vars(def), *declared, constraints.clone(), *ty);
            self.progress[def.index()] = Progress::Known;
        }
        self.recursive.truncate(outer);
        self.report_stuck(since.pending);
    }

    /// Reports the constraints that can no longer be solved.
    fn report_stuck(&mut self, from: usize) {
        for index in from..self.pending.len() {
            if !self.pending[index].alive {
                continue;
            }
            self.pending[index].alive = false;
            let constraint = self.pending[index].constraint.clone();
            let args: Vec<String> =
                constraint.args.iter().map(|&arg| format!("'{}'", self.text(arg))).collect();
            let what = match constraint.op {
                Some(op) => format!("the result of '{}' for {}", op.name, args.join(", ")),
                None => format!("component {} of {}", constraint.index, args.join(", ")),
            };
            let error =
                Diagnostic::error(format!("cannot infer the type of {what}")).at(self.span(constraint.expr));
            self.reporter
                .report(error.help("write the types of the parameters or variables that it depends on"));
            let _ = self.unify(constraint.result, Types::ERROR);
            self.solve();
        }
    }

    /// Looks up a global function by name.
    pub(super) fn global(&mut self, name: Ident) -> Option<DefId> {
        let text = self.module.text(name.name);
        if let Some(&def) = self.out.def_of.get(text) {
            return Some(def);
        }
        if !self.module.broken.contains(&name.name) {
            let near = minoan_diag::nearest(text, self.out.def_of.keys().map(|name| &**name));
            let near = near.map(|near| format!("@{near}"));
            let error = Diagnostic::error(format!("undefined function '@{text}'")).at(name.span);
            self.reporter.report(error.did_you_mean(near.as_deref()));
        }
        None
    }
}

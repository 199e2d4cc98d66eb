//! The interface of a running pass to its operation and the pass manager.

use crate::Counters;
use crate::analysis::{Analysis, Cache};
use crate::manager::Settings;
use crate::remark::RemarkKind;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Body, Context, Loc, Module, Op, OpKind, OpRef};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The least number of operations that are distributed over threads: a pass takes a few milliseconds for them.
const ENOUGH: usize = 4096;

/// Whether bodies are worth distributing over threads, by their number and the numbers of their operations.
pub fn are_worth_threads<'b>(bodies: impl IntoIterator<Item = &'b Body>) -> bool {
    let (mut count, mut size) = (0usize, 0usize);
    bodies.into_iter().for_each(|body| (count, size) = (count + 1, size + body.op_capacity()));
    count > 1 && size >= ENOUGH && rayon::current_num_threads() > 1
}

/// The properties of an operation that do not require access to the body that contains it.
#[derive(Clone, Copy, Debug)]
pub struct OpHeader {
    /// The kind of operation.
    pub kind: OpKind,
    /// The location.
    pub loc: Loc,
    /// The inherent attributes.
    pub props: Attr,
    /// The discardable attributes.
    pub attrs: Attr,
}

impl OpHeader {
    pub(crate) fn of(op: OpRef<'_>) -> Self {
        Self { kind: op.kind(), loc: op.loc(), props: op.props(), attrs: op.attrs() }
    }

    /// The symbol that the operation defines.
    pub fn symbol(self, ctx: &Context) -> Option<&str> {
        let name = ctx.names().sym_name;
        self.props.get(ctx, name).or_else(|| self.attrs.get(ctx, name))?.as_str(ctx)
    }
}

/// The operation that a pass runs on.
pub(crate) enum Place<'a> {
    /// An operation in a module, by the path of operations from the module's body.
    Rooted(&'a mut Module, Vec<Op>),
    /// A detached body, whose siblings other threads own.
    Detached(OpHeader, &'a mut Body),
}

impl Place<'_> {
    pub(crate) fn head(&self) -> OpHeader {
        match self {
            Place::Rooted(module, path) => {
                let (around, op) = rooted(module, path);
                OpHeader::of(around.op(op))
            }
            Place::Detached(head, _) => *head,
        }
    }

    pub(crate) fn body(&self) -> &Body {
        match self {
            Place::Rooted(module, path) => {
                path.iter().fold(module.body(), |body, &op| body.nested(op).expect(ISOLATED))
            }
            Place::Detached(_, body) => body,
        }
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body {
        match self {
            Place::Rooted(module, path) => {
                path.iter().fold(module.body_mut(), |body, &op| body.nested_mut(op).expect(ISOLATED))
            }
            Place::Detached(_, body) => body,
        }
    }

    /// An immediately nested operation.
    pub(crate) fn child(&mut self, op: Op) -> Place<'_> {
        match self {
            Place::Rooted(module, path) => Place::Rooted(module, path.iter().copied().chain([op]).collect()),
            Place::Detached(_, body) => {
                let head = OpHeader::of(body.op(op));
                Place::Detached(head, body.nested_mut(op).expect(ISOLATED))
            }
        }
    }

    pub(crate) fn reborrow(&mut self) -> Place<'_> {
        match self {
            Place::Rooted(module, path) => Place::Rooted(module, path.clone()),
            Place::Detached(head, body) => Place::Detached(*head, body),
        }
    }
}

/// The operations of a body that own a nested body, with it, in text order.
fn nested(body: &mut Body) -> Vec<(OpHeader, &mut Body)> {
    let owners: Vec<Op> = body.nested_in_order().into_iter().map(|(op, _)| op).collect();
    let heads: Vec<OpHeader> = owners.into_iter().map(|op| OpHeader::of(body.op(op))).collect();
    let inside = body.nested_in_order().into_iter().map(|(_, inside)| inside);
    heads.into_iter().zip(inside).collect()
}

const ISOLATED: &str = "paths lead through isolated operations";

/// The operation at the end of a path, and the body that contains it.
pub(crate) fn rooted<'m>(module: &'m Module, path: &[Op]) -> (&'m Body, Op) {
    match path.split_last() {
        None => (module.holder(), module.op()),
        Some((&last, before)) => {
            (before.iter().fold(module.body(), |body, &op| body.nested(op).expect(ISOLATED)), last)
        }
    }
}

/// The output of a pass so far.
#[derive(Default)]
pub(crate) struct PassOutput {
    pub(crate) diagnostics: Diagnostics,
    pub(crate) remarks: Vec<(RemarkKind, Diagnostic)>,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    pub(crate) parts: BTreeMap<String, u64>,
}

/// The execution of a pass on one operation: access to the IR, analyses, statistics and diagnostics.
pub struct PassRun<'a> {
    pub(crate) place: Place<'a>,
    pub(crate) cache: &'a mut Cache,
    pub(crate) output: &'a mut PassOutput,
    pub(crate) settings: &'a Settings,
    /// Whether threads are used, which some settings prevent.
    pub(crate) threading: bool,
}

impl PassRun<'_> {
    /// The operation that the pass runs on.
    pub fn op(&self) -> OpHeader {
        self.place.head()
    }

    /// The context.
    pub fn context(&self) -> Context {
        self.body().context().clone()
    }

    /// The body of the operation.
    pub fn body(&self) -> &Body {
        self.place.body()
    }

    /// The body of the operation, mutably. The pass has no access to the enclosing IR.
    pub fn body_mut(&mut self) -> &mut Body {
        self.place.body_mut()
    }

    /// The module.
    ///
    /// # Panics
    /// Panics unless the pass has [`Anchor::Module`](crate::Anchor::Module).
    pub fn module(&self) -> &Module {
        match &self.place {
            Place::Rooted(module, path) if path.is_empty() => module,
            _ => panic!("a pass that asks for the module must be anchored on it"),
        }
    }

    /// The module, mutably.
    ///
    /// # Panics
    /// Panics unless the pass has [`Anchor::Module`](crate::Anchor::Module).
    pub fn module_mut(&mut self) -> &mut Module {
        match &mut self.place {
            Place::Rooted(module, path) if path.is_empty() => module,
            _ => panic!("a pass that asks for the module must be anchored on it"),
        }
    }

    /// The module, mutably, if the pass runs on it.
    pub fn whole_module_mut(&mut self) -> Option<&mut Module> {
        match &mut self.place {
            Place::Rooted(module, path) if path.is_empty() => Some(module),
            _ => None,
        }
    }

    /// Whether the pass runs on the outermost operation.
    pub fn is_outermost(&self) -> bool {
        matches!(&self.place, Place::Rooted(_, path) if path.is_empty())
    }

    /// Runs a function on the operation's body and all nested bodies and collects the results: outer bodies before
    /// inner ones, bodies of one level in text order. Bodies of one level are processed in parallel if they have many operations.
    pub fn each_body<R: Send>(&mut self, work: impl Fn(&mut Body) -> R + Sync) -> Vec<R> {
        self.each_body_with(|| (), |(), _, body| work(body))
    }

    /// Like [`PassRun::each_body`], with scratch state that is reused for many bodies, and with the operation that
    /// owns the body.
    pub fn each_body_with<S, R: Send>(
        &mut self,
        tables: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, OpHeader, &mut Body) -> R + Sync,
    ) -> Vec<R> {
        let threading = self.threading;
        let mut results = Vec::new();
        let mut own = tables();
        let mut level = vec![(self.op(), self.body_mut())];
        while !level.is_empty() {
            if threading && are_worth_threads(level.iter().map(|(_, body)| &**body)) {
                let each = level.par_iter_mut().map_init(&tables, |own, (op, body)| work(own, *op, body));
                results.extend(each.collect::<Vec<R>>());
            } else {
                results.extend(level.iter_mut().map(|(op, body)| work(&mut own, *op, body)));
            }
            level = level.into_iter().flat_map(|(_, body)| nested(body)).collect();
        }
        results
    }

    /// Whether work may be distributed over threads.
    pub fn threading(&self) -> bool {
        self.threading
    }

    /// An analysis of the operation, computed unless it is cached.
    pub fn analysis<A: Analysis>(&mut self) -> Arc<A> {
        let op = self.op();
        self.cache.get(op, self.place.body())
    }

    /// An analysis of the operation, if it is cached.
    pub fn cached_analysis<A: Analysis>(&self) -> Option<Arc<A>> {
        self.cache.cached()
    }

    /// Declares that an analysis remains valid after the edits of this pass.
    pub fn preserve<A: Analysis>(&mut self) {
        self.cache.preserve::<A>();
    }

    /// Adds to a statistic of the pass.
    pub fn count(&mut self, statistic: &'static str, by: u64) {
        *self.output.counts.entry(statistic).or_default() += by;
    }

    /// Adds to a per-part statistic of the pass, such as the number of applications of a pattern; printed after the
    /// declared statistics.
    pub fn count_part(&mut self, part: &str, by: u64) {
        match self.output.parts.get_mut(part) {
            Some(count) => *count += by,
            None => drop(self.output.parts.insert(part.to_owned(), by)),
        }
    }

    /// Emits a diagnostic that does not fail the pass: a warning or a remark.
    pub fn emit(&mut self, diagnostic: Diagnostic) {
        self.output.diagnostics.push(diagnostic);
    }

    /// Whether remarks are collected. A pass need not compute them otherwise.
    pub fn wants_remarks(&self) -> bool {
        self.settings.remarks
    }

    /// Adds a remark on a transformation that the pass performed or missed, at the location of the diagnostic, with the reasons
    /// as notes.
    pub fn remark(&mut self, kind: RemarkKind, diagnostic: Diagnostic) {
        if self.settings.remarks {
            self.output.remarks.push((kind, diagnostic));
        }
    }

    /// Whether the pass should log pattern applications to standard error; threading is disabled then.
    pub fn debug_patterns(&self) -> bool {
        self.settings.debug_patterns
    }

    /// Counts an action of a debug counter; returns whether it is enabled.
    pub fn permit(&self, counter: &str) -> bool {
        self.settings.counters.permit(counter)
    }
}

impl<'a> PassRun<'a> {
    /// The debug counters, if there are any, for actions that are executed while the run is borrowed.
    pub fn counters(&self) -> Option<&'a Counters> {
        Some(&self.settings.counters).filter(|counters| !counters.is_empty())
    }
}

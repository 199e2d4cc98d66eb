//! Executes the steps of a pipeline: passes one after the other, nested pipelines on several operations in parallel.

use crate::analysis::Cache;
use crate::instrument::{Instrumentation, PassEvent};
use crate::manager::Settings;
use crate::outcome::{Log, Outcome};
use crate::pipeline::{Node, Pipeline, Step, pass_text};
use crate::remark::Remark;
use crate::run::{OpHeader, PassOutput, Place, rooted};
use crate::{Pass, PassRun, are_worth_threads};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::verify::{verify, verify_body, verify_op};
use minoan_ir::{Body, Context, Module, Op};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The state of a run on one thread.
pub(crate) struct Runner<'r, 'p> {
    pub(crate) settings: &'r Settings,
    pub(crate) instruments: &'r [&'p dyn Instrumentation],
    /// The number of passes of the pipeline.
    pub(crate) size: usize,
    pub(crate) ctx: &'r Context,
    /// The enclosing operations, by the names that the pipeline uses.
    pub(crate) anchors: Vec<String>,
    /// The module before the failing pass and the pipeline of that pass, for local reproducers.
    pub(crate) failing: Option<(Module, String)>,
    pub(crate) local: bool,
    pub(crate) threading: bool,
}

impl Runner<'_, '_> {
    /// Executes steps; returns false after a failure.
    pub(crate) fn steps(&mut self, steps: &[Node], place: &mut Place<'_>, log: &mut Log) -> bool {
        let mut cache = Cache::default();
        for node in steps {
            let version = place.body().version();
            let ok = match &node.step {
                Step::Pass(pass) => self.pass(node.id, &**pass, place, &mut cache, log),
                Step::Nested(nests) => self.nested(nests, place, log),
            };
            if !ok {
                return false;
            }
            cache.settle(place.body().version() != version);
        }
        true
    }

    fn pass(
        &mut self,
        id: usize,
        pass: &dyn Pass,
        place: &mut Place<'_>,
        cache: &mut Cache,
        log: &mut Log,
    ) -> bool {
        if !self.settings.counters.permit("pass-execution") {
            return true;
        }
        let before = match place {
            Place::Rooted(module, _) if self.local => Some(module.clone()),
            _ => None,
        };
        let version = place.body().version();
        self.notify(id, pass, place, false, |instrument, moment| instrument.before(moment));
        let start = Instant::now();
        let mut output = PassOutput::default();
        let settings = self.settings;
        let op = place.head();
        let span =
            tracing::info_span!("pass", name = pass.name(), op = op.symbol(self.ctx).unwrap_or("")).entered();
        let threading = self.threading;
        let mut run = PassRun { place: place.reborrow(), cache, output: &mut output, settings, threading };
        let result = catch_unwind(AssertUnwindSafe(|| pass.run(&mut run)));
        drop(span);
        let result = result.unwrap_or_else(|panic| Err(panicked(pass, &*panic, op, self.ctx)));
        log.times[id] += start.elapsed();
        for (name, time) in cache.computed.drain(..) {
            *log.analyses[id].entry(name).or_default() += time;
        }
        log.diagnostics.append(output.diagnostics);
        let remarks = output.remarks.into_iter();
        log.remarks.extend(remarks.map(|(kind, diagnostic)| Remark {
            kind,
            pass: pass.name(),
            node: id,
            diagnostic,
        }));
        output.counts.into_iter().for_each(|(name, count)| *log.counts[id].entry(name).or_default() += count);
        output.parts.into_iter().for_each(|(name, count)| *log.parts[id].entry(name).or_default() += count);
        let edited = place.body().version() != version;
        let result = result.and_then(|()| {
            let start = Instant::now();
            let checked = if settings.verify_each && edited { check(place) } else { Ok(()) };
            log.verifying[id] += start.elapsed();
            checked.map_err(|found| after_pass(found, pass))
        });
        match result {
            Ok(()) => {
                self.notify(id, pass, place, edited, |instrument, moment| instrument.after(moment));
                true
            }
            Err(errors) => {
                log.diagnostics.append(errors);
                log.failed.push(self.failure(pass, op));
                self.notify(id, pass, place, edited, |instrument, moment| instrument.failed(moment));
                let pipeline = self
                    .anchors
                    .iter()
                    .rev()
                    .fold(pass_text(pass), |inside, anchor| format!("{anchor}({inside})"));
                self.failing = before.map(|module| (module, pipeline));
                false
            }
        }
    }

    /// The failed pass in the form of the reproducer's message.
    fn failure(&self, pass: &dyn Pass, op: OpHeader) -> String {
        let symbol = op.symbol(self.ctx).map_or(String::new(), |symbol| format!(": @{symbol}"));
        format!("`{}` on '{}' operation{symbol}", pass.name(), self.ctx.kind_name(op.kind))
    }

    fn notify(
        &self,
        id: usize,
        pass: &dyn Pass,
        place: &Place<'_>,
        edited: bool,
        notify: impl Fn(&dyn Instrumentation, &PassEvent<'_>),
    ) {
        for &instrument in self.instruments {
            let ir = match place {
                Place::Rooted(module, path) => Some((&**module, &path[..])),
                Place::Detached(..) => None,
            };
            notify(instrument, &PassEvent { pass, node: id, op: place.head(), ctx: self.ctx, edited, ir });
        }
    }

    /// Runs nested pipelines on the immediately nested operations.
    fn nested(&mut self, nests: &[(String, Vec<Node>)], place: &mut Place<'_>, log: &mut Log) -> bool {
        let body = place.body();
        let mut children: Vec<(Op, usize)> = Vec::new();
        for op in body.walk() {
            let view = body.op(op);
            if view.parent().is_some() {
                continue;
            }
            let Some(nest) = nests.iter().position(|(anchor, _)| anchor == "any" || anchor == view.name())
            else {
                continue;
            };
            if view.nested().is_some() {
                children.push((op, nest));
            } else if nests[nest].0 != "any" {
                let message = format!(
                    "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove': '{}'",
                    view.name()
                );
                log.diagnostics.push(Diagnostic::error(message).at(view.loc().place(self.ctx)));
                return false;
            }
        }
        let versions: Vec<u64> =
            children.iter().filter_map(|&(op, _)| body.nested(op)).map(Body::version).collect();
        let parallel =
            self.threading && are_worth_threads(children.iter().filter_map(|&(op, _)| body.nested(op)));
        let ok = if parallel {
            self.in_parallel(nests, &children, place.body_mut(), log)
        } else {
            let mut ok = true;
            for &(op, nest) in &children {
                self.anchors.push(nests[nest].0.clone());
                ok &= self.steps(&nests[nest].1, &mut place.child(op), log);
                self.anchors.pop();
            }
            ok
        };
        if !ok || !self.settings.verify_each {
            return ok;
        }
        // The nested bodies have been verified; the operations themselves are verified in their block.
        let mut sound = true;
        let body = place.body();
        for (&(op, nest), version) in children.iter().zip(versions) {
            let edited = body.nested(op).is_some_and(|inside| inside.version() != version);
            if let (true, Err(found)) = (edited, verify_op(body, op)) {
                let mut found = found;
                if let Some(Step::Pass(last)) = nests[nest].1.last().map(|node| &node.step) {
                    found = after_pass(found, &**last);
                }
                log.diagnostics.append(found);
                sound = false;
            }
        }
        sound
    }

    fn in_parallel(
        &mut self,
        nests: &[(String, Vec<Node>)],
        children: &[(Op, usize)],
        body: &mut Body,
        log: &mut Log,
    ) -> bool {
        let heads: Vec<OpHeader> = children.iter().map(|&(op, _)| OpHeader::of(body.op(op))).collect();
        let mut wanted = children.iter().zip(heads).peekable();
        let mut work: Vec<(usize, OpHeader, &mut Body)> = Vec::with_capacity(children.len());
        for (op, inside) in body.nested_in_order() {
            if let Some((&(_, nest), head)) = wanted.next_if(|((child, _), _)| *child == op) {
                work.push((nest, head, inside));
            }
        }
        let Runner { settings, instruments, size, ctx, ref anchors, .. } = *self;
        let one = |(ok, mut log): (bool, Log), (nest, head, inside): (usize, OpHeader, &mut Body)| {
            let anchors = anchors.iter().cloned().chain([nests[nest].0.clone()]).collect();
            let (failing, local, threading) = (None, false, true);
            let mut runner = Runner { settings, instruments, size, ctx, anchors, failing, local, threading };
            let good = runner.steps(&nests[nest].1, &mut Place::Detached(head, inside), &mut log);
            (ok && good, log)
        };
        // One log per group of operations, since there may be many small operations. Groups keep their order.
        let empty = || (true, Log::new(size));
        let logs: Vec<(bool, Log)> = work.into_par_iter().fold(empty, one).collect();
        logs.into_iter().fold(true, |ok, (good, more)| {
            log.append(more);
            ok && good
        })
    }
}

impl PassRun<'_> {
    /// Runs a pipeline on the operation of this pass, with the settings of the run but without its instrumentation. Diagnostics
    /// and remarks become those of this pass; the outcome has the statistics. Analyses that were computed before are invalid.
    ///
    /// # Errors
    /// The diagnostics, if a pass fails.
    pub fn run_pipeline<'q>(&mut self, pipeline: &'q Pipeline) -> Result<Outcome<'q>, Diagnostics> {
        let start = Instant::now();
        let ctx = self.context();
        let mut runner = Runner {
            settings: self.settings,
            instruments: &[],
            size: pipeline.size(),
            ctx: &ctx,
            anchors: vec![pipeline.anchor().to_owned()],
            failing: None,
            local: false,
            threading: self.threading,
        };
        let mut log = Log::new(pipeline.size());
        let ok = runner.steps(pipeline.steps(), &mut self.place.reborrow(), &mut log);
        *self.cache = Cache::default();
        let diagnostics = std::mem::take(&mut log.diagnostics);
        if !ok {
            return Err(diagnostics);
        }
        self.output.diagnostics.append(diagnostics);
        let remarks = std::mem::take(&mut log.remarks).into_iter();
        self.output.remarks.extend(remarks.map(|remark| (remark.kind, remark.diagnostic)));
        Ok(Outcome {
            diagnostics: Diagnostics::new(),
            remarks: Vec::new(),
            failed: false,
            reproducer: None,
            pipeline,
            log,
            total: start.elapsed(),
        })
    }
}

fn check(place: &Place<'_>) -> Result<(), Diagnostics> {
    match place {
        Place::Rooted(module, path) if path.is_empty() => verify(module),
        Place::Rooted(module, path) => {
            let (around, op) = rooted(module, path);
            verify_body(around.nested(op).unwrap_or(around))
        }
        Place::Detached(_, body) => verify_body(body),
    }
}

fn after_pass(found: Diagnostics, pass: &dyn Pass) -> Diagnostics {
    let mut list = Diagnostics::new();
    for diagnostic in found {
        list.push(diagnostic.note(format!("after pass '{}'", pass.name())));
    }
    list
}

fn panicked(pass: &dyn Pass, panic: &(dyn std::any::Any + Send), op: OpHeader, ctx: &Context) -> Diagnostics {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("for an unknown reason");
    let mut list = Diagnostics::new();
    list.push(
        Diagnostic::error(format!("pass '{}' panicked: {text}", pass.name())).at(op.loc.place(ctx)).help(
            "this is a bug in the pass; --mlir-pass-pipeline-crash-reproducer=FILE writes a reproducer"
                .to_owned(),
        ),
    );
    list
}

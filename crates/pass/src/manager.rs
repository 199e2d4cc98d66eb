//! Executes pipelines.

use crate::Counters;
use crate::instrument::Instrumentation;
use crate::outcome::{Log, Outcome};
use crate::pipeline::{Node, Pipeline, Step};
use crate::reproducer::{Reproducer, Rerun};
use crate::run::Place;
use crate::runner::Runner;
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Absence, Context, Module};
use std::time::{Duration, Instant};

/// The settings of a run.
pub(crate) struct Settings {
    pub(crate) threading: bool,
    pub(crate) verify_each: bool,
    pub(crate) debug_patterns: bool,
    pub(crate) remarks: bool,
    pub(crate) counters: Counters,
}

/// Executes a pipeline.
pub struct PassManager<'p> {
    pipeline: &'p Pipeline,
    settings: Settings,
    instruments: Vec<&'p dyn Instrumentation>,
    reproducer: Option<Reproducer>,
}

impl<'p> PassManager<'p> {
    /// Creates a pass manager that verifies after each pass and uses all available threads.
    pub fn new(pipeline: &'p Pipeline) -> Self {
        let settings = Settings {
            threading: true,
            verify_each: true,
            debug_patterns: false,
            remarks: false,
            counters: Counters::default(),
        };
        Self { pipeline, settings, instruments: Vec::new(), reproducer: None }
    }

    /// Sets whether the IR is verified after each pass.
    #[must_use]
    pub fn verify_each(mut self, yes: bool) -> Self {
        self.settings.verify_each = yes;
        self
    }

    /// Sets whether passes run on several operations in parallel.
    #[must_use]
    pub fn threading(mut self, yes: bool) -> Self {
        self.settings.threading = yes;
        self
    }

    /// Sets whether passes log pattern applications to standard error, which disables threading.
    #[must_use]
    pub fn debug_patterns(mut self, yes: bool) -> Self {
        self.settings.debug_patterns = yes;
        self
    }

    /// Sets whether remarks of passes are collected, in [`Outcome::remarks`].
    #[must_use]
    pub fn remarks(mut self, yes: bool) -> Self {
        self.settings.remarks = yes;
        self
    }

    /// Sets the debug counters, which disable threading. The execution of a pass on an operation is itself an action,
    /// of the counter `pass-execution`.
    #[must_use]
    pub fn counters(mut self, counters: Counters) -> Self {
        self.settings.counters = counters;
        self
    }

    /// Adds an instrumentation.
    #[must_use]
    pub fn instrument(mut self, instrument: &'p dyn Instrumentation) -> Self {
        self.instruments.push(instrument);
        self
    }

    /// Sets the reproducer to write if the run fails.
    #[must_use]
    pub fn reproducer(mut self, reproducer: Option<Reproducer>) -> Self {
        self.reproducer = reproducer;
        self
    }

    /// The report of the debug counters after the run.
    pub fn counters_report(&self) -> String {
        self.settings.counters.report()
    }

    /// Executes the pipeline on a module.
    pub fn run(&mut self, module: &mut Module) -> Outcome<'p> {
        let start = Instant::now();
        let mut outcome = Outcome {
            diagnostics: Diagnostics::new(),
            remarks: Vec::new(),
            failed: false,
            reproducer: None,
            pipeline: self.pipeline,
            log: Log::new(self.pipeline.size()),
            total: Duration::ZERO,
        };
        let checked = self.check(module);
        if checked.has_errors() {
            outcome.diagnostics = checked;
            outcome.failed = true;
            return outcome;
        }
        let local = self.reproducer.as_ref().is_some_and(|reproducer| reproducer.local);
        let before = (self.reproducer.is_some() && !local).then(|| module.clone());
        // Actions have a deterministic order on one thread only.
        let counts_actions = !self.settings.counters.is_empty() || self.settings.debug_patterns;
        let needs_module = local || self.instruments.iter().any(|instrument| instrument.wants_ir());
        let threading = self.settings.threading && !counts_actions && !needs_module;
        let ctx = module.context().clone();
        let mut runner = Runner {
            settings: &self.settings,
            instruments: &self.instruments,
            size: self.pipeline.size(),
            ctx: &ctx,
            anchors: vec![self.pipeline.anchor().to_owned()],
            failing: None,
            local,
            threading,
        };
        let mut log = Log::new(self.pipeline.size());
        let ok = runner.steps(self.pipeline.steps(), &mut Place::Rooted(module, Vec::new()), &mut log);
        let failing = runner.failing.take();
        if !ok {
            let whole = before.map(|module| (module, self.pipeline.to_string()));
            let place = module.holder().op(module.op()).loc().place(&ctx);
            let failing = failing.or(whole).map(|(module, pipeline)| {
                let verify_each = self.settings.verify_each;
                (module, Rerun { pipeline, disable_threading: !threading, verify_each })
            });
            self.write_reproducer(failing, place, &mut log, &mut outcome);
        }
        outcome.failed = !ok;
        outcome.diagnostics = checked;
        outcome.diagnostics.append(std::mem::take(&mut log.diagnostics));
        outcome.remarks = std::mem::take(&mut log.remarks);
        outcome.log = log;
        outcome.total = start.elapsed();
        outcome
    }

    fn write_reproducer(
        &self,
        failing: Option<(Module, Rerun)>,
        place: minoan_diag::Place,
        log: &mut Log,
        outcome: &mut Outcome<'_>,
    ) {
        let (Some(reproducer), Some((module, rerun))) = (&self.reproducer, failing) else { return };
        let file = reproducer.file.display();
        match std::fs::write(&reproducer.file, rerun.text(&module)) {
            Ok(()) => {
                let failed = log.failed.join(", ");
                let note =
                    format!("Pipeline failed while executing [{failed}]: reproducer generated at `{file}`");
                log.diagnostics.push(
                    Diagnostic::error("Failures have been detected while processing an MLIR pass pipeline")
                        .at(place)
                        .note(note),
                );
                outcome.reproducer = Some(reproducer.file.clone());
            }
            Err(error) => log
                .diagnostics
                .push(Diagnostic::error(format!("cannot write the reproducer '{file}': {error}"))),
        }
    }

    /// Checks the pipeline against the module before any pass runs: errors, and warnings about passes that cannot run.
    fn check(&self, module: &Module) -> Diagnostics {
        let ctx = module.context();
        let mut found = Diagnostics::new();
        for pass in self.pipeline.passes() {
            for service in pass.requires() {
                let is_implemented = ctx.dialects().iter().any(|dialect| dialect.implements(service));
                if !is_implemented && service.absence != Absence::Default {
                    found.push(Diagnostic::error(format!(
                        "pass '{}' requires service {}, which no loaded dialect implements",
                        pass.name(),
                        service.name
                    )));
                }
            }
        }
        let (top, anchor) = (module.holder().op(module.op()).name(), self.pipeline.anchor());
        if anchor != "any" && anchor != top {
            let error = Diagnostic::error(format!("can't run '{anchor}' pass manager on '{top}' op"));
            found.push(match ctx.registered_kind(anchor) {
                Some(_) if top == "builtin.module" => error.help(format!(
                    "'{top}({anchor}(...))' runs the passes on each '{anchor}' op of the module"
                )),
                _ => error.did_you_mean(nearest(anchor, [top, "any"])),
            });
        }
        for anchor in unknown_anchors(self.pipeline.steps(), ctx) {
            let known = ctx.registered_kinds().map(|kind| ctx.kind_name(kind));
            let warning = Diagnostic::warning(format!(
                "no loaded dialect has an operation '{anchor}', so the passes nested on it do not run"
            ));
            found.push(warning.did_you_mean(nearest(anchor, known)));
        }
        found
    }
}

/// The names of operations in a pipeline that no loaded dialect declares.
fn unknown_anchors<'p>(steps: &'p [Node], ctx: &Context) -> Vec<&'p str> {
    let (mut found, mut pending) = (Vec::new(), vec![steps]);
    while let Some(steps) = pending.pop() {
        for node in steps {
            let Step::Nested(nests) = &node.step else { continue };
            for (anchor, inside) in nests {
                if anchor != "any" && ctx.registered_kind(anchor).is_none() && !found.contains(&&**anchor) {
                    found.push(anchor);
                }
                pending.push(inside);
            }
        }
    }
    found
}

//! Processing of the input: parses, transforms and prints each part.

use super::flags::{Emit, Flags};
use super::progress::Progress;
use super::roundtrip;
use crate::{Failure, Float, Session, output};
use minoan_diag::{Diagnostic, Diagnostics, FileId, nearest};
use minoan_explain::Recorder;
use minoan_ir::{Module, text};
use minoan_pass::{Counters, PassManager, PassRegistry, Pipeline, PrintIr, Reproducer, Rerun, Timing};
use std::io::Write;
use std::time::Instant;

/// The options that are common to all parts, and the accumulated timing.
pub(super) struct Driver<'a> {
    flags: &'a Flags,
    session: &'a Session,
    passes: &'a PassRegistry,
    pipeline: Pipeline,
    print_ir: PrintIr,
    start: Instant,
    times: Vec<Timing>,
    /// The recorder of `--explain`.
    recorder: Option<Recorder>,
}

impl<'a> Driver<'a> {
    /// # Errors
    /// Invalid flags: the pipeline, debug counters, names of passes.
    pub(super) fn new(
        flags: &'a Flags,
        given: &[String],
        session: &'a Session,
        passes: &'a PassRegistry,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        let pipeline = pipeline(flags, given, session, passes)?;
        for (flag, name) in flags.watching.named_passes() {
            let known = passes.names();
            if !known.contains(&name) {
                let error = Diagnostic::error(format!("for the {flag} option: there is no pass '{name}'"));
                return Err(error.did_you_mean(nearest(name, known)).into());
            }
        }
        counters(flags)?;
        if flags.pipeline.dump_pass_pipeline {
            eprintln!("{}", pipeline.tree());
        }
        let assume_verified = flags.printing.mlir_print_assume_verified;
        let print_ir = flags.watching.print_ir(flags.printing.flags(), assume_verified);
        if let Some(tree) = print_ir.tree.as_ref().filter(|_| print_ir.is_active()) {
            std::fs::create_dir_all(tree).map_err(|error| {
                Diagnostic::error(format!("cannot create the directory '{}': {error}", tree.display()))
            })?;
        }
        let recorder = flags.watching.explain.as_ref().map(|_| Recorder::new());
        Ok(Self { flags, session, passes, pipeline, print_ir, start, times: Vec::new(), recorder })
    }

    /// Adds a whole file to the page of `--explain`.
    pub(super) fn explain_source(&self, file: FileId) {
        if let Some(recorder) = &self.recorder {
            let file = self.session.sources().file(file);
            recorder.source(file.name(), file.text());
        }
    }

    /// Writes the page of `--explain`.
    pub(super) fn explain(&self, title: &str) -> Result<(), Failure> {
        match (&self.recorder, &self.flags.watching.explain) {
            (Some(recorder), Some(path)) => {
                output::write(&path.to_string_lossy(), recorder.page(title).as_bytes())
            }
            _ => Ok(()),
        }
    }

    /// Runs a function and records its time under a name.
    pub(super) fn timed<R>(&mut self, name: &'static str, work: impl FnOnce(&Self) -> R) -> R {
        let start = Instant::now();
        let span = tracing::info_span!("driver", name).entered();
        let result = work(self);
        drop(span);
        Timing::add(&mut self.times, vec![Timing::leaf(name, start.elapsed())]);
        result
    }

    /// Processes a part: prints its module to `out` and its diagnostics to `said`. Returns whether it succeeded.
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub(super) fn part(
        &mut self,
        part: FileId,
        out: &mut dyn Write,
        said: &mut Diagnostics,
    ) -> std::io::Result<bool> {
        let mut module = match self.timed("Parser", |driver| driver.read(part, said)) {
            Ok(module) => module,
            Err(failure) => {
                said.append(failure.diagnostics);
                return Ok(false);
            }
        };
        if !self.run(part, &mut module, said) {
            return Ok(false);
        }
        if self.flags.printing.emit == Emit::Relay {
            return match self.timed("Output", |_| crate::relay::to_text(&module)) {
                Ok(text) => out.write_all(text.as_bytes()).map(|()| true),
                Err(errors) => {
                    said.append(errors);
                    Ok(false)
                }
            };
        }
        self.timed("Output", |driver| {
            let flags = driver.flags.printing.flags();
            text::print_module_to(&module, &flags, out)?;
            // `mlir-opt` ends its output in the same way.
            if flags.local_scope { Ok(()) } else { writeln!(out) }
        })?;
        if self.flags.reading.split_input_file.is_none() {
            // The end of the process frees the module at once.
            std::mem::forget(module);
        }
        Ok(true)
    }

    fn read(&self, part: FileId, said: &mut Diagnostics) -> Result<Module, Failure> {
        let float = if self.flags.reading.float == "f64" { Float::F64 } else { Float::F32 };
        let options = self.flags.reading.options();
        let program = self.session.read_loaded(part, &options)?;
        said.append(program.warnings().clone());
        if self.flags.printing.emit == Emit::Relay {
            said.append(program.losses());
        }
        let module = self.session.into_module(program, &[], float)?;
        if self.flags.reading.verify_roundtrip {
            roundtrip::check(self.session, &module, &options)?;
        }
        Ok(module)
    }

    /// Runs the pipeline of the flags or of the reproducer.
    fn run(&mut self, part: FileId, module: &mut Module, said: &mut Diagnostics) -> bool {
        let flags = self.flags;
        let (mut threading, mut verify_each) = (true, flags.pipeline.verify_each);
        let rerun = match flags.pipeline.run_reproducer.then(|| self.rerun(part, module)).transpose() {
            Ok(rerun) => rerun,
            Err(error) => {
                said.push(error);
                return false;
            }
        };
        let pipeline = match &rerun {
            Some((rerun, pipeline)) => {
                (threading, verify_each) = (!rerun.disable_threading, rerun.verify_each);
                pipeline
            }
            None => &self.pipeline,
        };
        let threading = threading && !flags.pipeline.mlir_disable_threading;
        if let Some(file) = &flags.pipeline.mlir_generate_reproducer {
            let rerun = Rerun { pipeline: pipeline.to_string(), disable_threading: !threading, verify_each };
            if let Err(failure) = output::write(&file.to_string_lossy(), rerun.text(module).as_bytes()) {
                said.append(failure.diagnostics);
                return false;
            }
        }
        let progress = Progress::new();
        let mut manager = PassManager::new(pipeline)
            .verify_each(verify_each)
            .threading(threading)
            .debug_patterns(flags.watching.debug_patterns)
            .remarks(flags.watching.wants_remarks())
            .counters(counters(flags).unwrap_or_default())
            .reproducer(self.reproducer());
        if self.print_ir.is_active() {
            manager = manager.instrument(&self.print_ir);
        } else if !flags.watching.debug_patterns {
            // Both write to the terminal that shows progress.
            manager = manager.instrument(&progress);
        }
        if let Some(recorder) = &self.recorder {
            let source = self.session.sources().file(part);
            let phase = match source.part_of_file() {
                Some(start) => format!("{}:{}", source.name(), start.line),
                None => source.name().to_string(),
            };
            recorder.begin(&phase, module);
            manager = manager.instrument(recorder);
        }
        let mut outcome = manager.run(module);
        progress.clear();
        if let Some(recorder) = &self.recorder {
            recorder.end(&outcome, module, self.session.sources());
        }
        let shown = outcome.remarks.iter().filter(|remark| flags.watching.shows(remark));
        shown.for_each(|remark| said.push(remark.to_diagnostic()));
        said.append(std::mem::take(&mut outcome.diagnostics));
        if flags.watching.mlir_pass_statistics {
            eprint!("{}", flags.watching.statistics(&outcome));
        }
        if flags.watching.mlir_print_debug_counter {
            eprint!("{}", manager.counters_report());
        }
        let times = outcome.timing();
        let failed = outcome.failed;
        Timing::add(&mut self.times, times);
        !failed
    }

    /// The reproducer configuration of a part.
    fn rerun(&self, part: FileId, module: &mut Module) -> Result<(Rerun, Pipeline), Diagnostic> {
        let rerun = Rerun::take(module).ok_or_else(|| {
            Diagnostic::error("--run-reproducer needs a file with a reproducer configuration")
                .at(minoan_diag::Place::File(part))
                .help("--mlir-pass-pipeline-crash-reproducer=FILE writes such a file".to_owned())
        })?;
        let pipeline = Pipeline::parse(&rerun.pipeline, self.passes, self.session.sources())?;
        Ok((rerun, pipeline))
    }

    fn reproducer(&self) -> Option<Reproducer> {
        let file = self.flags.pipeline.mlir_pass_pipeline_crash_reproducer.clone()?;
        Some(Reproducer { file, local: self.flags.pipeline.mlir_pass_pipeline_local_reproducer })
    }

    /// Prints the timing.
    pub(super) fn finish(self) {
        if self.flags.watching.mlir_timing {
            eprint!("{}", self.flags.watching.timing(&self.times, self.start.elapsed()));
        }
    }
}

fn counters(flags: &Flags) -> Result<Counters, Diagnostic> {
    let text = flags.watching.mlir_debug_counter.as_deref().unwrap_or("");
    let counters = Counters::parse(text).map_err(|error| Diagnostic::error(error.to_string()))?;
    Ok(if flags.watching.mlir_print_debug_counter { counters.listing_all() } else { counters })
}

/// The pipeline of the flags: `--pass-pipeline`, or passes as flags in their order.
fn pipeline(
    flags: &Flags,
    given: &[String],
    session: &Session,
    passes: &PassRegistry,
) -> Result<Pipeline, Failure> {
    let text = match (&flags.pipeline.pass_pipeline, given) {
        (Some(_), [_, ..]) => {
            let error = "'--pass-pipeline' option can't be used with individual pass options";
            return Err(Diagnostic::error(error).into());
        }
        (Some(text), []) if !text.contains('(') => {
            let error = "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'";
            let error = Diagnostic::error(error);
            return Err(match text.trim() {
                "" => error.into(),
                passes => error.help(format!("did you mean 'builtin.module({passes})'?")).into(),
            });
        }
        (Some(text), []) => text.clone(),
        // Without an implicit module the top-level operation may be any.
        (None, given) if flags.reading.no_implicit_module => format!("any({})", given.join(",")),
        (None, given) => format!("builtin.module({})", given.join(",")),
    };
    Ok(Pipeline::parse(&text, passes, session.sources())?)
}

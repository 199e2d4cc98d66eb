//! Pipelines that lower a module from stage to stage.

use super::{Session, Stage};
use crate::Failure;
use crate::opt::progress::Progress;
use minoan_diag::{Diagnostics, SourceMap};
use minoan_explain::Recorder;
use minoan_ir::Module;
use minoan_pass::{Pass, PassManager, Pipeline};
use minoan_passes::{default_pipeline, schedule_kernels};
use minoan_services::{FloatPolicy, MachineModel, MachineSpec};

/// The passes that mark the loops to checkpoint. Before, recursion becomes counted loops, whose number of iterations is known.
const CHECKPOINT_LOOPS: &str = "canonicalize,resolve-extents,uplift-while-to-for,checkpoint-loops,";

/// The executor of a module on buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Executor {
    Machine,
    Interpreter,
}

/// The module that a pipeline starts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// A module in the dialect of its language.
    Source,
    /// A module that has been lowered to [`Stage::Shared`], which has the assertions for run-time verification.
    Shared,
}

impl Session {
    /// The passes that lower a module to a stage: the [default pipeline](minoan_passes::default_pipeline) or its first
    /// half. The stages after [`Stage::Buffers`] start with the same passes; [`Stage::FrontEnd`] needs none.
    pub fn pipeline(&self, stage: Stage) -> Pipeline {
        self.pipeline_for(stage, Start::Source, Executor::Machine)
    }

    fn pipeline_for(&self, stage: Stage, start: Start, executor: Executor) -> Pipeline {
        let (first, second) = self.pipeline_text(stage, start, executor);
        parsed(&format!("{first},{second}"))
    }

    /// The passes up to the formation of kernels, and those after it.
    fn pipeline_text(&self, stage: Stage, start: Start, executor: Executor) -> (String, String) {
        let policy = match self.options.float_policy {
            FloatPolicy::Default => String::new(),
            policy => format!("float-policy{{fp={}}},", policy.keyword()),
        };
        let policy = if self.options.checkpoint { policy + CHECKPOINT_LOOPS } else { policy };
        let verify = start == Start::Source && self.options.check_bounds;
        let shared = match (self.options.float_policy, verify) {
            (FloatPolicy::Fast, true) => default_pipeline::TO_SHARED_FAST,
            (FloatPolicy::Fast, false) => default_pipeline::LOWER_FAST,
            (_, true) => default_pipeline::TO_SHARED,
            (_, false) => default_pipeline::LOWER,
        };
        let kernels = format!("{shared},{policy}{}", default_pipeline::TO_KERNELS);
        let frames = match executor {
            Executor::Machine => default_pipeline::TO_FRAMES,
            Executor::Interpreter => "",
        };
        match stage {
            Stage::FrontEnd => (String::new(), String::new()),
            Stage::Shared => (shared.to_owned(), String::new()),
            Stage::Schedule => (kernels, "schedule-kernels".to_owned()),
            _ if !self.options.schedule => {
                (format!("{shared},{policy}{},{frames}", default_pipeline::WITHOUT_KERNELS), String::new())
            }
            _ => (kernels, format!("schedule-kernels,{},{frames}", default_pipeline::FROM_SCHEDULE)),
        }
    }

    /// Lowers a module to a stage of Minoan's IR with the passes of [`Session::pipeline`].
    ///
    /// A module is lowered to [`Stage::Shared`] first, when the assertions on its indices and extents are created; later stages
    /// start with a module at that stage.
    ///
    /// # Errors
    /// Errors that the passes report.
    pub fn advance(&self, module: &mut Module, stage: Stage) -> Result<(), Failure> {
        let start = if stage <= Stage::Shared { Start::Source } else { Start::Shared };
        self.advance_for(module, stage, start, Executor::Machine, None)
    }

    /// Lowers a module to buffers for the interpreter: without frames, so that it checks the uses of each temporary.
    ///
    /// # Errors
    /// Errors that the passes report.
    pub(crate) fn advance_to_interpret(&self, module: &mut Module) -> Result<(), Failure> {
        self.advance_for(module, Stage::Buffers, Start::Shared, Executor::Interpreter, None)
    }

    /// Like [`Session::advance`], and records the passes as a phase of a page.
    ///
    /// # Errors
    /// As [`Session::advance`].
    pub(crate) fn advance_recorded(
        &self,
        module: &mut Module,
        stage: Stage,
        start: Start,
        recorded: (&str, &Recorder),
    ) -> Result<(), Failure> {
        self.advance_for(module, stage, start, Executor::Machine, Some(recorded))
    }

    fn advance_for(
        &self,
        module: &mut Module,
        stage: Stage,
        start: Start,
        executor: Executor,
        recorded: Option<(&str, &Recorder)>,
    ) -> Result<(), Failure> {
        let plans = self.plans.as_ref().filter(|_| stage >= Stage::Schedule && self.options.schedule);
        let described = if stage < Stage::Schedule { None } else { self.describe_machine(module) };
        let progress = self.options.progress.then(Progress::new);
        if let Some((phase, recorder)) = recorded {
            recorder.begin(phase, module);
        }
        let run = |module: &mut Module, pipeline: &Pipeline, is_last: bool| -> Result<(), Failure> {
            let mut manager = PassManager::new(pipeline).verify_each(self.options.verify_each);
            if let Some(progress) = &progress {
                manager = manager.instrument(progress);
            }
            if let Some((_, recorder)) = recorded {
                manager = manager.instrument(recorder).remarks(true);
            }
            let result = manager.run(module);
            if let Some((_, recorder)) = recorded
                && (result.failed || is_last)
            {
                recorder.end(&result, module, &self.sources);
            }
            self.keep_warnings(result.into_result()?);
            Ok(())
        };
        let done = match plans {
            None => run(module, &self.pipeline_for(stage, start, executor), true),
            // The kernels are formed, get the plans of the file, and are scheduled.
            Some((file, plans)) => {
                let (to_kernels, from_schedule) = self.pipeline_text(stage, start, executor);
                run(module, &parsed(&to_kernels), false)
                    .and_then(|()| Ok(schedule_kernels::set_plans(module, *file, plans)?))
                    .and_then(|()| run(module, &parsed(&from_schedule), true))
            }
        };
        progress.iter().for_each(Progress::clear);
        if let Some(name) = described {
            let top = module.op();
            module.holder_mut().set_attr(top, self.ctx.name(name), None);
        }
        done
    }

    /// The remarks of the passes that form and schedule the kernels of a module of shared dialects: why an operation starts a
    /// new kernel, the plan of each kernel, and the reasons for it. The module is not changed.
    ///
    /// # Errors
    /// Errors that the passes report.
    pub fn explain_kernels(&self, module: &Module) -> Result<Diagnostics, Failure> {
        let mut module = module.clone();
        self.describe_machine(&mut module);
        let pipeline = parsed(default_pipeline::TO_SCHEDULE_EXPLAINED);
        let result = PassManager::new(&pipeline).verify_each(self.options.verify_each).run(&mut module);
        Ok(result.into_result()?)
    }

    /// Adds the attribute that describes the target CPU, unless the module has one; returns its name. An unknown CPU is
    /// described by the baseline, the default machine model.
    fn describe_machine(&self, module: &mut Module) -> Option<&'static str> {
        let top = module.op();
        let attrs = module.holder().op(top).attrs();
        if MachineModel::of(&self.ctx, attrs).is_some() {
            return None;
        }
        let machine = match &self.options.cpu {
            Some(name) => minoan_target::by_name(name).unwrap_or_default(),
            None => minoan_target::host(),
        };
        let mut dialects = self.ctx.dialects_with::<dyn MachineSpec>();
        let service = dialects.find_map(|dialect| dialect.service::<dyn MachineSpec>())?;
        let (name, attr) = service.describe(&self.ctx, &machine)?;
        module.holder_mut().set_attr(top, self.ctx.name(name), Some(attr));
        Some(name)
    }

    /// Runs one pass on a module.
    pub(crate) fn run_pass(&self, module: &mut Module, pass: impl Pass + 'static) -> Result<(), Failure> {
        self.run_pipeline(module, &Pipeline::new(vec![Box::new(pass)]))
    }

    /// Runs a pipeline on a module, with the verifier after each pass if enabled in the options.
    pub(crate) fn run_pipeline(&self, module: &mut Module, pipeline: &Pipeline) -> Result<(), Failure> {
        let mut manager = PassManager::new(pipeline).verify_each(self.options.verify_each);
        self.keep_warnings(manager.run(module).into_result()?);
        Ok(())
    }
}

/// A pipeline of registered passes.
fn parsed(text: &str) -> Pipeline {
    let text = text.trim_matches(',');
    Pipeline::parse(text, &crate::pass_registry(), &SourceMap::new()).expect("its passes are registered")
}

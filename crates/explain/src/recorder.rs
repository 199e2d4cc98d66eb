//! Records the stages of a compilation.

use crate::memory::resident;
use crate::text::{Tables, Text};
use crate::{buffers, graph, kernels};
use minoan_diag::{Diagnostic, Place, SourceMap};
use minoan_ir::text::{OpMark, PrintFlags, print_module_marked, print_op_marked};
use minoan_ir::{Body, Context, Module, Op};
use minoan_pass::{Instrumentation, Outcome, PassEvent, Remark};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Literals of more elements, and resources of more characters, are elided.
const SHOWN: usize = 64;

/// Records the IR after each pass, times, memory and remarks, and writes them as a page.
///
/// A recorder is an [`Instrumentation`] of each pass manager that takes part; [`Recorder::begin`] and [`Recorder::end`] enclose a
/// run.
#[derive(Default)]
pub struct Recorder {
    state: Mutex<Option<State>>,
}

/// A stage: the input of a phase, a pass, or a text that follows the passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    pub(crate) name: String,
    /// `input`, `pass` or `code`.
    pub(crate) kind: &'static str,
    /// The phase that the stage belongs to.
    pub(crate) phase: usize,
    /// The operations that the pass ran on, by kind; empty for the whole module.
    pub(crate) anchor: String,
    /// The number of operations that the pass ran on.
    pub(crate) runs: u32,
    pub(crate) edited: bool,
    pub(crate) failed: bool,
    pub(crate) before: Vec<Arc<Text>>,
    pub(crate) after: Vec<Arc<Text>>,
    pub(crate) time: Option<Duration>,
    pub(crate) verifying: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) statistics: Vec<(String, u64)>,
}

/// A remark or another diagnostic of a stage.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Said {
    pub(crate) stage: Option<usize>,
    pub(crate) kind: &'static str,
    pub(crate) pass: String,
    pub(crate) message: String,
    pub(crate) notes: Vec<String>,
    /// File and line.
    pub(crate) place: Option<(u32, u32)>,
}

/// All that is recorded.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) tables: Tables,
    /// Contents of source files by number.
    pub(crate) sources: FxHashMap<u32, String>,
    pub(crate) phases: Vec<String>,
    pub(crate) stages: Vec<Stage>,
    by_node: FxHashMap<usize, usize>,
    /// The latest text of operations by their path, by the length of the path.
    current: Vec<FxHashMap<Vec<Op>, Arc<Text>>>,
    pub(crate) said: Vec<Said>,
    /// Kernels, and the stage that they are shown in.
    pub(crate) kernels: Option<(usize, Vec<kernels::KernelInfo>)>,
    pub(crate) buffers: Option<(usize, Vec<buffers::FunctionBuffers>)>,
    pub(crate) graphs: Vec<(usize, Vec<graph::Graph>)>,
    /// The resident memory that the recorder itself has taken.
    own_memory: u64,
}

/// A printed operation, and the line of each operation in it.
struct Printed {
    text: Arc<Text>,
    marks: Vec<OpMark>,
    string: String,
}

impl Printed {
    fn lines(&self) -> FxHashMap<Op, u32> {
        let newlines = self.string.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let (mut line, mut ends) = (0, newlines.map(|(at, _)| at).peekable());
        let line_of = self.marks.iter().map(|mark| {
            while ends.next_if(|&end| end < mark.offset).is_some() {
                line += 1;
            }
            (mark.op, line)
        });
        line_of.collect()
    }
}

impl Recorder {
    /// Creates an empty recorder.
    pub fn new() -> Self {
        Self { state: Mutex::new(Some(State { tables: Tables::new(), ..State::default() })) }
    }

    fn locked(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on the state, and accounts the memory that it allocates to the recorder.
    fn with(&self, work: impl FnOnce(&mut State)) {
        let before = resident();
        let mut locked = self.locked();
        let state = locked.get_or_insert_with(|| State { tables: Tables::new(), ..State::default() });
        work(state);
        if let (Some(before), Some(after)) = (before, resident()) {
            state.own_memory += after.saturating_sub(before);
        }
    }

    /// Starts a phase: `module` is its input.
    pub fn begin(&self, phase: &str, module: &Module) {
        self.with(|state| {
            let memory = state.memory();
            state.phases.push(phase.to_owned());
            state.by_node.clear();
            state.current.clear();
            let printed = state.print(module, &[], false);
            let graphs = graph::of_module(module, &printed.lines());
            let stage = state.stages.len();
            state.stages.push(Stage {
                name: phase.to_owned(),
                kind: "input",
                phase: state.phases.len() - 1,
                before: vec![printed.text.clone()],
                after: vec![printed.text],
                memory,
                ..Stage::default()
            });
            state.graphs.push((stage, graphs));
        });
    }

    /// Ends a phase: `module` is its result. Takes times, statistics, remarks and diagnostics from the outcome.
    pub fn end(&self, outcome: &Outcome<'_>, module: &Module, sources: &SourceMap) {
        self.with(|state| {
            for (&node, &stage) in &state.by_node {
                let (time, verifying) = outcome.step_time(node);
                let stage = &mut state.stages[stage];
                (stage.time, stage.verifying) = (Some(time), Some(verifying));
                stage.statistics = outcome.step_statistics(node);
            }
            for Remark { kind, pass, node, diagnostic } in &outcome.remarks {
                let stage = state.by_node.get(node).copied();
                state.say(stage, kind.name(), pass, diagnostic, sources);
            }
            for diagnostic in &outcome.diagnostics {
                state.say(None, diagnostic.severity.as_str(), "", diagnostic, sources);
            }
            let Some(last) = state.stages.len().checked_sub(1) else { return };
            if outcome.failed {
                return;
            }
            let printed = state.print(module, &[], false);
            let lines = printed.lines();
            let buffers = buffers::of_module(module, &lines);
            // The last stage may show the functions in another order than the module.
            let shown = match state.stages[last].after[..] {
                [ref text] if *text == printed.text => last,
                _ => {
                    state.stages.push(Stage {
                        name: "result".to_owned(),
                        kind: "input",
                        phase: state.phases.len().saturating_sub(1),
                        before: vec![printed.text.clone()],
                        after: vec![printed.text.clone()],
                        ..Stage::default()
                    });
                    last + 1
                }
            };
            if !buffers.is_empty() {
                state.buffers = Some((shown, buffers));
            }
        });
    }

    /// Adds a source file.
    pub fn source(&self, name: &str, text: &str) {
        self.with(|state| {
            let file = state.tables.file(name);
            state.sources.insert(file, text.to_owned());
        });
    }

    /// Adds the text of all source files that locations refer to.
    pub fn sources(&self, sources: &SourceMap) {
        self.with(|state| {
            for (number, name) in (0..).zip(&state.tables.files) {
                if let Some(file) = sources.find(name) {
                    state.sources.insert(number, sources.file(file).text().to_string());
                }
            }
        });
    }

    /// Adds a diagnostic that no pass emitted, unless it is already recorded.
    pub fn diagnostic(&self, diagnostic: &Diagnostic, sources: &SourceMap) {
        self.with(|state| {
            if state.said.iter().all(|said| said.message != diagnostic.message) {
                state.say(None, diagnostic.severity.as_str(), "", diagnostic, sources);
            }
        });
    }

    /// Adds a text that follows the passes, such as machine code: lines with the source file and line of each.
    pub fn code(&self, name: &str, lines: &[crate::CodeLine], time: Option<Duration>) {
        self.with(|state| {
            let memory = state.memory();
            let mut text = Text::default();
            for line in lines {
                let places = match &line.place {
                    Some((file, line)) => {
                        let file = state.tables.file(file);
                        state.tables.places(vec![file, *line])
                    }
                    None => 0,
                };
                state.tables.line(&mut text, &line.text, places);
            }
            let text = Arc::new(text);
            state.stages.push(Stage {
                name: name.to_owned(),
                kind: "code",
                phase: state.phases.len().saturating_sub(1),
                before: vec![text.clone()],
                after: vec![text],
                time,
                memory,
                ..Stage::default()
            });
        });
    }

    /// The page. The recorder is empty afterwards.
    pub fn page(&self, title: &str) -> String {
        let state = self.locked().take();
        crate::page::page(title, state.unwrap_or_default())
    }
}

impl State {
    /// The resident memory, excluding that of the recorder.
    fn memory(&self) -> Option<u64> {
        resident().map(|memory| memory.saturating_sub(self.own_memory))
    }

    fn say(
        &mut self,
        stage: Option<usize>,
        kind: &'static str,
        pass: &str,
        said: &Diagnostic,
        sources: &SourceMap,
    ) {
        let place = match &said.place {
            Place::Unknown => None,
            _ => said.position(sources).map(|(name, at)| (self.tables.file(&name), at.line)),
        };
        self.said.push(Said {
            stage,
            kind,
            pass: pass.to_owned(),
            message: said.message.clone(),
            notes: said.notes.iter().map(|note| note.message.clone()).collect(),
            place,
        });
    }

    /// Prints an operation of a module. Invalid IR is printed in generic form.
    fn print(&mut self, module: &Module, path: &[Op], invalid: bool) -> Printed {
        let flags = PrintFlags {
            generic: invalid,
            elide_elements: Some(SHOWN),
            elide_resources: Some(SHOWN),
            local_scope: !path.is_empty(),
            ..PrintFlags::default()
        };
        let (string, marks) = match path.split_last() {
            None => print_module_marked(module, &flags),
            Some((&op, around)) => {
                let body = around.iter().try_fold(module.body(), |body: &Body, &op| body.nested(op));
                body.map_or_else(Default::default, |body| print_op_marked(body, op, &flags))
            }
        };
        let ctx: &Context = module.context();
        let text = Arc::new(self.tables.ir(ctx, &string, &marks));
        Printed { text, marks, string }
    }

    /// The current text of an operation.
    fn current(&mut self, module: &Module, path: &[Op]) -> Arc<Text> {
        if let Some(known) = self.current.get(path.len()).and_then(|texts| texts.get(path)) {
            return known.clone();
        }
        let text = self.print(module, path, false).text;
        self.set_current(path, text.clone());
        text
    }

    fn set_current(&mut self, path: &[Op], text: Arc<Text>) {
        if self.current.len() <= path.len() {
            self.current.resize_with(path.len() + 1, FxHashMap::default);
        }
        self.current[path.len()].insert(path.to_vec(), text);
    }

    /// Forgets the texts of operations around and inside of an edited one.
    fn edited(&mut self, path: &[Op]) {
        self.current.truncate(path.len() + 1);
        for (length, texts) in self.current.iter_mut().enumerate().take(path.len()) {
            texts.remove(&path[..length]);
        }
    }

    fn before(&mut self, event: &PassEvent<'_>) {
        let Some((module, path)) = event.ir else { return };
        let text = self.current(module, path);
        let phase = self.phases.len().saturating_sub(1);
        let next = self.stages.len();
        let stage = *self.by_node.entry(event.node).or_insert(next);
        if stage == next {
            let anchor = if path.is_empty() { "" } else { event.ctx.kind_name(event.op.kind) };
            self.stages.push(Stage {
                name: event.pass.name().to_owned(),
                kind: "pass",
                phase,
                anchor: anchor.to_owned(),
                ..Stage::default()
            });
        }
        self.stages[stage].before.push(text);
        self.stages[stage].runs += 1;
    }

    /// Keeps the kernels of the last stage that has any, and the graphs of the last stage of values: where there are
    /// buffers, data flows through memory.
    fn examine(&mut self, stage: usize, module: &Module, printed: &Printed) {
        let (has_kernels, on_values) = (kernels::any(module), !buffers::any(module));
        if !has_kernels && !on_values {
            return;
        }
        let lines = printed.lines();
        if has_kernels {
            self.kernels = Some((stage, kernels::of_module(module, &lines)));
        }
        if on_values {
            let input = self.graphs.iter().rposition(|&(known, _)| self.stages[known].kind == "input");
            self.graphs.truncate(input.map_or(0, |input| input + 1));
            self.graphs.push((stage, graph::of_module(module, &lines)));
        }
    }

    fn after(&mut self, event: &PassEvent<'_>, failed: bool) {
        let memory = self.memory();
        let (Some((module, path)), Some(&stage)) = (event.ir, self.by_node.get(&event.node)) else { return };
        if event.edited || failed {
            let printed = self.print(module, path, failed);
            self.edited(path);
            self.set_current(path, printed.text.clone());
            if path.is_empty() && !failed {
                self.examine(stage, module, &printed);
            }
        }
        let text = self.current(module, path);
        let stage = &mut self.stages[stage];
        stage.edited |= event.edited;
        stage.failed |= failed;
        stage.memory = stage.memory.max(memory);
        stage.after.push(text);
    }
}

impl Instrumentation for Recorder {
    fn wants_ir(&self) -> bool {
        true
    }

    fn before(&self, event: &PassEvent<'_>) {
        self.with(|state| state.before(event));
    }

    fn after(&self, event: &PassEvent<'_>) {
        self.with(|state| state.after(event, false));
    }

    fn failed(&self, event: &PassEvent<'_>) {
        self.with(|state| state.after(event, true));
    }
}

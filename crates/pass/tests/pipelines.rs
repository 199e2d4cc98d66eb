//! Parsing, printing and execution of pipelines.

use minoan_diag::{Diagnostic, Diagnostics, SourceMap, render};
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Body, Builder, Context, Dialect, DialectBuilder, Loc, Module, OpState, Registry, op};
use minoan_pass::{
    Analysis, Anchor, Counters, Instrumentation, OpHeader, Pass, PassEvent, PassManager, PassOptions,
    PassRegistry, PassRun, Pipeline, PipelineAlias, Reproducer, Rerun, pass_options,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An isolated operation.
#[op("test.unit", traits(ISOLATED, SYMBOL, NO_TERMINATOR, SINGLE_BLOCK))]
pub struct Unit {
    #[attr(minoan_ir::constraints::SYMBOL_NAME)]
    sym_name: Attr,
    #[region]
    body: Region,
}

/// The top-level operation.
#[op("builtin.module", traits(ISOLATED, SYMBOL_TABLE, NO_TERMINATOR, SINGLE_BLOCK))]
pub struct Top {
    #[region]
    body: Region,
}

struct Test;

impl Dialect for Test {
    fn name(&self) -> &'static str {
        "test"
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Unit>();
    }
}

struct Builtin;

impl Dialect for Builtin {
    fn name(&self) -> &'static str {
        "builtin"
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        dialect.op::<Top>();
    }
}

/// A module of units, of which the n-th has n operations.
fn module(units: usize) -> Module {
    let mut registry = Registry::new();
    registry.add(Test).add(Builtin);
    let ctx = Context::new(registry).expect("no duplicates");
    let mut module = Module::new(&ctx, Loc::UNKNOWN);
    let block = module.block();
    for number in 0..units {
        let mut b = Builder::at_end(module.body_mut(), block);
        let name = b.dictionary(&[("sym_name", Some(minoan_ir::Attr::string(&ctx, format!("u{number}"))))]);
        let unit = b.create(OpState::named(&ctx, "test.unit").props(name).regions(1));
        let inside = module.body_mut().nested_mut(unit).expect("it is isolated");
        let region = inside.root(0);
        let entry = inside.add_block(region, &[]);
        for _ in 0..number {
            Builder::at_end(inside, entry).create(OpState::named(&ctx, "other.op"));
        }
    }
    module
}

pass_options! {
    /// The options of `count`.
    pub struct CountOptions {
        /// Do not count values below this number.
        "at-least" at_least: usize = 0,
        /// Names to exclude.
        "exclude" exclude: Vec<String> = Vec::new(),
    }
}

#[derive(Default)]
struct Count(CountOptions);

impl Pass for Count {
    fn name(&self) -> &'static str {
        "count"
    }
    fn description(&self) -> &'static str {
        "counts operations"
    }
    fn options(&self) -> Option<&dyn PassOptions> {
        Some(&self.0)
    }
    fn options_mut(&mut self) -> Option<&mut dyn PassOptions> {
        Some(&mut self.0)
    }
    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-ops", "operations seen")]
    }
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let name = run.op().symbol(&ctx).unwrap_or("module").to_owned();
        let found = run.body().walk().len();
        if found >= self.0.at_least && !self.0.exclude.contains(&name) {
            run.count("num-ops", found as u64);
            run.emit(Diagnostic::remark(format!("{name}: {found}")));
        }
        Ok(())
    }
}

/// Fails, panics or invalidates the module, depending on the operation's name.
struct Break;

impl Pass for Break {
    fn name(&self) -> &'static str {
        "break"
    }
    fn description(&self) -> &'static str {
        "goes wrong"
    }
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        match run.op().symbol(&ctx) {
            Some("u1") => Err(Diagnostic::error("u1 is not wanted").into()),
            Some("u3") => panic!("u3 is too much"),
            _ => Ok(()),
        }
    }
}

struct WholeModule;

impl Pass for WholeModule {
    fn name(&self) -> &'static str {
        "whole"
    }
    fn description(&self) -> &'static str {
        "needs the module"
    }
    fn anchor(&self) -> Anchor {
        Anchor::Module
    }
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        assert!(!run.module().body().walk().is_empty());
        Ok(())
    }
}

struct Size(usize);
static COMPUTED: AtomicUsize = AtomicUsize::new(0);

impl Analysis for Size {
    const NAME: &'static str = "size";
    fn compute(_: OpHeader, body: &Body) -> Self {
        COMPUTED.fetch_add(1, Ordering::Relaxed);
        Size(body.walk().len())
    }
}

/// Requests the analysis, then optionally edits the body.
struct Ask<const EDITS: bool, const KEEPS: bool>;

impl<const EDITS: bool, const KEEPS: bool> Pass for Ask<EDITS, KEEPS> {
    fn name(&self) -> &'static str {
        match (EDITS, KEEPS) {
            (false, _) => "ask",
            (true, false) => "ask-edit",
            (true, true) => "ask-edit-keep",
        }
    }
    fn description(&self) -> &'static str {
        "asks for an analysis"
    }
    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        assert!(run.analysis::<Size>().0 > 0);
        if EDITS {
            let op = run.body().walk()[0];
            run.body_mut().set_loc(op, Loc::UNKNOWN);
        }
        if KEEPS {
            run.preserve::<Size>();
        }
        Ok(())
    }
}

fn registry() -> PassRegistry {
    let mut registry = PassRegistry::new();
    registry
        .add(|| Box::new(Count::default()))
        .add(|| Box::new(Break))
        .add(|| Box::new(WholeModule))
        .add(|| Box::new(Ask::<false, false>))
        .add(|| Box::new(Ask::<true, false>))
        .add(|| Box::new(Ask::<true, true>))
        .add_pipeline(PipelineAlias {
            name: "twice",
            description: "counts twice",
            text: "count,test.unit(count)",
        });
    registry
}

fn parse(text: &str) -> Result<Pipeline, String> {
    let sources = SourceMap::new();
    Pipeline::parse(text, &registry(), &sources).map_err(|error| render(&error, &sources))
}

fn good(text: &str) -> Pipeline {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn pipelines_round_trip() {
    for (text, printed) in [
        ("count", "builtin.module(count)"),
        (" builtin.module( count , whole ) ", "builtin.module(count,whole)"),
        ("any(any(count))", "any(any(count))"),
        ("builtin.module()", "builtin.module()"),
        ("builtin.module(count{at-least=3})", "builtin.module(count{at-least=3})"),
        ("builtin.module(count{at-least=0})", "builtin.module(count)"),
        ("builtin.module(count{exclude=a,b at-least=1})", "builtin.module(count{at-least=1 exclude={a,b}})"),
        (
            "builtin.module(count{exclude={a,b},at-least=1})",
            "builtin.module(count{at-least=1 exclude={a,b}})",
        ),
        (
            "builtin.module(test.unit(count),test.unit(ask),any(ask))",
            "builtin.module(test.unit(count,ask),any(ask))",
        ),
        ("builtin.module(twice)", "builtin.module(count,test.unit(count))"),
    ] {
        assert_eq!(good(text).to_string(), printed);
        assert_eq!(good(printed).to_string(), printed);
    }
}

#[test]
fn errors_point_into_the_text() {
    let error = |text: &str| parse(text).map(|pipeline| pipeline.to_string()).expect_err("it is malformed");
    for (text, expected) in [
        ("builtin.module(cuont)", "'cuont' does not refer to a registered pass or pass pipeline"),
        ("builtin.module(cuont)", "did you mean 'count'?"),
        ("builtin.module(cuont)", "               ^^^^^"),
        ("builtin.module(count", "expected ')' in pass pipeline, but found the end"),
        ("builtin.module(count))", "encountered extra closing ')'"),
        ("builtin.module(count{at-lest=1})", "no such option at-lest"),
        ("builtin.module(count{at-lest=1})", "did you mean 'at-least'?"),
        ("builtin.module(count{at-least=many})", "must be unsigned integer, but got 'many'"),
        ("builtin.module(count{at-least=1)", "missing closing '}'"),
        ("builtin.module(count{at-least=1", "missing closing '}'"),
        ("builtin.module(whole{x=1})", "pass 'whole' has no options"),
        ("builtin.module(test.unit(whole))", "restricted to the whole module"),
        ("builtin.module(count,,count)", "expected the name of a pass"),
        ("builtin.module(count{exclude='a})", "this quotation has no end"),
    ] {
        let found = error(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    assert!(error(&"any(".repeat(100_000)).contains("nests deeper than"));
}

#[test]
fn messages_and_statistics_are_independent_of_threads() {
    let pipeline = good("builtin.module(test.unit(count{exclude=u2}),count)");
    let run = |threading: bool| {
        let mut module = module(100);
        let outcome = PassManager::new(&pipeline).threading(threading).run(&mut module);
        let statistics = outcome.statistics("count");
        let said: Vec<String> = outcome.diagnostics.iter().map(|one| one.message.clone()).collect();
        (statistics, said)
    };
    let (statistics, said) = run(true);
    assert_eq!(statistics, [("num-ops", "operations seen", (0..100).sum::<u64>() - 2 + 100)]);
    assert_eq!(said.len(), 100);
    assert_eq!((said[0].as_str(), said[2].as_str(), said[99].as_str()), ("u0: 0", "u3: 3", "module: 100"));
    assert_eq!(run(false), (statistics, said));
}

#[test]
fn failures_are_reported_in_order() {
    let pipeline = good("builtin.module(test.unit(break),count)");
    for threading in [false, true] {
        let outcome = PassManager::new(&pipeline).threading(threading).run(&mut module(100));
        assert!(outcome.failed);
        let messages: Vec<&str> = outcome.diagnostics.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, ["u1 is not wanted", "pass 'break' panicked: u3 is too much"]);
    }
}

#[test]
fn analyses_are_cached_until_an_edit() {
    let computed = |text: &str| {
        let before = COMPUTED.load(Ordering::Relaxed);
        PassManager::new(&good(text)).run(&mut module(2)).into_result().expect("nothing fails");
        COMPUTED.load(Ordering::Relaxed) - before
    };
    assert_eq!(computed("ask,ask,ask"), 1);
    assert_eq!(computed("ask-edit,ask,ask"), 2);
    assert_eq!(computed("ask-edit-keep,ask"), 1);
    assert_eq!(computed("ask,test.unit(count),ask"), 1);
}

#[test]
fn pipeline_for_other_operation_does_not_run() {
    let pipeline = good("test.unit(count)");
    let outcome = PassManager::new(&pipeline).run(&mut module(1));
    let message = &outcome.diagnostics.iter().next().expect("an error").message;
    assert_eq!(message, "can't run 'test.unit' pass manager on 'builtin.module' op");
}

#[test]
fn reproducers_round_trip() {
    let folder = tempfile::tempdir().expect("a folder");
    for (local, expected) in
        [(false, "builtin.module(test.unit(count,break))"), (true, "builtin.module(test.unit(break))")]
    {
        let file = folder.path().join("reproducer.mlir");
        let pipeline = good("builtin.module(test.unit(count,break))");
        let reproducer = Some(Reproducer { file: file.clone(), local });
        let outcome = PassManager::new(&pipeline).reproducer(reproducer).run(&mut module(2));
        assert_eq!(outcome.reproducer, Some(file.clone()));
        let text = std::fs::read_to_string(file).expect("it was written");
        let mut read = read(&text);
        let rerun = Rerun::take(&mut read).expect("it has the section");
        assert_eq!(Rerun::take(&mut read), None, "the section is taken out");
        assert_eq!(
            (rerun.pipeline.as_str(), rerun.disable_threading, rerun.verify_each),
            (expected, local, true)
        );
    }
}

fn read(text: &str) -> Module {
    let sources = SourceMap::new();
    let file = sources.add("reproducer.mlir", text);
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    parse_module(module(0).context(), &sources, file, &options).expect("it reads back")
}

#[derive(Default)]
struct Watch(Mutex<Vec<String>>);

impl Instrumentation for Watch {
    fn wants_ir(&self) -> bool {
        true
    }
    fn before(&self, moment: &PassEvent<'_>) {
        let (_, path) = moment.ir.expect("it was asked for");
        self.0.lock().expect("no panic").push(format!("{} at depth {}", moment.pass.name(), path.len()));
    }
    fn failed(&self, moment: &PassEvent<'_>) {
        self.0.lock().expect("no panic").push(format!("{} failed", moment.pass.name()));
    }
}

#[test]
fn instrumentations_see_each_pass() {
    let watch = Watch::default();
    let pipeline = good("builtin.module(whole,test.unit(break))");
    PassManager::new(&pipeline).instrument(&watch).run(&mut module(2));
    let heard = watch.0.into_inner().expect("no panic");
    assert_eq!(heard, ["whole at depth 0", "break at depth 1", "break at depth 1", "break failed"]);
}

#[test]
fn debug_counters_reach_passes() {
    struct Stepwise;
    impl Pass for Stepwise {
        fn name(&self) -> &'static str {
            "stepwise"
        }
        fn description(&self) -> &'static str {
            "counts permitted steps"
        }
        fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
            let done = (0..10).filter(|_| run.permit("step")).count();
            run.count("done", done as u64);
            Ok(())
        }
    }
    let pipeline = Pipeline::new(vec![Box::new(Stepwise)]);
    let counters = Counters::parse("step-skip=2,step-count=3").expect("well formed");
    let mut manager = PassManager::new(&pipeline).counters(counters);
    let outcome = manager.run(&mut module(0));
    assert_eq!(outcome.statistics("stepwise"), [("done", "", 3)]);
    assert!(manager.counters_report().contains("{10,2,3}"));
}

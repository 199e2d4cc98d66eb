//! Required services are checked before any pass runs.

use minoan_diag::Diagnostics;
use minoan_ir::{
    Context, Dialect, DialectBuilder, Loc, Module, Registry, ServiceId, ServiceKind, op, service,
};
use minoan_pass::{Pass, PassManager, PassRun, Pipeline};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

trait Needed: Send + Sync {}
service!(dyn Needed, "Needed", Required);

trait Sensible: Send + Sync {}
service!(dyn Sensible, "Sensible", Default(Nothing));

struct Nothing;
impl Needed for Nothing {}
impl Sensible for Nothing {}

/// A module.
#[op("builtin.module", traits(ISOLATED, SYMBOL_TABLE, NO_TERMINATOR, SINGLE_BLOCK))]
struct Top {
    /// The module body.
    #[region]
    body: Region,
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

/// Counts its executions and requires a service.
struct Needs<S: ?Sized> {
    runs: Arc<AtomicUsize>,
    service: PhantomData<S>,
}

impl<S: ServiceKind + ?Sized> Pass for Needs<S> {
    fn name(&self) -> &'static str {
        "needs"
    }

    fn description(&self) -> &'static str {
        "needs a service"
    }

    fn requires(&self) -> Vec<ServiceId> {
        vec![ServiceId::of::<S>()]
    }

    fn run(&self, _: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// The errors of two such passes in a pipeline, and the number of executions.
fn run<S: ServiceKind + ?Sized>(extend: fn(&mut Registry)) -> (Vec<String>, usize) {
    let mut registry = Registry::new();
    registry.add(Builtin);
    extend(&mut registry);
    let ctx = Context::new(registry).expect("one dialect");
    let runs = Arc::new(AtomicUsize::new(0));
    let pass = || Box::new(Needs::<S> { runs: Arc::clone(&runs), service: PhantomData }) as Box<dyn Pass>;
    let pipeline = Pipeline::new(vec![pass(), pass()]);
    let outcome = PassManager::new(&pipeline).run(&mut Module::new(&ctx, Loc::UNKNOWN));
    let messages = outcome.diagnostics.iter().map(|error| error.message.clone()).collect();
    (messages, runs.load(Ordering::Relaxed))
}

#[test]
fn missing_service_is_an_error() {
    let (errors, runs) = run::<dyn Needed>(|_| {});
    assert_eq!(errors, ["pass 'needs' requires service Needed, which no loaded dialect implements"; 2]);
    assert_eq!(runs, 0);
}

#[test]
fn external_implementation_satisfies_need() {
    let extend = |registry: &mut Registry| {
        registry.extend_dialect::<dyn Needed>("builtin", Arc::new(Nothing));
    };
    assert_eq!(run::<dyn Needed>(extend), (vec![], 2));
}

#[test]
fn default_satisfies_need() {
    assert_eq!(run::<dyn Sensible>(|_| {}), (vec![], 2));
}

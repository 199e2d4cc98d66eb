//! Tests random modules of the shared dialects and the detection of miscompilations.

use minoan_diag::{Diagnostics, SourceMap};
use minoan_generate::{Case, Choices, Fault, Limits, Plan, Planned, Verdict, module};
use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Op, Registry};
use minoan_pass::{Pass, PassRegistry, PassRun};
use minoan_services::{Evaluate, Generate};
use std::collections::BTreeSet;

fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_index::IndexDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_memref::MemRefDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect)
        .add(minoan_vector::VectorDialect);
    Context::new(registry).expect("the dialects go together")
}

fn random(ctx: &Context, seed: u64) -> Module {
    module(ctx, &mut Choices::seeded(seed), Limits::default()).expect("the dialects generate")
}

fn text(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// The names of all operations of a module.
fn names(module: &Module) -> BTreeSet<String> {
    let mut bodies = vec![module.body()];
    let mut names = BTreeSet::new();
    while let Some(body) = bodies.pop() {
        for op in body.walk() {
            names.insert(body.op(op).name().to_owned());
            bodies.extend(body.nested(op));
        }
    }
    names
}

/// A miscompilation: replaces subtractions by additions.
struct Mistaken;

impl Pass for Mistaken {
    fn name(&self) -> &'static str {
        "mistaken"
    }

    fn description(&self) -> &'static str {
        "write differences as sums"
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        run.each_body(|body| {
            let kind = body.context().op_kind("arith.addi").expect("a kind");
            let is_wrong = |op: &Op| body.op(*op).name() == "arith.subi";
            let found: Vec<Op> = body.walk().into_iter().filter(is_wrong).collect();
            found.into_iter().for_each(|op| body.set_kind(op, kind));
        });
        Ok(())
    }
}

/// A pass that panics.
struct Panics;

impl Pass for Panics {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn description(&self) -> &'static str {
        "panic at a loop"
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        run.each_body(|body| {
            let loops = body.walk().into_iter().filter(|&op| body.op(op).name() == "scf.for").count();
            assert_eq!(loops, 0, "a loop");
        });
        Ok(())
    }
}

struct Nothing;

impl Pass for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn description(&self) -> &'static str {
        "do nothing"
    }

    fn run(&self, _: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        Ok(())
    }
}

fn passes() -> PassRegistry {
    let mut passes = PassRegistry::new();
    passes.add(|| Box::new(Mistaken)).add(|| Box::new(Panics)).add(|| Box::new(Nothing));
    passes
}

/// The first module for which a pass has a fault, and the fault.
fn fault(ctx: &Context, pass: &str) -> (Case, Fault) {
    let passes = passes();
    let limits = Limits { functions: 2, operations: 6, depth: 2 };
    let cases = (0..500).map(|seed| {
        let module = module(ctx, &mut Choices::seeded(seed), limits).expect("the dialects generate");
        let nothing = Planned::Pass("nothing".to_owned());
        let mut plan = Plan::of_pass(&module, pass);
        plan.steps.insert(0, nothing.clone());
        plan.steps.push(nothing);
        Case { module, plan }
    });
    let mut found = cases.filter_map(|case| case.check(&passes).err().map(|fault| (case, fault)));
    found.next().expect("one of many modules shows it")
}

#[test]
fn modules_are_valid_and_terminate() {
    let (ctx, passes) = (context(), passes());
    let mut undefined = 0;
    for seed in 0..100 {
        let module = random(&ctx, seed);
        verify(&module).unwrap_or_else(|found| panic!("seed {seed}: {found:?}\n{}", text(&module)));
        let plan = Plan::of_pass(&module, "nothing");
        let case = Case { module, plan };
        match case.check(&passes) {
            Ok(Verdict::Undefined) => undefined += 1,
            Ok(verdict) => assert_eq!(verdict, Verdict::Same),
            Err(fault) => panic!("seed {seed}: {fault}\n{}", case.text()),
        }
    }
    assert!(undefined < 25, "{undefined} of 100 have undefined behavior");
}

#[test]
fn seeds_determine_modules() {
    let (one, other) = (context(), context());
    for seed in 0..10 {
        // The ids of types and attributes differ in contexts that have seen other modules.
        random(&other, seed + 1000);
        assert_eq!(text(&random(&one, seed)), text(&random(&other, seed)));
    }
    assert_ne!(text(&random(&one, 1)), text(&random(&one, 2)));
}

#[test]
fn every_generator_is_used() {
    let ctx = context();
    let generates = |kind: &minoan_ir::OpKind| {
        let weight = ctx.service::<dyn Generate>(*kind).map_or(0, |service| service.weight(&ctx, *kind));
        weight > 0 && ctx.service::<dyn Evaluate>(*kind).is_some()
    };
    let mut missing: BTreeSet<String> =
        ctx.registered_kinds().filter(generates).map(|kind| ctx.kind_name(kind).to_owned()).collect();
    assert!(missing.len() > 120, "many operations generate: {}", missing.len());
    for seed in 0..2000 {
        if missing.is_empty() {
            return;
        }
        let made = names(&random(&ctx, seed));
        missing.retain(|name| !made.contains(name));
    }
    panic!("never made: {missing:?}");
}

#[test]
fn exhausted_bytes_give_a_small_module() {
    let ctx = context();
    for bytes in [&[][..], &[1, 2, 3], &[255; 40]] {
        let module = module(&ctx, &mut Choices::bytes(bytes), Limits::default()).expect("a module");
        verify(&module).expect("it is valid");
    }
}

#[test]
fn module_requires_functions_and_operations() {
    let mut registry = Registry::new();
    registry.add(minoan_arith::ArithDialect);
    let ctx = Context::new(registry).expect("one dialect");
    assert!(module(&ctx, &mut Choices::seeded(1), Limits::default()).is_none());
}

#[test]
fn miscompilation_is_found_and_reduced() {
    let (ctx, passes) = (context(), passes());
    let (case, fault) = fault(&ctx, "mistaken");
    assert!(matches!(fault, Fault::Different(_)), "{fault}");
    let small = case.shrink(&fault, &passes);
    assert_eq!(small.plan.to_string(), "builtin.module(mistaken)");
    assert!(small.check(&passes).is_err_and(|found| found.is_like(&fault)));
    let size = minoan_reduce::size(&small.module);
    assert!(size <= 20, "{size} operations are left\n{}", small.text());
}

#[test]
fn panic_is_found_and_reduced() {
    let (ctx, passes) = (context(), passes());
    let (case, fault) = fault(&ctx, "panics");
    assert!(matches!(fault, Fault::Panic(_)), "{fault}");
    let small = case.shrink(&fault, &passes);
    let size = minoan_reduce::size(&small.module);
    assert!(names(&small.module).contains("scf.for") && size <= 10, "{size}\n{}", small.text());
}

#[test]
fn cases_round_trip() {
    let (ctx, passes) = (context(), passes());
    let module = random(&ctx, 3);
    let nested = Plan { anchor: "any".to_owned(), steps: vec![Planned::Pass("nothing".to_owned())] };
    let mut plan = Plan::of_pass(&module, "nothing");
    plan.steps.push(Planned::Nested(nested));
    let case = Case { module, plan };
    assert!(
        case.text()
            .starts_with("// RUN: %kopt %s --pass-pipeline=\"builtin.module(nothing,any(nothing))\"\n")
    );
    let sources = SourceMap::new();
    let file = sources.add("case.mlir", case.text());
    let again = Case::parse(&ctx, &passes, &sources, file).expect("a case");
    assert_eq!(again.text(), case.text());
    let file = sources.add("other.mlir", "module {}\n");
    let errors = Case::parse(&ctx, &passes, &sources, file).err().expect("it says no pipeline");
    let first = errors.iter().next().expect("one error");
    assert!(first.message.starts_with("expected a first line like '// RUN: "), "{}", first.message);
}

#[test]
fn plans_shrink() {
    let plan = |text: &str| Planned::Pass(text.to_owned());
    let nested = Plan { anchor: "any".to_owned(), steps: vec![plan("b"), plan("c")] };
    let whole = Plan { anchor: "m".to_owned(), steps: vec![plan("a"), Planned::Nested(nested)] };
    let shorter: Vec<String> = whole.shorter().iter().map(Plan::to_string).collect();
    assert_eq!(shorter, ["m(any(b,c))", "m(a)", "m(a,b,c)", "m(a,any(c))", "m(a,any(b))"]);
}

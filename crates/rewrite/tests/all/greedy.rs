//! The greedy driver: limits, log and listeners.

use crate::toy::{Add, Clamp, Neg, Round, Scope, Show, Sum, parse, print};
use expect_test::{Expect, expect};
use minoan_ir::{Body, Module, Op, OpDef, Value};
use minoan_rewrite::{
    GreedyConfig, GreedyDriver, Listener, Matched, NoMatch, Outcome, PatternFilter, PatternSet, Rewriter,
    TreeLog, pattern, walk_and_apply,
};

fn run(module: &mut Module, patterns: &PatternSet, config: GreedyConfig) -> Outcome {
    let frozen = patterns.freeze(module.context(), &PatternFilter::default()).expect("names are unique");
    GreedyDriver::new(&frozen, config).run(module.body_mut())
}

fn check(text: &str, patterns: &PatternSet, expected: &Expect) {
    let mut module = parse(text);
    let outcome = run(&mut module, patterns, GreedyConfig::default());
    assert!(outcome.converged && outcome.diagnostics.is_empty());
    assert_eq!(module.body().check_invariants(), [""; 0]);
    minoan_ir::verify::verify(&module).expect("it stays valid");
    expected.assert_eq(&print(&module));
}

fn no_patterns() -> PatternSet {
    PatternSet::new()
}

#[test]
fn constants_are_folded_deduplicated_and_hoisted() {
    check(
        r"
        %x = toy.constant 3 : i32
        toy.show %x : i32
        toy.scope {
          %y = toy.constant 4 : i32
          %z = toy.constant 3 : i32
          %s = toy.add %y, %z : i32
          toy.show %s, %z : i32, i32
        }",
        &no_patterns(),
        &expect![[r#"
            "builtin.module"() ({
              %c7_i32 = toy.constant 7 : i32
              %c3_i32 = toy.constant 3 : i32
              toy.show %c3_i32 : i32
              toy.scope {
                toy.show %c7_i32, %c3_i32 : i32, i32
              }
            }) : () -> ()
        "#]],
    );
}

#[test]
fn traits_fold() {
    check(
        r#"
        %x = "t.value"() : () -> i32
        %c = toy.constant 3 : i32
        %a = toy.add %c, %x : i32
        %n = toy.neg %a : i32
        %p = toy.neg %n : i32
        %r = toy.round %p : i32
        %s = toy.round %r : i32
        toy.show %s : i32"#,
        &no_patterns(),
        &expect![[r#"
            "builtin.module"() ({
              %c3_i32 = toy.constant 3 : i32
              %0 = "t.value"() : () -> i32
              %1 = toy.add %0, %c3_i32 : i32
              %2 = toy.round %1 : i32
              toy.show %2 : i32
            }) : () -> ()
        "#]],
    );
}

#[test]
fn dead_operations_are_erased_transitively() {
    check(
        r#"
        %x = "t.value"() : () -> i32
        %a = toy.add %x, %x : i32
        %b = toy.add %a, %a : i32
        toy.scope {
          %c = toy.add %b, %b : i32
          toy.scope {
          }
        }"#,
        &no_patterns(),
        &expect![[r#"
            "builtin.module"() ({
              %0 = "t.value"() : () -> i32
            }) : () -> ()
        "#]],
    );
}

/// The analysis of dead operations must not examine all nested operations for each scope.
#[test]
fn deep_nesting_with_an_effect_inside_is_linear() {
    let depth = 20_000;
    let mut module = parse("%x = toy.constant 1 : i32\ntoy.show %x : i32");
    let mut block = module.block();
    let body = module.body_mut();
    let x = body.op(body.block(block).first().expect("a constant")).result(0);
    for _ in 0..depth {
        let mut b = minoan_ir::Builder::at_end(body, block);
        let scope = Scope::build(&mut b);
        (block, _) = b.enter(scope.op(), 0, &[]);
    }
    Show::build(&mut minoan_ir::Builder::at_end(body, block), &[x]);
    assert!(run(&mut module, &no_patterns(), GreedyConfig::default()).converged);
    assert_eq!(module.body().walk().len(), depth + 4);
}

/// Two forms of `x + x` with different benefits.
fn doubling() -> PatternSet {
    fn halve(op: Add, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        let [lhs, rhs] = op.operand_values(rewriter.body());
        if lhs != rhs {
            return Err(rewriter
                .no_match(|| format!("{lhs:?} is not {rhs:?}").replace(|c: char| c.is_ascii_digit(), "")));
        }
        let new = Neg::build(&mut rewriter.builder(), lhs);
        let value = new.result(rewriter.body());
        rewriter.replace(op.op(), &[value]);
        Ok(Matched)
    }
    let mut patterns = PatternSet::new();
    patterns.on::<Add>("z-halve", halve).add(pattern!("a-same", benefit = 5: Add(x, x) => x));
    patterns
}

#[test]
fn patterns_are_ordered_by_benefit_then_name() {
    let mut module = parse("%x = \"t.value\"() : () -> i32\n%a = toy.add %x, %x : i32\ntoy.show %a : i32");
    let frozen = doubling().freeze(module.context(), &PatternFilter::default()).expect("names are unique");
    let names: Vec<&str> = frozen.iter().map(|pattern| pattern.name()).collect();
    assert_eq!(names, ["a-same", "z-halve"]);
    let mut driver = GreedyDriver::new(&frozen, GreedyConfig::default());
    assert!(driver.run(module.body_mut()).changed);
    let applied: Vec<u64> = driver.statistics().patterns.iter().map(|pattern| pattern.applied).collect();
    assert_eq!(applied, [1, 0]);
    assert!(!print(&module).contains("toy.neg"));
}

#[test]
fn patterns_are_chosen_by_name() {
    let text = "%x = \"t.value\"() : () -> i32\n%a = toy.add %x, %x : i32\ntoy.show %a : i32";
    let filtered = |filter: PatternFilter| {
        let mut module = parse(text);
        let frozen = doubling().freeze(module.context(), &filter).expect("both patterns are there");
        GreedyDriver::new(&frozen, GreedyConfig::default()).run(module.body_mut());
        print(&module).contains("toy.neg")
    };
    let name = |name: &str| vec![name.to_owned()];
    assert!(filtered(PatternFilter { disabled: name("a-same"), ..PatternFilter::default() }));
    assert!(filtered(PatternFilter { enabled: name("z-halve"), ..PatternFilter::default() }));
    assert!(!filtered(PatternFilter { enabled: name("a-same"), ..PatternFilter::default() }));
}

#[test]
fn names_must_be_known_and_unique() {
    let module = parse("");
    let mut patterns = doubling();
    patterns.add(pattern!("a-same": Neg(x) => x));
    let filter = PatternFilter { enabled: vec!["z-halfe".into()], ..PatternFilter::default() };
    let Err(errors) = patterns.freeze(module.context(), &filter) else { panic!("two mistakes") };
    let lines: Vec<String> =
        errors.iter().map(|error| format!("{} {:?}", error.message, error.help)).collect();
    expect![[r#"
        two patterns are named 'a-same' []
        'z-halfe' does not refer to a pattern ["did you mean 'z-halve'?"]"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn variadic_and_optional_operands_are_matched_and_built() {
    let mut patterns = PatternSet::new();
    patterns
        .add(pattern!("neg-of-sum": Neg(Sum(x, terms..)) => Sum(Neg(x), terms..)))
        .add(pattern!("sum-of-nothing": Sum(x, terms..) if terms.is_empty() => x))
        .add(pattern!("clamp-twice": Clamp(Clamp(x, limit?), limit?) => Clamp(x, limit?)))
        .add(pattern!("equal-sums": Add(Sum(_, terms..), Sum(x, terms..)) => Sum(x, terms..)))
        .add(pattern!("round-of-clamp": Round(Clamp(x, _?)) => Round(x)));
    let text = "%x, %y = \"t.values\"() : () -> (i32, i32)
         %sum = toy.sum %x(%y, %y) : i32
         %neg = toy.neg %sum : i32
         %none = toy.sum %y() : i32
         %once = toy.clamp %x to %y : i32
         %twice = toy.clamp %once to %y : i32
         %other = toy.clamp %twice to %x : i32
         %round = toy.round %other : i32
         %same = toy.sum %y(%y, %y) : i32
         %added = toy.add %sum, %same : i32
         %kept = toy.add %sum, %none : i32
         toy.show %neg, %none, %other, %round, %added, %kept : i32, i32, i32, i32, i32, i32";
    check(
        text,
        &patterns,
        &expect![[r#"
        "builtin.module"() ({
          %0:2 = "t.values"() : () -> (i32, i32)
          %1 = toy.sum %0#0(%0#1, %0#1) : i32
          %2 = toy.neg %0#0 : i32
          %3 = toy.sum %2(%0#1, %0#1) : i32
          %4 = toy.clamp %0#0 to %0#1 : i32
          %5 = toy.clamp %4 to %0#0 : i32
          %6 = toy.round %0#0 : i32
          %7 = toy.sum %0#1(%0#1, %0#1) : i32
          %8 = toy.add %1, %0#1 : i32
          toy.show %3, %0#1, %5, %6, %7, %8 : i32, i32, i32, i32, i32, i32
        }) : () -> ()
    "#]],
    );
}

/// Two patterns that undo each other.
fn endless() -> PatternSet {
    let mut patterns = PatternSet::new();
    patterns
        .add(pattern!("add-to-neg": Add(x, y) => Neg(Add(x, y))))
        .add(pattern!("neg-to-add": Neg(Add(x, y)) => Add(y, x)));
    patterns
}

#[test]
fn diverging_patterns_are_stopped_with_a_warning() {
    let text = "%x = \"t.value\"() : () -> i32\n%a = toy.add %x, %x : i32\ntoy.show %a : i32";
    let mut module = parse(text);
    let config = GreedyConfig { max_pattern_rewrites: Some(100), ..GreedyConfig::default() };
    let outcome = run(&mut module, &endless(), config);
    assert!(outcome.changed && !outcome.converged);
    let messages: Vec<&str> = outcome.diagnostics.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["pattern 'add-to-neg' was applied more than 100 times: it may not terminate"]);
    minoan_ir::verify::verify(&module).expect("it stays valid");
    assert_eq!(module.body().check_invariants(), [""; 0]);
}

#[test]
fn rewrites_per_round_are_limited() {
    let text = "%x = \"t.value\"() : () -> i32\n%a = toy.add %x, %x : i32\n%b = toy.add %a, %a : i32\ntoy.show %b : i32";
    let mut module = parse(text);
    let config =
        GreedyConfig { max_num_rewrites: Some(1), max_iterations: Some(1), ..GreedyConfig::default() };
    assert!(!run(&mut module, &doubling(), config).converged);
    assert_eq!(print(&module).matches("toy.add").count(), 1);
}

#[test]
fn pattern_that_edits_without_matching_is_named() {
    fn liar(op: Neg, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
        if rewriter.op(op.op()).attr_named("seen").is_some() {
            return Err(NoMatch::because("it was seen"));
        }
        let name = rewriter.context().name("seen");
        rewriter.modify(op.op(), |body, op| body.set_attr(op, name, Some(minoan_ir::Attr::UNIT)));
        Err(NoMatch::because("it changed its mind"))
    }
    let mut patterns = PatternSet::new();
    patterns.on::<Neg>("liar", liar);
    let mut module = parse("%x = \"t.value\"() : () -> i32\n%a = toy.neg %x : i32\ntoy.show %a : i32");
    let outcome = run(&mut module, &patterns, GreedyConfig::default());
    let messages: Vec<&str> = outcome.diagnostics.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["pattern 'liar' returned NoMatch but changed the IR"]);
}

#[derive(Default)]
struct Heard(Vec<String>);

impl Listener for Heard {
    fn inserted(&mut self, body: &Body, op: Op) {
        self.0.push(format!("inserted {}", body.op(op).name()));
    }
    fn modified(&mut self, body: &Body, op: Op) {
        self.0.push(format!("modified {}", body.op(op).name()));
    }
    fn replaced(&mut self, body: &Body, op: Op, with: &[Value]) {
        self.0.push(format!("replaced {} by {}", body.op(op).name(), with.len()));
    }
    fn erased(&mut self, body: &Body, op: Op) {
        self.0.push(format!("erased {}", body.op(op).name()));
    }
}

#[test]
fn listeners_are_notified_in_order() {
    let text = "%x = \"t.value\"() : () -> i32\n%a = toy.add %x, %x : i32\ntoy.show %a : i32";
    let filter = PatternFilter { disabled: vec!["a-same".into()], ..PatternFilter::default() };
    let mut module = parse(text);
    let frozen = doubling().freeze(module.context(), &filter).expect("both patterns are there");
    let mut heard = Heard::default();
    let mut driver = GreedyDriver::new(&frozen, GreedyConfig::default()).with_listener(&mut heard);
    driver.run(module.body_mut());
    assert_eq!(heard.0, ["inserted toy.neg", "replaced toy.add by 1", "erased toy.add"]);
}

#[test]
fn trace_is_a_tree() {
    let text = r#"
        %x = "t.value"() : () -> i32
        %y = "t.value"() : () -> i32
        %u = toy.neg %y : i32
        %a = toy.add %x, %y : i32
        %b = toy.add %x, %x : i32
        toy.show %a, %b : i32, i32"#;
    let mut module = parse(text);
    let frozen = doubling().freeze(module.context(), &PatternFilter::default()).expect("names are unique");
    let mut text = Vec::new();
    let mut log = TreeLog::new(&mut text);
    GreedyDriver::new(&frozen, GreedyConfig::default()).with_trace(&mut log).run(module.body_mut());
    drop(log);
    expect![[r#"
        iteration 1
        builtin.module #6
        t.value #0
        t.value #1
        toy.neg #2
          dead
            erase toy.neg #2
        t.value #1
        toy.add #3
          pattern 'a-same': operand 1 of Add is not the other `x`
          pattern 'z-halve': value  of body # is not value  of body #
        toy.add #4
          pattern 'a-same': applied
            replace toy.add #4
            erase toy.add #4
        toy.show #5
        iteration 2
        builtin.module #6
        t.value #0
        t.value #1
        toy.add #3
          pattern 'a-same': operand 1 of Add is not the other `x`
          pattern 'z-halve': value  of body # is not value  of body #
        toy.show #5
    "#]]
    .assert_eq(&String::from_utf8(text).expect("a log is text"));
}

#[test]
fn walk_driver_visits_original_operations_once() {
    let mut module = parse(
        "%x = \"t.value\"() : () -> i32\ntoy.scope {\n%a = toy.add %x, %x : i32\n%b = toy.add %a, %a : i32\ntoy.show %b : i32\n}",
    );
    let filter = PatternFilter { enabled: vec!["add-to-neg".into()], ..PatternFilter::default() };
    let frozen = endless().freeze(module.context(), &filter).expect("the pattern is there");
    assert!(walk_and_apply(module.body_mut(), &frozen, &mut ()));
    let text = print(&module);
    assert_eq!((text.matches("toy.add").count(), text.matches("toy.neg").count()), (2, 2));
}

#[test]
fn output_is_deterministic() {
    let text: String = std::iter::once("%v0 = \"t.value\"() : () -> i32\n".to_owned())
        .chain((0..200).map(|at| format!("%v{} = toy.add %v{}, %v{} : i32\n", at + 1, at, at * 7 % (at + 1))))
        .chain(["toy.show %v200 : i32".to_owned()])
        .collect();
    let once = || {
        let mut module = parse(&text);
        run(&mut module, &doubling(), GreedyConfig::default());
        print(&module)
    };
    assert_eq!(once(), once());
}

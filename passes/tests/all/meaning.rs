//! Passes preserve semantics: random modules of all dialects that generate operations compute the same results before
//! and after.
//!
//! A failing case is reduced, printed, and written to a file; once the bug is fixed, the file is moved to
//! `tests/cases` under a name that describes the bug. `MINOAN_RANDOM_CASES` sets the number of modules.

use crate::common;
use minoan_diag::{SourceMap, render};
use minoan_generate::{Case, Choices, Limits, Plan, Verdict, module};
use minoan_pass::PassRegistry;
use std::path::Path;

/// Passes excluded from random pipelines: they print, hide the functions to compare or change their types, call functions of
/// the runtime, or round differently.
const APART: [&str; 6] =
    ["count-memory", "expand-math", "print-graph", "print-op-stats", "symbol-privatize", "take-destinations"];

fn passes() -> (PassRegistry, Vec<&'static str>) {
    let mut registry = PassRegistry::new();
    minoan_passes::register(&mut registry);
    let names = registry.names().into_iter().filter(|name| !APART.contains(name)).collect();
    (registry, names)
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Checks the cases of random modules; returns the numbers of checked cases and of those that the passes refused.
///
/// # Panics
/// If a case fails, or more than a quarter of them have undefined behavior.
fn check(most: u64, plans: impl Fn(&Case, &mut Choices<'_>) -> Vec<Plan>) -> (usize, usize) {
    let (registry, _) = passes();
    let ctx = common::context();
    let first = number("PROPTEST_RNG_SEED", 0);
    let (mut checked, mut refused, mut undefined, mut found) = (0, 0, 0, Vec::new());
    for seed in first..first + number("MINOAN_RANDOM_CASES", most) {
        let mut choices = Choices::seeded(seed);
        let module = module(&ctx, &mut choices, Limits::default()).expect("the dialects generate");
        let plan = Plan { anchor: "builtin.module".to_owned(), steps: Vec::new() };
        let mut case = Case { module, plan };
        for plan in plans(&case, &mut choices) {
            case.plan = plan;
            match case.check(&registry) {
                Ok(Verdict::Same) => {}
                Ok(Verdict::Refused) => refused += 1,
                Ok(Verdict::Undefined) => undefined += 1,
                Err(fault) => {
                    let small = case.shrink(&fault, &registry);
                    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("meaning-{seed}.mlir"));
                    std::fs::write(&file, small.text()).expect("a file in the target directory");
                    found.push(format!("seed {seed}: {fault}\n{}\n// in {}", small.text(), file.display()));
                    break;
                }
            }
            checked += 1;
        }
        if found.len() > 10 {
            break;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n\n"));
    assert!(undefined * 4 < checked, "{undefined} of {checked} have undefined behavior");
    (checked, refused)
}

#[test]
fn each_pass_preserves_semantics() {
    let (registry, names) = passes();
    let (checked, refused) = check(10, |case, choices| {
        let plain = names.iter().map(|&name| Plan::of_pass(&case.module, name));
        let with_options = |&name| Plan::with_options(&case.module, &registry, name, choices);
        plain.chain(names.iter().map(with_options)).collect()
    });
    assert!(refused * 4 < checked, "{refused} of {checked} are refused");
}

#[test]
fn random_pipelines_preserve_semantics() {
    let (registry, names) = passes();
    let (checked, refused) =
        check(200, |case, choices| vec![Plan::random(&case.module, &registry, &names, choices)]);
    assert!(refused * 4 < checked, "{refused} of {checked} are refused");
}

#[test]
fn regressions() {
    let (registry, _) = passes();
    let ctx = common::context();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let (mut count, mut wrong) = (0, Vec::new());
    for path in paths {
        let sources = SourceMap::new();
        let text = std::fs::read_to_string(&path).expect("a file");
        let file = sources.add(path.display().to_string(), text);
        let case = Case::parse(&ctx, &registry, &sources, file).unwrap_or_else(|errors| {
            panic!("{}", errors.iter().map(|error| render(error, &sources)).collect::<String>())
        });
        count += 1;
        wrong.extend(case.check(&registry).err().map(|fault| format!("{}: {fault}", path.display())));
    }
    assert!(count > 0, "there are cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_dialect_dependencies() {
    let manifest = include_str!("../../Cargo.toml");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("a section");
    let (section, _) = rest.split_once("\n[").expect("another section");
    let names: Vec<&str> = section.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).collect();
    assert!(names.contains(&"minoan-services"), "the section is read: {names:?}");
    let dialects = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../dialects")).expect("a folder");
    for dialect in dialects {
        let manifest = dialect.expect("an entry").path().join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a manifest");
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
        assert!(!names.contains(&name.trim_matches('"')), "{name} is a dependency");
    }
}

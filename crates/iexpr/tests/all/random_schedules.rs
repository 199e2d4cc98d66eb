//! Property test: random legal schedules change loops, but never values.

use crate::common::generate::{Choices, PATTERNS, alike, arguments, expression, extents, is_exact, list};
use crate::common::{expected, run};
use minoan_iexpr_dialect::{Expr, Schedule, Split, Step};
use proptest::prelude::*;

/// Random splits and a random loop order for an expression, without stages.
fn schedule(choices: &mut Choices<'_>, expr: &Expr) -> Schedule {
    let mut schedule = Schedule::default();
    let mut parts = Vec::new();
    for axis in expr.axes() {
        let factors: Vec<u32> = (0..choices.below(3)).map(|_| choices.pick(&[1, 2, 3, 4, 5])).collect();
        parts.extend((0..=factors.len() as u32).map(|part| Step::Loop { axis, part }));
        if !factors.is_empty() {
            schedule.splits.push(Split { axis, factors });
        }
    }
    for index in (1..parts.len()).rev() {
        parts.swap(index, choices.below(index + 1));
    }
    if choices.below(5) > 0 {
        schedule.steps = parts;
    }
    let is_output = |step: &Step| matches!(step, Step::Loop { axis, .. } if expr.output.0.contains(axis));
    let last = schedule.steps.iter().rposition(is_output).map_or(0, |last| last + 1);
    if expr.is_reduction() && !schedule.steps.is_empty() && choices.below(2) == 0 {
        let at = last + choices.below(schedule.steps.len() - last + 1);
        schedule.steps.insert(at, Step::Init);
    }
    schedule
}

/// Adds a stage for an input of an expression.
fn stage(choices: &mut Choices<'_>, expr: &mut Expr, input: usize) {
    let Some(schedule) = &mut expr.schedule else { return };
    let at = choices.below(schedule.steps.len() + 1);
    schedule.steps.insert(at, Step::Stage(input));
}

/// A schedule for a producer that matches its consumer's: its output axes are split and ordered in the same way.
fn aligned(choices: &mut Choices<'_>, producer: &mut Expr, consumer: &Expr, input: usize) {
    let Some(theirs) = consumer.schedule.clone() else { return };
    let partner = |axis: char| {
        let position = consumer.inputs[input].0.iter().position(|&it| it == axis)?;
        Some(producer.output.0[position])
    };
    let mut schedule = Schedule::default();
    for split in &theirs.splits {
        for (&own, _) in producer
            .output
            .0
            .iter()
            .zip(&consumer.inputs[input].0)
            .filter(|(_, theirs)| **theirs == split.axis)
        {
            schedule.splits.push(Split { axis: own, factors: split.factors.clone() });
        }
    }
    // Reduction axes go anywhere; the others follow the consumer's.
    let mut steps: Vec<Step> = Vec::new();
    for step in &theirs.steps {
        if let Step::Loop { axis, part } = *step {
            let repeated = consumer.inputs[input].0.iter().filter(|&&it| it == axis).count() > 1;
            if repeated {
                producer.schedule = Some(Schedule::default());
                return;
            }
            steps.extend(partner(axis).map(|axis| Step::Loop { axis, part }));
        }
    }
    for axis in producer.reduced_axes() {
        let factors: Vec<u32> = (0..choices.below(2)).map(|_| choices.pick(&[2, 3])).collect();
        if !steps.is_empty() {
            for part in 0..=factors.len() as u32 {
                let at = choices.below(steps.len() + 1);
                steps.insert(at, Step::Loop { axis, part });
            }
        }
        if !factors.is_empty() {
            schedule.splits.push(Split { axis, factors });
        }
    }
    schedule.steps = steps;
    producer.schedule = Some(schedule);
}

fn parsed(text: &str) -> Expr {
    minoan_iexpr_dialect::parse(text).expect("it is one").0
}

fn literal(expr: &Expr) -> String {
    let (again, places) = minoan_iexpr_dialect::parse(&expr.to_string()).expect("what is printed reads back");
    assert_eq!(&again, expr);
    assert_eq!(minoan_iexpr_dialect::check(&again, &places), [], "{expr}");
    format!("i(\"{expr}\")")
}

/// The source of an input.
enum Source {
    /// An input of the component.
    Open,
    /// The output of another expression.
    Tree(Box<Tree>),
    /// The first input again.
    Again,
}

/// An expression and the sources of its inputs.
struct Tree {
    expr: Expr,
    sources: Vec<Source>,
}

impl Tree {
    /// A random tree, and the pattern of its output.
    fn random(choices: &mut Choices<'_>, depth: usize) -> (Tree, String) {
        let (mut sources, mut reads): (Vec<Source>, Vec<String>) = (Vec::new(), Vec::new());
        for input in 0..1 + choices.below(2) {
            let (source, pattern) = match choices.below(5) {
                0 if input == 1 => (Source::Again, reads[0].clone()),
                1..=3 if depth > 0 => {
                    let (tree, output) = Tree::random(choices, depth - 1);
                    (Source::Tree(Box::new(tree)), output)
                }
                _ => (Source::Open, choices.pick(&PATTERNS).to_owned()),
            };
            sources.push(source);
            reads.push(pattern);
        }
        let (text, output) = expression(choices, &reads.iter().map(String::as_str).collect::<Vec<_>>());
        (Tree { expr: parsed(&text), sources }, output)
    }

    fn text(&self) -> String {
        let mut parts = Vec::new();
        for source in &self.sources {
            match source {
                Source::Open => parts.push("I".to_owned()),
                Source::Tree(tree) => parts.push(format!("({})", tree.text())),
                Source::Again => return format!("{} >> (I & I) >> {}", parts[0], literal(&self.expr)),
            }
        }
        format!("({}) >> {}", parts.join(" | "), literal(&self.expr))
    }

    /// The patterns of the component's inputs.
    fn open(&self, out: &mut Vec<String>) {
        for (source, pattern) in self.sources.iter().zip(&self.expr.inputs) {
            match source {
                Source::Open => out.push(pattern.0.iter().collect()),
                Source::Tree(tree) => tree.open(out),
                Source::Again => {}
            }
        }
    }

    /// Schedules the producers of the inputs, mostly so that they can be computed in the consumer's loops; returns
    /// the number of staged inputs.
    fn schedule(&mut self, choices: &mut Choices<'_>) -> usize {
        let (consumer, mut staged) = (self.expr.clone(), 0);
        let first_is_computed = matches!(self.sources[0], Source::Tree(_));
        for (input, source) in self.sources.iter_mut().enumerate() {
            if let Source::Tree(tree) = source {
                match choices.below(8) {
                    0 => tree.expr.schedule = Some(schedule(choices, &tree.expr)),
                    1 => {}
                    _ => aligned(choices, &mut tree.expr, &consumer, input),
                }
                staged += tree.schedule(choices);
            }
            let is_computed = match source {
                Source::Open => false,
                Source::Tree(_) => true,
                Source::Again => first_is_computed,
            };
            if is_computed && choices.below(4) > 0 && self.expr.schedule.is_some() {
                stage(choices, &mut self.expr, input);
                staged += 1;
            }
        }
        staged
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn schedules_preserve_values(list in list(80), extents in extents()) {
        let mut choices = Choices { list: &list, at: 0 };
        let many = 1 + choices.below(2);
        let inputs: Vec<&str> = (0..many).map(|_| choices.pick(&PATTERNS)).collect();
        let (text, _) = expression(&mut choices, &inputs);
        let mut expr = parsed(&text);
        let want_text = format!("main = i(\"{expr}\")");
        expr.schedule = Some(schedule(&mut choices, &expr));
        let names: Vec<String> = inputs.iter().map(|&it| it.to_owned()).collect();
        let arguments = arguments(&mut choices, &names, &extents);
        let want = expected(&want_text, &arguments).expect("extents fit");
        let have = run(&format!("main = {}", literal(&expr)), &arguments).expect("runs");
        prop_assert!(alike(&have, &want), "{expr}: {have:?}, expected {want:?}");
    }

    #[test]
    fn staging_preserves_values(list in list(300), extents in extents(), depth in 1usize..4) {
        let mut choices = Choices { list: &list, at: 0 };
        let (mut tree, _) = Tree::random(&mut choices, depth);
        let plain = format!("main = {}", tree.text());
        let mut open = Vec::new();
        tree.open(&mut open);
        tree.expr.schedule = Some(schedule(&mut choices, &tree.expr));
        let staged = tree.schedule(&mut choices);
        let arguments = arguments(&mut choices, &open, &extents);
        let want = expected(&plain, &arguments).expect("extents fit");
        prop_assume!(is_exact(&want));
        let text = format!("main = {}", tree.text());
        match run(&text, &arguments) {
            Ok(have) => prop_assert!(alike(&have, &want), "{text}: {have:?}, expected {want:?}"),
            Err(error) => {
                let known = ["not lowered yet: stage", "producer axes align with", "producer index `"];
                prop_assert!(staged > 0 && known.iter().any(|it| error.contains(it)), "{text}\n{error}");
            }
        }
    }
}

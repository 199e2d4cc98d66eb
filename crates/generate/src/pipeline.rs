//! Random pipelines.

use crate::Choices;
use minoan_ir::{Module, Traits};
use minoan_pass::{Anchor, Node, OptionInfo, PassRegistry, Pipeline, Step, pass_text};
use std::fmt;

/// A pipeline in a form that can be reduced: passes with their options, some of them nested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The operation that it runs on, such as `builtin.module`.
    pub anchor: String,
    /// The steps in order.
    pub steps: Vec<Planned>,
}

/// A step of a [`Plan`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    /// A pass with its options, such as `cse` or `inline{max-operations=3}`.
    Pass(String),
    /// A nested pipeline.
    Nested(Plan),
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        for (index, step) in self.steps.iter().enumerate() {
            f.write_str(if index > 0 { "," } else { "" })?;
            match step {
                Planned::Pass(pass) => f.write_str(pass)?,
                Planned::Nested(plan) => plan.fmt(f)?,
            }
        }
        f.write_str(")")
    }
}

impl Plan {
    /// A plan of a single pass with its options.
    pub fn of_pass(module: &Module, pass: impl Into<String>) -> Plan {
        Plan { anchor: anchor(module), steps: vec![Planned::Pass(pass.into())] }
    }

    /// A plan of a single pass, sometimes with random options.
    pub fn with_options(
        module: &Module,
        passes: &PassRegistry,
        name: &str,
        choices: &mut Choices<'_>,
    ) -> Plan {
        Plan::of_pass(module, pass(passes, name, choices))
    }

    /// The plan of a pipeline.
    pub fn of(pipeline: &Pipeline) -> Plan {
        Plan { anchor: pipeline.anchor().to_owned(), steps: planned(pipeline.steps()) }
    }

    /// A random pipeline over `passes`: a selection, possibly with repetitions, with random options, some of them
    /// nested in pipelines on functions or on any operation.
    pub fn random(module: &Module, passes: &PassRegistry, names: &[&str], choices: &mut Choices<'_>) -> Plan {
        let mut steps = Vec::new();
        let nested: Vec<&str> = names.iter().copied().filter(|name| is_anywhere(passes, name)).collect();
        for _ in 0..1 + choices.below(8) {
            if !nested.is_empty() && choices.rarely(5) {
                let anchor = if choices.below(2) == 0 { "any".to_owned() } else { function(module) };
                let inner = (0..1 + choices.below(3)).map(|_| pass(passes, choices.pick(&nested), choices));
                steps.push(Planned::Nested(Plan { anchor, steps: inner.map(Planned::Pass).collect() }));
            } else if !names.is_empty() {
                steps.push(Planned::Pass(pass(passes, choices.pick(names), choices)));
            }
        }
        Plan { anchor: anchor(module), steps }
    }

    /// The plans that result from removing one step or one level of nesting.
    pub fn shorter(&self) -> Vec<Plan> {
        let mut plans = Vec::new();
        for at in 0..self.steps.len() {
            let with = |steps: &[Planned]| {
                let steps = [&self.steps[..at], steps, &self.steps[at + 1..]].concat();
                Plan { anchor: self.anchor.clone(), steps }
            };
            plans.push(with(&[]));
            if let Planned::Nested(plan) = &self.steps[at] {
                plans.push(with(&plan.steps));
                plans.extend(plan.shorter().into_iter().map(|plan| with(&[Planned::Nested(plan)])));
            }
        }
        plans
    }
}

fn planned(nodes: &[Node]) -> Vec<Planned> {
    let mut steps = Vec::new();
    for node in nodes {
        match &node.step {
            Step::Pass(pass) => steps.push(Planned::Pass(pass_text(&**pass))),
            Step::Nested(nests) => steps.extend(nests.iter().map(|(anchor, nodes)| {
                Planned::Nested(Plan { anchor: anchor.clone(), steps: planned(nodes) })
            })),
        }
    }
    steps
}

fn anchor(module: &Module) -> String {
    module.holder().op(module.op()).name().to_owned()
}

/// The name of the function operation.
fn function(module: &Module) -> String {
    let body = module.body();
    let function =
        body.walk().into_iter().map(|op| body.op(op)).find(|op| op.has_trait(Traits::FUNCTION_LIKE));
    function.map_or_else(|| "any".to_owned(), |op| op.name().to_owned())
}

fn is_anywhere(passes: &PassRegistry, name: &str) -> bool {
    passes.make(name).is_some_and(|pass| pass.anchor() == Anchor::Any)
}

/// A pass, sometimes with options.
fn pass(passes: &PassRegistry, name: &str, choices: &mut Choices<'_>) -> String {
    let mut given = Vec::new();
    for option in passes.options(name) {
        if choices.rarely(3)
            && let Some(value) = value(&option, choices)
        {
            given.push(format!("{}={value}", option.name));
        }
    }
    if given.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", given.join(" ")) }
}

/// A random value for an option, derived from its documented kind; `None` if that is free text.
fn value(option: &OptionInfo, choices: &mut Choices<'_>) -> Option<String> {
    match option.kind {
        "integer" | "unsigned integer" => Some(choices.pick(&["0", "1", "2", "3", "5", "100"]).to_owned()),
        "true or false" => Some(choices.pick(&["true", "false"]).to_owned()),
        kind => {
            // "disabled, normal or aggressive"
            let words: Vec<&str> = kind.split(", ").flat_map(|part| part.split(" or ")).collect();
            (words.len() > 1).then(|| choices.pick(&words).to_owned())
        }
    }
}

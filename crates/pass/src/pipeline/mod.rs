//! Pipelines: the passes to run on each kind of operation.

mod parse;

use crate::{Anchor, Pass, options};
use std::fmt;

/// A sequence of passes on an operation and on its nested operations.
pub struct Pipeline {
    /// The operation that it runs on: `builtin.module`, or `any`.
    anchor: String,
    steps: Vec<Node>,
    nodes: usize,
}

/// A step with its index in the pipeline, which identifies its timing and statistics.
pub struct Node {
    pub(crate) id: usize,
    /// The step.
    pub step: Step,
}

/// A step of a pipeline.
pub enum Step {
    /// A pass.
    Pass(Box<dyn Pass>),
    /// Nested pipelines on the immediately nested operations; each operation runs the first one whose name matches.
    Nested(Vec<(String, Vec<Node>)>),
}

impl Pipeline {
    /// Creates a pipeline of passes on the top-level operation.
    pub fn new(passes: Vec<Box<dyn Pass>>) -> Self {
        Self::of("builtin.module".to_owned(), passes.into_iter().map(Step::Pass).collect())
    }

    /// Creates a pipeline on an operation. Adjacent nested steps are merged and run operation by operation.
    pub fn of(anchor: String, steps: Vec<Step>) -> Self {
        let mut pipeline = Self { anchor, steps: nodes(steps), nodes: 0 };
        let mut next = 0;
        number(&mut pipeline.steps, &mut next);
        pipeline.nodes = next;
        pipeline
    }

    /// The operation that the pipeline runs on; `any` for every operation.
    pub fn anchor(&self) -> &str {
        &self.anchor
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Node] {
        &self.steps
    }

    /// The number of steps, including nested ones.
    pub(crate) fn size(&self) -> usize {
        self.nodes
    }

    /// Prints the pipeline as MLIR does: one line per pass, under the number of steps.
    pub fn tree(&self) -> String {
        let steps: usize = self
            .steps
            .iter()
            .map(|node| match &node.step {
                Step::Pass(_) => 1,
                Step::Nested(nests) => nests.len(),
            })
            .sum();
        let mut text = format!("Pass Manager with {steps} passes:\n{}(\n", self.anchor);
        tree_of(&self.steps, 1, &mut text);
        text.push_str("\n)\n");
        text
    }

    /// All passes in order, including nested ones.
    pub fn passes(&self) -> Vec<&dyn Pass> {
        let mut found = Vec::new();
        collect(&self.steps, &mut found);
        found
    }
}

fn collect<'p>(steps: &'p [Node], found: &mut Vec<&'p dyn Pass>) {
    for node in steps {
        match &node.step {
            Step::Pass(pass) => found.push(&**pass),
            Step::Nested(nests) => nests.iter().for_each(|(_, steps)| collect(steps, found)),
        }
    }
}

/// Numbers the steps and merges adjacent nested steps.
pub(crate) fn nodes(steps: Vec<Step>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for step in steps {
        match (nodes.last_mut().map(|node| &mut node.step), step) {
            (Some(Step::Nested(before)), Step::Nested(nests)) => {
                nests.into_iter().for_each(|nest| join(before, nest))
            }
            (_, step) => nodes.push(Node { id: 0, step }),
        }
    }
    nodes
}

fn join(before: &mut Vec<(String, Vec<Node>)>, (anchor, steps): (String, Vec<Node>)) {
    match before.iter_mut().find(|(name, _)| *name == anchor) {
        Some((_, earlier)) => {
            let all = std::mem::take(earlier).into_iter().chain(steps);
            *earlier = nodes(all.map(|node| node.step).collect());
        }
        None => before.push((anchor, steps)),
    }
}

fn number(steps: &mut [Node], next: &mut usize) {
    for node in steps {
        node.id = *next;
        *next += 1;
        if let Step::Nested(nests) = &mut node.step {
            nests.iter_mut().for_each(|(_, steps)| number(steps, next));
        }
    }
}

/// A message if the pass cannot run at its position in the pipeline.
pub(crate) fn misplaced(pass: &dyn Pass, anchor: &str, depth: usize) -> Option<String> {
    let wants_module = pass.anchor() == Anchor::Module && depth > 0;
    wants_module.then(|| {
        format!("can't add pass '{}' restricted to the whole module on a PassManager intended to run on '{anchor}'", pass.name())
    })
}

/// The text of a pass, such as `cse` or `canonicalize{max-iterations=5}`.
pub fn pass_text(pass: &dyn Pass) -> String {
    match pass.options().map(options::text_of) {
        Some(text) if !text.is_empty() => format!("{}{{{text}}}", pass.name()),
        _ => pass.name().to_owned(),
    }
}

impl fmt::Display for Pipeline {
    /// Prints the text from which the pipeline can be parsed. Options at their defaults are omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        write_steps(&self.steps, f)?;
        write!(f, ")")
    }
}

fn tree_of(steps: &[Node], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let mut between = "";
    for node in steps {
        match &node.step {
            Step::Pass(pass) => text.push_str(&format!("{between}{indent}{}", pass_text(&**pass))),
            Step::Nested(nests) => {
                for (anchor, steps) in nests {
                    text.push_str(&format!("{between}{indent}{anchor}(\n"));
                    tree_of(steps, depth + 1, text);
                    text.push_str(&format!("\n{indent})"));
                    between = ",\n";
                }
            }
        }
        between = ",\n";
    }
}

fn write_steps(steps: &[Node], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, node) in steps.iter().enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        match &node.step {
            Step::Pass(pass) => f.write_str(&pass_text(&**pass))?,
            Step::Nested(nests) => {
                for (index, (anchor, steps)) in nests.iter().enumerate() {
                    write!(f, "{}{anchor}(", if index > 0 { "," } else { "" })?;
                    write_steps(steps, f)?;
                    f.write_str(")")?;
                }
            }
        }
    }
    Ok(())
}

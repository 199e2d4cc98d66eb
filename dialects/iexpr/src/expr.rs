//! The i-expression, and its text.

use crate::operator::Operator;
use std::fmt;

/// The names of dimensions, in order; empty for a scalar.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pattern(pub Vec<char>);

impl Pattern {
    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.0.len()
    }
}

/// A split of an axis: `i:2:4` has a base part, and parts with 2 and 4 iterations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Split {
    /// The axis.
    pub axis: char,
    /// The factors of the parts after the base, outermost first.
    pub factors: Vec<u32>,
}

/// An element of the third segment of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A loop over a part of an axis: part 1 of `i` is `i'`.
    Loop {
        /// The axis.
        axis: char,
        /// The index of the part; 0 is the base.
        part: u32,
    },
    /// Computes the producer of this input here.
    Stage(usize),
    /// Initializes the accumulator here.
    Init,
}

/// A schedule, which determines how an expression is computed but not its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Schedule {
    /// The splits of axes.
    pub splits: Vec<Split>,
    /// The loops and the actions between them, outermost first.
    pub steps: Vec<Step>,
}

/// An i-expression.
///
/// [`Display`](fmt::Display) prints it without white space; [`parse`](crate::parse) parses that text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// The operator; `None` for pure data movement.
    pub operator: Option<Operator>,
    /// The patterns of the inputs, one or two.
    pub inputs: Vec<Pattern>,
    /// The pattern of the output.
    pub output: Pattern,
    /// The schedule, if any.
    pub schedule: Option<Schedule>,
}

impl Expr {
    /// The elements of a tensor as numbers: `+ij~ij` for rank 2.
    pub fn number(rank: usize) -> Expr {
        let axes = Pattern(('a'..='z').take(rank).collect());
        Expr { operator: Some(Operator::Add), inputs: vec![axes.clone()], output: axes, schedule: None }
    }

    /// All axes: those of the output, then the others in order of first occurrence.
    pub fn axes(&self) -> Vec<char> {
        let mut axes: Vec<char> = Vec::new();
        let all = self.output.0.iter().chain(self.inputs.iter().flat_map(|input| &input.0));
        for &axis in all {
            if !axes.contains(&axis) {
                axes.push(axis);
            }
        }
        axes
    }

    /// The axes of the inputs that the output lacks.
    pub fn reduced_axes(&self) -> Vec<char> {
        let mut axes = self.axes();
        axes.retain(|axis| !self.output.0.contains(axis));
        axes
    }

    /// Whether the expression reduces an axis.
    pub fn is_reduction(&self) -> bool {
        !self.reduced_axes().is_empty()
    }

    /// The expression without its schedule.
    pub fn semantics(&self) -> Expr {
        Expr { schedule: None, ..self.clone() }
    }

    /// The second and third segment: the splits, and the loops.
    pub fn schedule_text(&self) -> Option<(Vec<String>, String)> {
        let schedule = self.schedule.as_ref()?;
        let splits = schedule.splits.iter().map(Split::to_string).collect();
        Some((splits, schedule.steps.iter().map(Step::to_string).collect()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(".");
        }
        self.0.iter().try_for_each(|axis| write!(f, "{axis}"))
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.axis)?;
        self.factors.iter().try_for_each(|factor| write!(f, ":{factor}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Loop { axis, part } => {
                write!(f, "{axis}")?;
                (0..*part).try_for_each(|_| f.write_str("'"))
            }
            Step::Stage(input) => write!(f, "{input}"),
            Step::Init => f.write_str("!"),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = self.operator.map_or("", Operator::symbol);
        match &self.inputs[..] {
            [left, right] => write!(f, "{left}{operator}{right}~{}", self.output)?,
            inputs => {
                f.write_str(operator)?;
                inputs.iter().try_for_each(|input| write!(f, "{input}"))?;
                write!(f, "~{}", self.output)?;
            }
        }
        match self.schedule_text() {
            Some((splits, loops)) => write!(f, "|{}|{loops}", splits.join(",")),
            None => Ok(()),
        }
    }
}

//! Static rules of expressions and schedules.

use crate::expr::{Expr, Schedule, Step};
use crate::operator::Operator;
use crate::plan::{Part, product};
use crate::problem::{Places, Problem};

/// The maximum number of dimensions of an input.
pub const MAX_DIMENSIONS: usize = 32;

/// The maximum number of factors of a split.
pub const MAX_FACTORS: usize = 16;

/// The rules that an expression violates; empty for a valid one. `places` are the positions in its text.
///
/// ```
/// use minoan_iexpr_dialect::{check, parse};
/// let (expr, places) = parse("ik*kj~ij").map_err(|problem| problem.message)?;
/// let problems = check(&expr, &places);
/// assert_eq!(problems[0].message, "binary operator must be pointwise; output axes must match the union of input axes");
/// assert_eq!(problems[0].labels, [(1..2, "`k` is not in the output".to_owned())]);
/// # Ok::<(), String>(())
/// ```
pub fn check(expr: &Expr, places: &Places) -> Vec<Problem> {
    let mut rules = Rules { expr, places, problems: Vec::new() };
    rules.patterns();
    if rules.problems.is_empty() {
        rules.form();
    }
    if let (true, Some(schedule)) = (rules.problems.is_empty(), &expr.schedule) {
        rules.splits(schedule);
        if rules.problems.is_empty() {
            rules.steps(schedule);
        }
    }
    rules.problems
}

struct Rules<'a> {
    expr: &'a Expr,
    places: &'a Places,
    problems: Vec<Problem>,
}

impl Rules<'_> {
    fn patterns(&mut self) {
        let output = &self.expr.output.0;
        for (position, &axis) in output.iter().enumerate() {
            let at = self.places.output_axis(position);
            if let Some(first) = output[..position].iter().position(|&other| other == axis) {
                let problem = Problem::new(at, format!("output axis `{axis}` is repeated"));
                self.problems.push(problem.label(self.places.output_axis(first), "the first one"));
                return;
            }
            if !self.expr.inputs.iter().any(|input| input.0.contains(&axis)) {
                let message = format!("output axis `{axis}` does not appear in the input");
                self.problems.push(Problem::new(at, message));
            }
        }
        for (input, at) in self.expr.inputs.iter().zip(&self.places.inputs) {
            if input.rank() > MAX_DIMENSIONS {
                let message =
                    format!("an input has at most {MAX_DIMENSIONS} dimensions, found {}", input.rank());
                self.problems.push(Problem::new(at.clone(), message));
            }
        }
    }

    /// The first occurrence of an axis among the inputs.
    fn first_place(&self, axis: char) -> (usize, std::ops::Range<usize>) {
        let inputs = self.expr.inputs.iter().enumerate();
        let mut found = inputs.filter_map(|(index, input)| {
            let position = input.0.iter().position(|&other| other == axis)?;
            Some((index, self.places.input_axis(index, position)))
        });
        found.next().unwrap_or((0, self.places.output.clone()))
    }

    fn form(&mut self) {
        let operator_at = self.places.operator.clone().unwrap_or(0..0);
        let (operator, reduced) = (self.expr.operator, self.expr.reduced_axes());
        let is_binary = self.expr.inputs.len() == 2;
        if let Some(operator) = operator.filter(|operator| is_binary && !operator.is_binary()) {
            let message = format!("operator `{operator}` has one operand");
            self.problems.push(Problem::new(operator_at.clone(), message));
        }
        let Some(&axis) = reduced.first() else { return };
        let dropped = self.first_place(axis).1;
        let problem = match operator {
            _ if is_binary => {
                let message =
                    "binary operator must be pointwise; output axes must match the union of input axes";
                let problem = Problem::new(self.places.output.clone(), message);
                problem
                    .label(dropped, format!("`{axis}` is not in the output"))
                    .help("keep all axes, and reduce in a second expression that this one is chained into")
            }
            None => {
                let message = format!(
                    "an expression without operator must keep all axes; `{axis}` is not in the output"
                );
                let help = format!("write a sum: `+{}~{}`", self.expr.inputs[0], self.expr.output);
                Problem::new(dropped, message).help(help)
            }
            Some(operator) if !operator.is_reducible() => {
                let reducible: Vec<&str> =
                    Operator::ALL.iter().filter(|it| it.is_reducible()).map(|it| it.symbol()).collect();
                let problem = Problem::new(operator_at, format!("operator `{operator}` is not reducible"));
                problem
                    .label(dropped, format!("`{axis}` would be reduced: it is not in the output"))
                    .help(format!("operators that reduce are `{}`", reducible.join("` `")))
            }
            Some(_) => return,
        };
        self.problems.push(problem);
    }

    fn splits(&mut self, schedule: &Schedule) {
        let axes = self.expr.axes();
        for (split, at) in schedule.splits.iter().zip(&self.places.splits) {
            let mut report = |message: String| self.problems.push(Problem::new(at.clone(), message));
            if !axes.contains(&split.axis) {
                report(format!("split axis `{}` does not appear in the expression", split.axis));
            }
            if split.factors.contains(&0) {
                report(format!("split factors of axis `{}` must be at least 1, found 0", split.axis));
            }
            if split.factors.len() > MAX_FACTORS {
                report(format!("a split has at most {MAX_FACTORS} factors, found {}", split.factors.len()));
            } else if product(&split.factors).is_none() {
                report(format!("the factors of axis `{}` are too large together", split.axis));
            }
        }
    }

    fn steps(&mut self, schedule: &Schedule) {
        let parts = Part::all(self.expr);
        let mut seen: Vec<(Part, usize)> = Vec::new();
        for (index, step) in schedule.steps.iter().enumerate() {
            match *step {
                Step::Loop { axis, part } => {
                    let this = Part { axis, part };
                    if !parts.contains(&this) {
                        return self.unknown_part(&parts, this, index);
                    }
                    if let Some(&(_, first)) = seen.iter().find(|(other, _)| *other == this) {
                        let message = format!("`{this}` occurs twice in the loop order");
                        let problem = Problem::new(self.places.step(index), message);
                        self.problems.push(problem.label(self.places.step(first), "the first one"));
                        return;
                    }
                    seen.push((this, index));
                }
                Step::Stage(input) if input >= self.expr.inputs.len() => {
                    let message = format!("there is no input {input}: the expression has one, which is `0`");
                    self.problems.push(Problem::new(self.places.step(index), message));
                }
                Step::Stage(_) | Step::Init => {}
            }
        }
        let missing: Vec<String> = parts
            .iter()
            .filter(|part| !seen.iter().any(|(other, _)| other == *part))
            .map(|part| format!("`{part}`"))
            .collect();
        if !seen.is_empty() && !missing.is_empty() {
            let last = self.places.step(seen[seen.len() - 1].1);
            let message =
                format!("the loop order must have every part of every axis; missing: {}", missing.join(", "));
            self.problems.push(Problem::new(last, message));
        }
        if self.problems.is_empty() {
            self.init(schedule, &seen, &parts);
        }
    }

    fn unknown_part(&mut self, parts: &[Part], this: Part, index: usize) {
        let of_axis = parts.iter().filter(|part| part.axis == this.axis).count();
        let message = match of_axis {
            0 => format!("loop axis `{}` does not appear in the expression", this.axis),
            1 => format!("axis `{}` is not split: there is no part `{}`", this.axis, short(this)),
            many => format!("axis `{}` has {many} parts: there is no part `{}`", this.axis, short(this)),
        };
        self.problems.push(Problem::new(self.places.step(index), message));
    }

    fn init(&mut self, schedule: &Schedule, seen: &[(Part, usize)], parts: &[Part]) {
        let Some(init) = schedule.steps.iter().position(|step| *step == Step::Init) else { return };
        let at = self.places.step(init);
        if !self.expr.is_reduction() {
            let message = "`!` sets an accumulator, but the expression does not reduce";
            self.problems.push(Problem::new(at, message));
            return;
        }
        let is_output = |part: &Part| self.expr.output.0.contains(&part.axis);
        let later = match seen {
            [] => parts.iter().copied().rfind(is_output).map(|part| (part, None)),
            seen => seen
                .iter()
                .rev()
                .find(|(part, index)| is_output(part) && *index > init)
                .map(|&(part, index)| (part, Some(index))),
        };
        if let Some((part, index)) = later {
            let message = format!("`!` must come after the last loop over an output axis, which is `{part}`");
            let problem = Problem::new(at, message);
            let place = index.map(|index| self.places.step(index));
            self.problems.push(match place {
                Some(place) => problem.label(place, "this loop is inside"),
                None => problem,
            });
        }
    }
}

/// The name of a part, truncated for use in a message.
fn short(part: Part) -> String {
    const MAX_LENGTH: u32 = 8;
    if part.part > MAX_LENGTH { format!("{}'..", part.axis) } else { part.to_string() }
}

//! Execution plans: an expression with numbered axes, parts, and ordered loops.

use crate::expr::{Expr, Step};
use std::fmt;

/// A part of an axis: part 0 is the base, part 1 of `i` is `i'`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The axis.
    pub axis: char,
    /// The index of the part.
    pub part: u32,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Step::Loop { axis: self.axis, part: self.part }.fmt(f)
    }
}

impl Part {
    /// All parts of an expression's axes in canonical order: by axis, outermost part first.
    pub(crate) fn all(expr: &Expr) -> Vec<Part> {
        let parts = |axis| (0..=factors(expr, axis).len() as u32).map(move |part| Part { axis, part });
        expr.axes().into_iter().flat_map(parts).collect()
    }
}

fn factors(expr: &Expr, axis: char) -> &[u32] {
    let splits = expr.schedule.iter().flat_map(|schedule| &schedule.splits);
    splits.filter(|split| split.axis == axis).map(|split| &split.factors[..]).next().unwrap_or_default()
}

/// The product of factors, unless it overflows.
pub(crate) fn product(factors: &[u32]) -> Option<i64> {
    let product = factors.iter().try_fold(1i64, |product, &factor| product.checked_mul(i64::from(factor)))?;
    (product <= 1 << 40).then_some(product)
}

/// A part of an axis, by indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct PartId {
    /// The index of the axis in canonical order.
    pub(crate) axis: usize,
    /// The index of the part.
    pub(crate) part: usize,
}

/// A valid expression in executable form.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) expr: Expr,
    /// The axes in canonical order: those of the output, then the reduced ones.
    pub(crate) axes: Vec<char>,
    /// The factors of each axis, without the base.
    pub(crate) factors: Vec<Vec<i64>>,
    /// The axis of each dimension of each input.
    pub(crate) inputs: Vec<Vec<usize>>,
    /// All loops, outermost first.
    pub(crate) loops: Vec<PartId>,
    /// For each staged input, the number of loops around its computation.
    pub(crate) sites: Vec<Option<usize>>,
}

impl Plan {
    pub(crate) fn of(expr: &Expr) -> Plan {
        let axes = expr.axes();
        let number = |axis: char| axes.iter().position(|&other| other == axis).unwrap_or(0);
        let steps = expr.schedule.as_ref().map_or(&[][..], |schedule| &schedule.steps);
        let (mut loops, mut sites) = (Vec::new(), vec![None; expr.inputs.len()]);
        for step in steps {
            match *step {
                Step::Loop { axis, part } => loops.push(PartId { axis: number(axis), part: part as usize }),
                Step::Stage(input) => sites[input] = Some(loops.len()),
                Step::Init => {}
            }
        }
        if loops.is_empty() {
            let all = Part::all(expr).into_iter();
            loops = all.map(|part| PartId { axis: number(part.axis), part: part.part as usize }).collect();
        }
        let factors = axes.iter().map(|&axis| factors(expr, axis).iter().map(|&it| i64::from(it)).collect());
        let inputs = expr.inputs.iter().map(|input| input.0.iter().map(|&axis| number(axis)).collect());
        Plan { factors: factors.collect(), inputs: inputs.collect(), expr: expr.clone(), axes, loops, sites }
    }

    /// The number of output dimensions; these axes come first.
    pub(crate) fn rank(&self) -> usize {
        self.expr.output.rank()
    }

    pub(crate) fn is_reduced(&self, axis: usize) -> bool {
        axis >= self.rank()
    }

    /// The number of parts of an axis.
    pub(crate) fn parts(&self, axis: usize) -> usize {
        self.factors[axis].len() + 1
    }

    /// The distance along its axis between iterations of a part.
    pub(crate) fn stride(&self, part: PartId) -> i64 {
        self.factors[part.axis][part.part..].iter().product()
    }

    /// The first occurrence of an axis: input and dimension.
    pub(crate) fn first_place(&self, axis: usize) -> (usize, usize) {
        let inputs = self.inputs.iter().enumerate();
        let mut places =
            inputs.filter_map(|(input, axes)| Some((input, axes.iter().position(|&it| it == axis)?)));
        places.next().unwrap_or((0, 0))
    }

    /// The loops around the computation of an input; empty if it is not staged.
    pub(crate) fn loops_around(&self, input: usize) -> &[PartId] {
        &self.loops[..self.sites[input].unwrap_or(0)]
    }

    /// The index of the schedule's step that stages an input.
    pub(crate) fn step_of_stage(&self, input: usize) -> usize {
        let steps = self.expr.schedule.as_ref().map_or(&[][..], |schedule| &schedule.steps);
        steps.iter().position(|step| *step == Step::Stage(input)).unwrap_or(0)
    }

    pub(crate) fn part_name(&self, part: PartId) -> String {
        Part { axis: self.axes[part.axis], part: part.part as u32 }.to_string()
    }
}

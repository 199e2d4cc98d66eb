//! Gradients without reverse mode: by forward mode and by central differences.

use super::Wrt;
use super::numbers::{filled, floats, magnitude, set, tangent_of, total};
use super::precision::Precision;
use super::tangents::{chosen, leaves_of, structure_of, zero_directions};
use crate::interface::ValueType;
use crate::interface::nested::TangentLeaf as Leaf;
use crate::{Backend, Entry, Failure, Session};
use minoan_services::Datum;

/// The gradient of the sum of an entry's results, by forward mode: one run for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn forward_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    backend: Backend,
) -> Result<Vec<Datum>, Failure> {
    let jvp = session.prepare(&session.jvp(entry, wrt)?, backend)?;
    by_element(entry, wrt, args, |directions, _, _| {
        let given: Vec<Datum> = args.iter().chain(directions).cloned().collect();
        Ok(total(&jvp.call(&given)?))
    })
}

/// A gradient by central differences.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The derivatives, in the structure of the parameters.
    pub gradient: Vec<Datum>,
    /// The estimated absolute error of each number in `gradient`, in the same order.
    pub errors: Vec<f64>,
}

/// The gradient of the sum of an entry's results, by central differences: at least five runs for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn difference_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    backend: Backend,
) -> Result<Differences, Failure> {
    let function = session.prepare(&session.packed(entry)?, backend)?;
    let leaves: Vec<ValueType> = entry.interface.params.iter().flat_map(ValueType::leaves).collect();
    let precision = |leaf: usize| leaves.get(leaf).and_then(Precision::of);
    let coarsest = Precision::of_interface(&entry.interface);
    let mut errors = Vec::new();
    let gradient = by_element(entry, wrt, args, |_, leaf, index| {
        let numbers = floats(&args[leaf]).unwrap_or_default();
        let Some(own) = precision(leaf) else { return Ok(f64::NAN) };
        let value = |number: f64| -> Result<Value, Failure> {
            let mut given = args.to_vec();
            given[leaf] = filled(&args[leaf], &|other| if other == index { number } else { numbers[other] });
            let results = function.call(&given)?;
            Ok(Value { total: total(&results), error: coarsest.unit() * magnitude(&results) })
        };
        let middle = value(numbers[index])?;
        // The arguments are rounded, so the steps are not quite those that were chosen.
        let slope = |step: f64| -> Result<Slope, Failure> {
            let (below, above) = (own.round(numbers[index] - step), own.round(numbers[index] + step));
            let (first, last) = (value(below)?, value(above)?);
            let left = (middle.total - first.total) / (numbers[index] - below);
            let right = (last.total - middle.total) / (above - numbers[index]);
            Ok(Slope {
                central: (last.total - first.total) / (above - below),
                gap: (right - left).abs(),
                noise: (last.error + first.error) / (above - below),
            })
        };
        let scale = numbers[index].abs().max(1.0);
        let longest = coarsest.longest_step() * scale;
        let (slope, error) = extrapolated(longest, 2.0 * own.unit() * scale, slope)?;
        errors.push(error);
        Ok(slope)
    })?;
    Ok(Differences { gradient, errors })
}

/// The value of a function, with the error because of its precision.
struct Value {
    total: f64,
    error: f64,
}

/// The differences of a function for a step.
struct Slope {
    central: f64,
    /// The distance between the one-sided differences.
    gap: f64,
    /// The error because of the precision of the function's values.
    noise: f64,
}

/// The limit of central differences as the step goes to zero, and an estimate of its error: Ridders' method, which
/// extrapolates differences of halved steps, down to `shortest`. It ends when the error is small, or grows because of rounding.
/// Where the one-sided differences do not approach each other, at or near a kink, the error is their distance.
fn extrapolated(
    mut step: f64,
    shortest: f64,
    mut slope: impl FnMut(f64) -> Result<Slope, Failure>,
) -> Result<(f64, f64), Failure> {
    const ROWS: usize = 10;
    const SMALL: f64 = 1e-4;
    /// The least ratio of the gaps of a step and of a longer one at a kink; elsewhere it is at most 1/2.
    const KINK: f64 = 0.75;
    let first = slope(step)?;
    let mut last = vec![first.central];
    let (mut best, mut error) = (last[0], f64::INFINITY);
    // The gap and noise of the step with the best slope.
    let (mut gap, mut noise) = (first.gap, first.noise);
    for _ in 1..ROWS {
        step /= 2.0;
        if step < shortest {
            break;
        }
        let next = slope(step)?;
        let mut row = vec![next.central];
        let mut factor = 1.0;
        for (at, before) in last.iter().enumerate() {
            factor *= 4.0;
            let coarse = row[at];
            let fine = (coarse * factor - before) / (factor - 1.0);
            let own = (fine - coarse).abs().max((fine - before).abs()) + next.noise;
            if own <= error {
                (best, error) = (fine, own);
                (gap, noise) = (next.gap, next.noise);
            }
            row.push(fine);
        }
        let change = (row[row.len() - 1] - last[last.len() - 1]).abs();
        let is_done = error <= SMALL * best.abs().max(1.0) || change >= 2.0 * error;
        last = row;
        if is_done {
            break;
        }
    }
    let least = 10.0 * SMALL * best.abs().max(1.0) + 4.0 * noise;
    let is_kink = gap > KINK * first.gap && gap > least;
    Ok((best, if is_kink { error.max(gap) } else { error }))
}

/// A number for each number of the parameters in `wrt`, from the unit direction, the argument and the position in it.
fn by_element(
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Datum],
    mut number: impl FnMut(&[Datum], usize, usize) -> Result<f64, Failure>,
) -> Result<Vec<Datum>, Failure> {
    let leaves = leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?);
    let mut directions = zero_directions(args, &leaves);
    let mut found = Vec::new();
    for (at, &(number_of, leaf)) in leaves.iter().enumerate() {
        let own = &args[number_of];
        let count = if leaf == Leaf::Float { floats(own).map_or(0, |numbers| numbers.len()) } else { 0 };
        let mut numbers = Vec::with_capacity(count);
        for index in 0..count {
            set(&mut directions[at], index, 1.0);
            numbers.push(number(&directions, number_of, index)?);
            set(&mut directions[at], index, 0.0);
        }
        found.push(match leaf {
            Leaf::Float => tangent_of(own, &|index| numbers[index]),
            leaf => structure_of(own, leaf),
        });
    }
    Ok(found)
}

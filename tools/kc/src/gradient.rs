//! `kc grad`, `kc hvp` and `kc jacobian`: print derivatives, and compare them with other methods.

use crate::args::{Execution, Format, Source, count};
use crate::opened::Opened;
use crate::print_line;
use crate::run::execute;
use clap::ValueEnum;
use minoan::gradient::{
    DEFAULT_LANES, Differences, Precision, Wrt, check_direction, chosen_names, difference_gradient, floats,
    forward_gradient,
};
use minoan::inputs::Inputs;
use minoan::interface::{Interface, ValueType};
use minoan::services::TensorData;
use minoan::{Datum, Entry, Failure, Session, diag::Diagnostic};
use std::collections::BTreeMap;

/// Options that all derivative commands share.
#[derive(clap::Args)]
pub struct Derive {
    #[command(flatten)]
    source: Source,
    /// Arguments, as `kc run` takes them
    #[arg(long, value_name = "ARGUMENTS")]
    inputs: Vec<String>,
    /// The parameters to differentiate with respect to, by name [default: all of floats]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    wrt: Vec<String>,
    /// The format of the printed result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    execution: Execution,
}

/// The options of `kc grad`.
#[derive(clap::Args)]
pub struct Grad {
    #[command(flatten)]
    derive: Derive,
    /// The direction of differentiation
    #[arg(long, value_enum, default_value = "reverse")]
    mode: Mode,
    /// Compare the gradient with that of the other mode and with central differences, and report differences
    #[arg(long)]
    check: bool,
    /// Check the use of memory by the machine code of reverse mode, as `kc run` does
    #[arg(long)]
    memory_check: bool,
}

/// The options of `kc hvp`.
#[derive(clap::Args)]
pub struct Hvp {
    #[command(flatten)]
    derive: Derive,
    /// The direction: a value for each parameter to differentiate with respect to, in the forms of `--inputs`. May be
    /// repeated
    #[arg(long, value_name = "VALUES", required = true)]
    direction: Vec<String>,
    /// Compare the product with that of forward mode alone and with central differences, and report differences
    #[arg(long)]
    check: bool,
}

/// The options of `kc jacobian`.
#[derive(clap::Args)]
pub struct Jacobian {
    #[command(flatten)]
    derive: Derive,
    /// The direction of differentiation [default: forward if there are fewer parameters than results]
    #[arg(long, value_enum)]
    mode: Option<Mode>,
    /// The number of parameters for which forward mode computes derivatives in one run
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT_LANES, value_parser = lanes, allow_negative_numbers = true)]
    lanes: usize,
}

fn lanes(text: &str) -> Result<usize, String> {
    count(text, 64).map(usize::from)
}

/// The direction of differentiation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// One run for each number in the parameters
    Forward,
    /// One run
    Reverse,
}

impl Derive {
    fn open(&self, session: &mut Session) -> Result<(Entry, Vec<Datum>), Failure> {
        let opened = Opened::new(session, &self.source)?;
        let entry = opened.entry(session)?;
        // Errors about the parameters come before those about the arguments.
        chosen_names(&entry.interface, self.wrt())?;
        let args = opened.arguments(&entry, &self.inputs)?;
        self.execution.set_threads();
        Ok((entry, args))
    }

    fn wrt(&self) -> Wrt<'_> {
        if self.wrt.is_empty() { Wrt::All } else { Wrt::Named(&self.wrt) }
    }

    /// Compares a derivative with the results of other methods, and prints that they agree.
    ///
    /// # Errors
    /// Lists the numbers that differ.
    fn agrees(
        &self,
        what: &str,
        names: &[String],
        values: &[Datum],
        references: &[Reference<'_>],
    ) -> Result<(), Failure> {
        let (mut report, mut agreeing, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for reference in references {
            let (differing, inaccurate) = compare(names, values, reference);
            report.extend(differing);
            let all = reference.errors.len();
            // Another mode has no errors.
            if inaccurate < all || !reference.is_estimate {
                agreeing.push(reference.name);
            }
            if inaccurate > 0 {
                lines
                    .push(format!("{inaccurate} of {all} central differences are too inaccurate to compare"));
            }
        }
        if !report.is_empty() {
            let error = Diagnostic::error(format!("the {what} does not agree with other ways to compute it"));
            return Err(report.into_iter().fold(error, Diagnostic::note).into());
        }
        lines.insert(0, format!("agrees with {}", agreeing.join(" and ")));
        for line in lines {
            match self.format {
                Format::Text => print_line(&line)?,
                // Standard output is a JSON document.
                Format::Json => eprintln!("{line}"),
            }
        }
        Ok(())
    }

    /// Prints a derivative by parameter.
    fn print(&self, interface: &Interface, derivative: &ValueType, values: &[Datum]) -> Result<(), Failure> {
        let ValueType::Tuple(parts) = derivative else { return Ok(()) };
        let mut values = values.iter();
        let mut object: BTreeMap<String, String> = BTreeMap::new();
        for (name, part) in interface.param_names().into_iter().zip(parts) {
            let own = Interface::new(Vec::new(), part.clone(), Vec::new());
            let count = own.result_leaves().len();
            let leaves: Vec<Datum> = values.by_ref().take(count).cloned().collect();
            if count == 0 {
                continue;
            }
            match self.format {
                Format::Text => print_line(&format!("{name}: {}", own.result_text(&leaves)))?,
                Format::Json => _ = object.insert(name, own.result_json_text(&leaves)),
            }
        }
        match self.format {
            Format::Text => Ok(()),
            Format::Json => {
                let entry = |(name, value)| format!("{}:{value}", serde_json::Value::String(name));
                let entries: Vec<String> = object.into_iter().map(entry).collect();
                print_line(&format!("{{{}}}", entries.join(",")))
            }
        }
    }
}

pub fn grad(session: &mut Session, options: &Grad) -> Result<(), Failure> {
    let derive = &options.derive;
    let (entry, args) = derive.open(session)?;
    let (wrt, backend) = (derive.wrt(), derive.execution.backend.into());
    let gradient = session.grad(&entry, wrt)?;
    let forward = || forward_gradient(session, &entry, wrt, &args, backend);
    let reverse = || execute(session, &gradient, &args, derive.execution.backend, options.memory_check);
    if options.memory_check && options.mode == Mode::Forward {
        let error = Diagnostic::error("'--memory-check' requires '--mode=reverse'");
        return Err(error.help("omit '--mode=forward'").into());
    }
    let values = match options.mode {
        Mode::Reverse => reverse()?,
        Mode::Forward => forward()?,
    };
    derive.print(&entry.interface, &gradient.interface.result, &values)?;
    if options.check {
        let other = if options.mode == Mode::Forward { reverse()? } else { forward()? };
        let differences = difference_gradient(session, &entry, wrt, &args, backend)?;
        let name = if options.mode == Mode::Forward { "reverse mode" } else { "forward mode" };
        let names = leaf_names(&entry.interface, &gradient.interface.result);
        let other = Reference::of_mode(&entry.interface, name, &other);
        derive.agrees(
            "gradient",
            &names,
            &values,
            &[other, Reference::of_differences(&entry.interface, &differences)],
        )?;
    }
    Ok(())
}

/// The names of the numbers and tensors of a derivative: the parameter, and its position in a tuple.
fn leaf_names(interface: &Interface, derivative: &ValueType) -> Vec<String> {
    let ValueType::Tuple(parts) = derivative else { return Vec::new() };
    let named = interface.param_names().into_iter().zip(parts).flat_map(|(name, part)| {
        let own = Interface::new(Vec::new(), part.clone(), Vec::new());
        let leaves: Vec<String> =
            own.result_leaves().iter().map(|(leaf, _)| leaf.replacen("result", &name, 1)).collect();
        leaves
    });
    named.collect()
}

/// A derivative computed by another method, to compare with.
struct Reference<'a> {
    name: &'static str,
    values: &'a [Datum],
    /// The largest difference that is accepted, relative to the largest absolute value of a leaf.
    tolerance: f64,
    /// Whether the values are approximations, such as finite differences.
    is_estimate: bool,
    /// The estimated absolute error of each number, in order; 0 for missing ones.
    errors: &'a [f64],
}

impl<'a> Reference<'a> {
    /// Derivatives by the other mode of differentiation, which differ by the rounding of a few operations.
    fn of_mode(interface: &Interface, name: &'static str, values: &'a [Datum]) -> Self {
        let rounding = 8.0 * Precision::of_interface(interface).unit();
        Reference { name, values, tolerance: rounding.max(1e-4), is_estimate: false, errors: &[] }
    }

    fn of_differences(interface: &Interface, differences: &'a Differences) -> Self {
        let rounding = 8.0 * Precision::of_interface(interface).unit();
        Reference {
            name: "central differences",
            values: &differences.gradient,
            tolerance: rounding.max(1e-2),
            is_estimate: true,
            errors: &differences.errors,
        }
    }
}

/// Describes the first few numbers that differ, and counts those not compared because the reference is too inaccurate.
fn compare(names: &[String], own: &[Datum], reference: &Reference<'_>) -> (Vec<String>, usize) {
    const SHOWN: usize = 8;
    const INACCURATE: f64 = 5.0;
    let (mut found, mut inaccurate) = (Vec::new(), 0);
    let mut errors = reference.errors.iter();
    for ((name, values), other) in names.iter().zip(own).zip(reference.values) {
        let (own, other) = (floats(values).unwrap_or_default(), floats(other).unwrap_or_default());
        let largest = other.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
        for (at, (x, y)) in own.iter().zip(&other).enumerate() {
            let error = errors.next().copied().unwrap_or(0.0);
            if error > INACCURATE * reference.tolerance * largest {
                inaccurate += 1;
                continue;
            }
            let limit = reference.tolerance * largest + 2.0 * error;
            let agrees = (x - y).abs() <= limit || x == y || (x.is_nan() && y.is_nan());
            if !agrees && found.len() < SHOWN {
                found.push(format!("{name}{}: {x}, but {y} by {}", place(values, at), reference.name));
            }
        }
    }
    (found, inaccurate)
}

/// Formats the place of a number in a value: the indices in a tensor, `[1, 2]`; the position in an object; nothing for
/// a scalar. The parts of complex numbers are `.re` and `.im`.
fn place(value: &Datum, at: usize) -> String {
    let is_complex = match value {
        Datum::Complex32(_) | Datum::Complex64(_) => true,
        Datum::Tensor(tensor) => matches!(tensor.data, TensorData::Complex32(_) | TensorData::Complex64(_)),
        _ => false,
    };
    if !is_complex {
        return indices(value, at);
    }
    format!("{}.{}", indices(value, at / 2), if at.is_multiple_of(2) { "re" } else { "im" })
}

fn indices(value: &Datum, mut at: usize) -> String {
    let tensor = match value {
        Datum::Tensor(tensor) if !tensor.shape.is_empty() => tensor,
        Datum::Object(_) => return format!(", number {at}"),
        _ => return String::new(),
    };
    let mut indices: Vec<String> = Vec::new();
    for &extent in tensor.shape.iter().rev() {
        let extent = extent.max(1);
        indices.insert(0, (at % extent).to_string());
        at /= extent;
    }
    format!("[{}]", indices.join(", "))
}

pub fn hvp(session: &mut Session, options: &Hvp) -> Result<(), Failure> {
    let derive = &options.derive;
    let (entry, mut args) = derive.open(session)?;
    let wrt = derive.wrt();
    let product = session.hvp(&entry, wrt)?;
    let directions = product.interface.params[entry.interface.params.len()..].to_vec();
    let names = chosen_names(&entry.interface, wrt)?;
    let direction =
        direction(&options.direction, &Interface::new(directions, ValueType::Tuple(Vec::new()), names))?;
    check_direction(&entry.interface, wrt, &args, &direction)?;
    args.extend(direction);
    let values = session.run(&product, &args, derive.execution.backend.into())?;
    derive.print(&entry.interface, &product.interface.result, &values)?;
    if options.check {
        check_product(session, derive, &entry, &args, &product.interface.result, &values)?;
    }
    Ok(())
}

/// Parses the values of `--direction`.
fn direction(given: &[String], interface: &Interface) -> Result<Vec<Datum>, Failure> {
    let mut inputs = Inputs::of_option("--direction");
    let added = given.iter().try_for_each(|given| inputs.add(given));
    added.and_then(|()| inputs.arguments(interface)).map_err(|mut failure| {
        for at in 0..failure.diagnostics.len() {
            if let Some(error) = failure.diagnostics.get_mut(at) {
                error.message.insert_str(0, "invalid direction: ");
            }
        }
        failure
    })
}

/// Compares the product of a Hessian with a direction to the gradient of the derivative in that direction. `args` are the
/// arguments, then the direction.
fn check_product(
    session: &Session,
    derive: &Derive,
    entry: &Entry,
    args: &[Datum],
    result: &ValueType,
    values: &[Datum],
) -> Result<(), Failure> {
    let mut named = entry.clone();
    named.interface.names = named.interface.param_names();
    let chosen = chosen_names(&named.interface, derive.wrt())?;
    let (wrt, backend) = (Wrt::Named(&chosen), derive.execution.backend.into());
    let mut slope = session.jvp(&named, wrt)?;
    let directions = chosen.iter().map(|name| format!("direction of {name}"));
    slope.interface.names = named.interface.names.iter().cloned().chain(directions).collect();
    let forward = forward_gradient(session, &slope, wrt, args, backend)?;
    let differences = difference_gradient(session, &slope, wrt, args, backend)?;
    let references = [
        Reference::of_mode(&entry.interface, "forward mode", &forward),
        Reference::of_differences(&entry.interface, &differences),
    ];
    derive.agrees("product", &leaf_names(&entry.interface, result), values, &references)
}

pub fn jacobian(session: &mut Session, options: &Jacobian) -> Result<(), Failure> {
    let derive = &options.derive;
    let (entry, args) = derive.open(session)?;
    let (wrt, backend) = (derive.wrt(), derive.execution.backend.into());
    let rows = match options.mode {
        None => session.jacobian(&entry, wrt, &args, backend)?,
        Some(Mode::Forward) => session.forward_jacobian(&entry, wrt, &args, backend, options.lanes)?,
        Some(Mode::Reverse) => session.reverse_jacobian(&entry, wrt, &args, backend)?,
    };
    let derivative = session.grad(&entry, wrt)?.interface.result;
    rows.iter().try_for_each(|row| derive.print(&entry.interface, &derivative, row))
}

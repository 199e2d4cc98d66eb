//! The components of the tangents of parameters and results.

use super::Wrt;
use super::numbers::{filled, floats};
use crate::Failure;
use crate::interface::nested::{self, TangentLeaf as Leaf};
use crate::interface::{Interface, ValueType};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Builder, Type, Value};
use minoan_services::Datum;

/// The components of a value that its tangent has, too, by number.
pub(super) fn leaves_of_type(ty: &ValueType) -> Vec<(usize, Leaf)> {
    let (mut found, mut number, mut pending) = (Vec::new(), 0, vec![ty]);
    while let Some(ty) = pending.pop() {
        match ty {
            ValueType::Tuple(parts) => {
                pending.extend(parts.iter().rev());
                continue;
            }
            other if !other.has_floats() => {}
            ValueType::Nested { rank, element } => {
                let own = nested::tangent_leaves(*rank, element).into_iter();
                found.extend(own.map(|(own, leaf)| (number + own, leaf)));
            }
            _ => found.push((number, Leaf::Float)),
        }
        number += ty.leaves().len();
    }
    found
}

/// The numbers of the components that are floats.
pub(super) fn floats_of(leaves: &[(usize, Leaf)]) -> Vec<usize> {
    leaves.iter().filter(|(_, leaf)| *leaf == Leaf::Float).map(|&(at, _)| at).collect()
}

/// The type of a component of a tangent.
pub(super) fn leaf_type(values: &[Type], (at, leaf): (usize, Leaf)) -> Type {
    if matches!(leaf, Leaf::Extent(_)) { Type::I64 } else { values[at] }
}

/// A component of a tangent that is not a float, from the values.
pub(super) fn structure(b: &mut Builder<'_>, values: &[Value], (at, leaf): (usize, Leaf)) -> Value {
    let Leaf::Extent(dim) = leaf else { return values[at] };
    let dim = minoan_arith::constant_index(b, dim as i64);
    let extent = minoan_tensor::dim(b, values[at], dim);
    minoan_arith::index_cast(b, extent, Type::I64)
}

/// The same of a value.
pub(super) fn structure_of(value: &Datum, leaf: Leaf) -> Datum {
    match (leaf, value) {
        (Leaf::Extent(dim), Datum::Tensor(tensor)) => Datum::Int(tensor.shape[dim] as i64),
        _ => value.clone(),
    }
}

/// The components of tangents, from the float components; the other components are taken from the values.
pub(super) fn with_structure(
    b: &mut Builder<'_>,
    leaves: &[(usize, Leaf)],
    values: &[Value],
    floats: Vec<Value>,
) -> Vec<Value> {
    let mut floats = floats.into_iter();
    let part = |&(at, leaf): &(usize, Leaf)| {
        let float = if leaf == Leaf::Float { floats.next() } else { None };
        float.unwrap_or_else(|| structure(b, values, (at, leaf)))
    };
    leaves.iter().map(part).collect()
}

/// The parameters to differentiate with respect to.
pub(super) fn chosen(interface: &Interface, wrt: Wrt<'_>) -> Result<Vec<usize>, Failure> {
    let names = interface.param_names();
    let has_derivative = |at: usize| !floats_of(&leaves_of_type(&interface.params[at])).is_empty();
    let Wrt::Named(wanted) = wrt else {
        let all: Vec<usize> = (0..names.len()).filter(|&at| has_derivative(at)).collect();
        if all.is_empty() {
            if names.is_empty() {
                return Err(Diagnostic::error(
                    "the function has no parameters to differentiate with respect to",
                )
                .into());
            }
            let error = Diagnostic::error("no parameter has a derivative: none contains floats");
            return Err(error.note(interface.list_params()).into());
        }
        return Ok(all);
    };
    let mut chosen = Vec::new();
    for name in wanted {
        let Some(at) = names.iter().position(|known| known == name) else {
            let near = nearest(name, names.iter().map(String::as_str));
            let error =
                Diagnostic::error(format!("there is no parameter '{name}' to differentiate with respect to"));
            return Err(error.did_you_mean(near).note(interface.list_params()).into());
        };
        if !has_derivative(at) {
            let what = interface.params[at].describe();
            return Err(
                Diagnostic::error(format!("parameter '{name}' is {what}, which has no derivative")).into()
            );
        }
        if chosen.contains(&at) {
            let message = format!("parameter '{name}' is given twice to differentiate with respect to");
            return Err(Diagnostic::error(message).into());
        }
        chosen.push(at);
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// The type of the derivatives, a tuple by parameter; parameters that are not chosen have the empty tuple.
pub(super) fn derivative_type(interface: &Interface, chosen: &[usize]) -> ValueType {
    let parts = interface.params.iter().enumerate().map(|(at, param)| match chosen.contains(&at) {
        true => param.tangent(),
        false => ValueType::Tuple(Vec::new()),
    });
    ValueType::Tuple(parts.collect())
}

/// The leaves of the chosen parameters that have tangents, with the indices of the corresponding arguments of the compiled
/// function.
pub(super) fn leaves_of(interface: &Interface, chosen: &[usize]) -> Vec<(usize, Leaf)> {
    let mut first = 0;
    let mut found = Vec::new();
    for (at, param) in interface.params.iter().enumerate() {
        if chosen.contains(&at) {
            found.extend(leaves_of_type(param).into_iter().map(|(number, leaf)| (first + number, leaf)));
        }
        first += param.leaves().len();
    }
    found
}

/// Whether a direction, which has a value for each parameter in `wrt`, has the extents of the arguments.
///
/// # Errors
/// The parameters whose extents differ, and those of [`Session::grad`](crate::Session::grad).
pub fn check_direction(
    interface: &Interface,
    wrt: Wrt<'_>,
    args: &[Datum],
    direction: &[Datum],
) -> Result<(), Failure> {
    let (names, mut parts) = (interface.param_names(), direction.iter());
    let mut errors = Diagnostics::new();
    for at in chosen(interface, wrt)? {
        let leaves = leaves_of(interface, &[at]);
        let own: Vec<&Datum> = parts.by_ref().take(leaves.len()).collect();
        let differ = leaves.into_iter().zip(own).find_map(|((number, leaf), part)| {
            match (leaf, &args[number], part) {
                (Leaf::Float, Datum::Tensor(value), Datum::Tensor(part)) => {
                    let found = format!("shape {:?}, but the argument has {:?}", part.shape, value.shape);
                    (part.shape != value.shape).then_some(found)
                }
                (Leaf::Structure | Leaf::Extent(_), value, part) => {
                    let is_same = structure_of(value, leaf) == *part;
                    (!is_same).then(|| "other extents than the argument".to_owned())
                }
                _ => None,
            }
        });
        if let Some(found) = differ {
            let message = format!("the direction of parameter '{}' has {found}", names[at]);
            errors.push(Diagnostic::error(message));
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// The zero direction.
pub(super) fn zero_directions(args: &[Datum], leaves: &[(usize, Leaf)]) -> Vec<Datum> {
    let direction = |&(at, leaf): &(usize, Leaf)| match leaf {
        Leaf::Float => filled(&args[at], &|_| 0.0),
        leaf => structure_of(&args[at], leaf),
    };
    leaves.iter().map(direction).collect()
}

/// The numbers of a direction: the part, and the position in it.
pub(super) fn places(args: &[Datum], leaves: &[(usize, Leaf)]) -> Vec<(usize, usize)> {
    let of_leaf = |(part, &(at, leaf)): (usize, &(usize, Leaf))| {
        let count =
            if leaf == Leaf::Float { floats(&args[at]).map_or(0, |numbers| numbers.len()) } else { 0 };
        (0..count).map(move |index| (part, index))
    };
    leaves.iter().enumerate().flat_map(of_leaf).collect()
}

//! Access of type relations to the call.

use super::RelationError;
use crate::attrs::Attrs;
use crate::operators::Operator;
use crate::ty::{DType, Dim, TensorType, Type};

/// The maximum of extents and of numbers in attributes.
const MOST: i64 = 1 << 40;

/// The reason why a relation has no solution.
pub(super) enum Stop {
    /// The argument types are not sufficiently known.
    Stuck,
    /// The types are inconsistent.
    Error(RelationError),
}

/// The solution of a relation.
pub(super) struct Solved {
    /// Argument types that the relation refines.
    pub(super) args: Vec<(usize, Type)>,
    /// The type of the result.
    pub(super) result: Type,
}

pub(super) type Outcome = Result<Solved, Stop>;

impl Solved {
    /// Refines the type of an argument.
    pub(super) fn with(mut self, index: usize, ty: TensorType) -> Solved {
        self.args.push((index, ty.into()));
        self
    }
}

/// A solution with this result type and unchanged arguments.
pub(super) fn gives(result: impl Into<Type>) -> Outcome {
    Ok(Solved { args: Vec::new(), result: result.into() })
}

/// A solution whose result is a tuple of tensors.
pub(super) fn gives_tuple(parts: impl IntoIterator<Item = TensorType>) -> Outcome {
    gives(Type::Tuple(parts.into_iter().map(Type::Tensor).collect()))
}

/// A call with complete attributes.
pub(super) struct Call<'a> {
    pub(super) op: &'a Operator,
    pub(super) args: &'a [Type],
    pub(super) attrs: &'a Attrs,
}

impl<'a> Call<'a> {
    pub(super) fn check_arity(&self) -> Result<(), Stop> {
        let (expected, found) = (self.op.args.len(), self.args.len());
        if self.op.variadic || expected == found {
            return Ok(());
        }
        let names = self.op.args.join(", ");
        let list = if expected == 0 { String::new() } else { format!(" ({names})") };
        let plural = if expected == 1 { "" } else { "s" };
        Err(self.error(format!("takes {expected} argument{plural}{list}, but is given {found}")))
    }

    /// Rejects extents and numbers that are so large that sums of them could overflow.
    pub(super) fn check_extents(&self) -> Result<(), Stop> {
        for (index, arg) in self.args.iter().enumerate() {
            let parts = arg.as_tuple().unwrap_or(std::slice::from_ref(arg));
            for tensor in parts.iter().filter_map(Type::as_tensor) {
                let far = |dim: &&Dim| dim.known().is_some_and(|extent| !(0..=MOST).contains(&extent));
                if let Some(dim) = tensor.shape.iter().find(far) {
                    return Err(self.error_at(
                        index,
                        format!("has an argument {tensor}, whose extent {dim} is too large"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// No extent of the result is negative, as attributes may say, and no size too large to be counted.
    pub(super) fn check_result(&self, solved: Solved) -> Outcome {
        let parts = solved.result.as_tuple().unwrap_or(std::slice::from_ref(&solved.result));
        for tensor in parts.iter().filter_map(Type::as_tensor) {
            if let Some(dim) = tensor.shape.iter().find(|dim| dim.known().is_some_and(|extent| extent < 0)) {
                return Err(self.error(format!("cannot give {tensor}, whose extent {dim} is negative")));
            }
            if tensor.bytes().is_none() {
                return Err(self.error(format!("cannot give {tensor}, whose size overflows")));
            }
        }
        Ok(solved)
    }

    fn bounded(&self, name: &str, value: i64) -> Result<i64, Stop> {
        if value.unsigned_abs() <= MOST as u64 {
            return Ok(value);
        }
        Err(self.error(format!("has the number {value} in '{name}', which is too large")))
    }

    /// An error about the call.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> Stop {
        Stop::Error(RelationError { message: format!("{} {what}", self.op.name), arg: None, help: None })
    }

    /// An error about an argument.
    pub(super) fn error_at(&self, index: usize, what: impl std::fmt::Display) -> Stop {
        Stop::Error(RelationError {
            message: format!("{} {what}", self.op.name),
            arg: Some(index),
            help: None,
        })
    }

    /// The quoted name of an argument.
    pub(super) fn arg_name(&self, index: usize) -> String {
        match self.op.args.get(index) {
            Some(name) => format!("argument '{name}'"),
            None => format!("argument {}", index + 1),
        }
    }

    /// The type of an argument that must be a tensor.
    pub(super) fn tensor(&self, index: usize) -> Result<&'a TensorType, Stop> {
        match &self.args[index] {
            Type::Tensor(tensor) => Ok(tensor),
            Type::Hole(_) => Err(Stop::Stuck),
            other => {
                let name = self.arg_name(index);
                Err(self.error_at(index, format!("needs a tensor as {name}, but it is of type {other}")))
            }
        }
    }

    /// Like `tensor`, for an argument whose type may still be unknown.
    pub(super) fn maybe_tensor(&self, index: usize) -> Result<Option<&'a TensorType>, Stop> {
        match self.tensor(index) {
            Ok(tensor) => Ok(Some(tensor)),
            Err(Stop::Stuck) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The types of an argument that must be a tuple of tensors.
    pub(super) fn tensors(&self, index: usize) -> Result<Vec<&'a TensorType>, Stop> {
        let name = self.arg_name(index);
        let wrong =
            |ty: &Type| self.error_at(index, format!("needs a tuple of tensors as {name}, but it is {ty}"));
        match &self.args[index] {
            Type::Hole(_) => Err(Stop::Stuck),
            Type::Tuple(parts) => parts
                .iter()
                .map(|part| match part {
                    Type::Tensor(tensor) => Ok(tensor),
                    Type::Hole(_) => Err(Stop::Stuck),
                    _ => Err(wrong(&self.args[index])),
                })
                .collect(),
            other => Err(wrong(other)),
        }
    }

    /// The type of an argument that must be a tensor of this rank.
    pub(super) fn ranked(&self, index: usize, rank: usize) -> Result<&'a TensorType, Stop> {
        let tensor = self.tensor(index)?;
        if tensor.rank() == rank {
            return Ok(tensor);
        }
        let name = self.arg_name(index);
        Err(self.error_at(index, format!("needs a tensor of rank {rank} as {name}, but it is {tensor}")))
    }

    /// The type of an argument that must be a tensor of integers.
    pub(super) fn integers(&self, index: usize) -> Result<&'a TensorType, Stop> {
        let tensor = self.tensor(index)?;
        if tensor.dtype.is_int() {
            return Ok(tensor);
        }
        let name = self.arg_name(index);
        Err(self.error_at(index, format!("needs integers as {name}, but it is {tensor}")))
    }

    /// The number of elements of a rank-1 tensor that determines the result's shape.
    pub(super) fn shape_length(&self, index: usize) -> Result<usize, Stop> {
        self.integers(index)?;
        let tensor = self.ranked(index, 1)?;
        match tensor.shape[0] {
            Dim::Known(length) => Ok(usize::try_from(length).unwrap_or(0)),
            Dim::Hole(_) => Err(Stop::Stuck),
            Dim::Any => {
                let name = self.arg_name(index);
                let rank = "on which the rank of the result depends";
                let mut error =
                    self.error_at(index, format!("needs a known number of elements in {name}, {rank}"));
                if let Stop::Error(error) = &mut error {
                    error.help = Some("declare the number: 'let %s: Tensor[(2), int64] = ..'");
                }
                Err(error)
            }
        }
    }

    /// Requires that two arguments have the same element type; returns it.
    pub(super) fn same_dtype(&self, first: usize, second: usize) -> Result<DType, Stop> {
        let (lhs, rhs) = (self.tensor(first)?, self.tensor(second)?);
        if lhs.dtype == rhs.dtype {
            return Ok(lhs.dtype);
        }
        let what = format!(
            "needs {} and {} of one type of elements, but they are {lhs} and {rhs}",
            self.arg_name(first),
            self.arg_name(second)
        );
        Err(self.error_at(second, what))
    }

    /// Normalizes an axis, which may be negative.
    /// The extent of an axis of an argument, which must equal that of an axis of another one.
    pub(super) fn same_extent(
        &self,
        (first, first_axis): (usize, usize),
        (second, second_axis): (usize, usize),
    ) -> Result<Dim, Stop> {
        let (one, other) = (self.tensor(first)?, self.tensor(second)?);
        let (have, want) = (other.shape[second_axis], one.shape[first_axis]);
        merge(want, have).ok_or_else(|| {
            let name = self.arg_name(first);
            let what = format!(
                "expected {want} elements along axis {second_axis}, as {name} has along axis {first_axis}, found {other}"
            );
            self.error_at(second, what)
        })
    }

    pub(super) fn axis(&self, axis: i64, rank: usize) -> Result<usize, Stop> {
        let signed = rank as i64;
        if axis < -signed || axis >= signed {
            let what = format!("has axis {axis}, which is not in [-{rank}, {rank})");
            return Err(self.error(what));
        }
        Ok((if axis < 0 { axis + signed } else { axis }) as usize)
    }

    /// The normalized axis in an attribute.
    pub(super) fn axis_attr(&self, name: &str, rank: usize) -> Result<usize, Stop> {
        self.axis(self.int(name)?, rank)
    }

    /// Normalizes axes, which must be distinct.
    pub(super) fn axes(&self, axes: &[i64], rank: usize) -> Result<Vec<usize>, Stop> {
        let mut seen = Vec::with_capacity(axes.len());
        for &axis in axes {
            let axis = self.axis(axis, rank)?;
            if seen.contains(&axis) {
                return Err(self.error(format!("has axis {axis} twice")));
            }
            seen.push(axis);
        }
        Ok(seen)
    }

    /// The value of an integer attribute.
    pub(super) fn int(&self, name: &str) -> Result<i64, Stop> {
        let value = self.attrs.int(name);
        let value = value.ok_or_else(|| self.error(format!("needs the attribute '{name}': an integer")))?;
        self.bounded(name, value)
    }

    /// The value of an attribute that is a list of integers.
    pub(super) fn ints(&self, name: &str) -> Result<Vec<i64>, Stop> {
        let ints = self.attrs.ints(name);
        let ints =
            ints.ok_or_else(|| self.error(format!("needs the attribute '{name}': a list of integers")))?;
        ints.into_iter().map(|value| self.bounded(name, value)).collect()
    }

    /// The value of an attribute that is a list of integers of this length.
    pub(super) fn ints_of(&self, name: &str, length: usize) -> Result<Vec<i64>, Stop> {
        let ints = self.ints(name)?;
        if ints.len() == length {
            return Ok(ints);
        }
        Err(self.error(format!("needs {length} numbers in '{name}', but there are {}", ints.len())))
    }

    /// The value of a string attribute.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.attrs.text(name).unwrap_or_default()
    }

    /// The value of an element type attribute, or a default if it is unspecified.
    pub(super) fn dtype_or(&self, name: &str, otherwise: DType) -> DType {
        self.attrs.dtype(name).unwrap_or(otherwise)
    }

    /// The shape in an attribute.
    pub(super) fn shape(&self, name: &str) -> Result<Vec<Dim>, Stop> {
        let shape = self.ints(name)?;
        if let Some(extent) = shape.iter().find(|&&extent| extent < 0) {
            return Err(self.error(format!("has the negative extent {extent} in '{name}'")));
        }
        Ok(shape.into_iter().map(Dim::Known).collect())
    }
}

/// The extent; `None` if it is dynamic.
pub(super) fn extent(dim: Dim) -> Result<Option<i64>, Stop> {
    match dim {
        Dim::Known(extent) => Ok(Some(extent)),
        Dim::Any => Ok(None),
        Dim::Hole(_) => Err(Stop::Stuck),
    }
}

/// Maps an extent.
pub(super) fn map(dim: Dim, rule: impl FnOnce(i64) -> i64) -> Result<Dim, Stop> {
    Ok(extent(dim)?.map_or(Dim::Any, |extent| Dim::Known(rule(extent))))
}

/// The product of extents.
pub(super) fn product(dims: &[Dim]) -> Result<Dim, Stop> {
    let mut product = Dim::Known(1);
    for &dim in dims {
        product = match (extent(dim)?, product) {
            (Some(extent), Dim::Known(so_far)) => Dim::Known(so_far.saturating_mul(extent)),
            _ => Dim::Any,
        };
    }
    Ok(product)
}

/// Unifies two extents; `None` if they differ.
pub(super) fn merge(first: Dim, second: Dim) -> Option<Dim> {
    match (first, second) {
        (Dim::Known(a), Dim::Known(b)) => (a == b).then_some(first),
        (Dim::Known(_), _) | (Dim::Any, Dim::Hole(_)) => Some(first),
        (_, Dim::Known(_)) | (Dim::Hole(_), _) | (Dim::Any, Dim::Any) => Some(second),
    }
}

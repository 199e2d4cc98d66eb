//! Derivatives of functions.

use crate::error::{detached, raise};
use crate::function::Function;
use crate::values::describe;
use minoan::diag::nearest;
use minoan::gradient::Wrt;
use minoan::interface::{Interface, ValueType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// The parts of the result of the entry that a call returns.
#[derive(Clone)]
pub(crate) enum Picked {
    /// The result itself.
    All,
    /// A single part.
    One(usize),
    /// Several parts, as a tuple.
    Several(Vec<usize>),
    /// The first part, and of the second the parts that a derivative has.
    ValueAnd(Box<Picked>),
}

impl Function {
    /// A derivative: `grad`, `value_and_grad`, `jvp`, `vjp` or `hvp`.
    pub(crate) fn derive(
        &self,
        py: Python<'_>,
        kind: &str,
        wrt: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let chosen = wrt.map(|wrt| self.named_params(wrt)).transpose()?;
        let interface = &self.entry.interface;
        let names =
            chosen.as_ref().map(|chosen| chosen.iter().map(|&at| interface.names[at].clone()).collect());
        let names: Option<Vec<String>> = names;
        let derived = detached(py, || {
            let wrt = names.as_deref().map_or(Wrt::All, Wrt::Named);
            match kind {
                "grad" => self.session.grad(&self.entry, wrt),
                "value_and_grad" => self.session.value_and_grad(&self.entry, wrt),
                "jvp" => self.session.jvp(&self.entry, wrt),
                "vjp" => self.session.vjp(&self.entry, wrt),
                _ => self.session.hvp(&self.entry, wrt),
            }
        })?;
        let mut entry = derived.map_err(|failure| raise(py, self.session.sources(), &failure))?;
        let given = interface.params.len();
        let added = entry.interface.params.len().saturating_sub(given);
        let active = chosen_params(interface, chosen.as_deref());
        let mut all = interface.names.clone();
        for at in 0..added {
            let mut name = match active.get(at) {
                Some(&at) if kind != "vjp" => format!("d_{}", interface.names[at]),
                _ => "cotangent".to_owned(),
            };
            while all.contains(&name) {
                name.push('_');
            }
            all.push(name);
        }
        entry.interface.names = all;
        let by_param = || {
            let is_one = wrt.is_some_and(|wrt| wrt.try_iter().is_err() || wrt.is_instance_of::<PyString>());
            let active = match &chosen {
                Some(chosen) => chosen.clone(),
                None => chosen_params(interface, None),
            };
            match active[..] {
                [only] if is_one || wrt.is_none() => Picked::One(only),
                _ => Picked::Several(active),
            }
        };
        let picked = match kind {
            "jvp" => self.picked.clone(),
            "value_and_grad" => Picked::ValueAnd(Box::new(by_param())),
            _ => by_param(),
        };
        let mut derived = Self::new(self.session.clone(), entry, &format!("{}.{kind}", self.name), None);
        derived.picked = picked;
        Ok(derived)
    }

    /// The parameters that `wrt` names.
    fn named_params(&self, wrt: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let names = &self.entry.interface.names;
        let index = |one: &Bound<'_, PyAny>| -> PyResult<usize> {
            if let Ok(at) = one.extract::<i64>() {
                let count = names.len() as i64;
                let position = if at < 0 { at + count } else { at };
                return match usize::try_from(position) {
                    Ok(position) if position < names.len() => Ok(position),
                    _ => Err(PyValueError::new_err(format!("wrt: {}() has no parameter {at}", self.name))),
                };
            }
            let name: String = one.extract().map_err(|_| {
                PyTypeError::new_err(format!("wrt: expected a name or a number, found {}", describe(one)))
            })?;
            names.iter().position(|known| *known == name).ok_or_else(|| {
                let near = nearest(&name, names.iter().map(String::as_str));
                let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                PyValueError::new_err(format!("wrt: {}() has no parameter '{name}'{near}", self.name))
            })
        };
        if wrt.is_instance_of::<PyString>() || wrt.extract::<i64>().is_ok() {
            return Ok(vec![index(wrt)?]);
        }
        wrt.try_iter()?.map(|one| index(&one?)).collect()
    }
}

/// The parameters with a derivative, or the chosen ones, in order.
fn chosen_params(interface: &Interface, chosen: Option<&[usize]>) -> Vec<usize> {
    let is_active = |at: &usize| interface.params[*at].leaves().iter().any(ValueType::is_float);
    let mut found: Vec<usize> = match chosen {
        Some(chosen) => chosen.to_vec(),
        None => (0..interface.params.len()).filter(is_active).collect(),
    };
    found.sort_unstable();
    found.dedup();
    found
}

pub(crate) fn picked_type(picked: &Picked, ty: &ValueType) -> ValueType {
    let part = |at: usize| match ty {
        ValueType::Tuple(parts) => parts.get(at).cloned().unwrap_or(ValueType::Tuple(Vec::new())),
        other => other.clone(),
    };
    match picked {
        Picked::All => ty.clone(),
        Picked::One(at) => part(*at),
        Picked::Several(list) => ValueType::Tuple(list.iter().map(|&at| part(at)).collect()),
        Picked::ValueAnd(rest) => ValueType::Tuple(vec![part(0), picked_type(rest, &part(1))]),
    }
}

pub(crate) fn pick<'py>(picked: &Picked, whole: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match picked {
        Picked::All => Ok(whole.clone()),
        Picked::One(at) => whole.get_item(at),
        Picked::Several(list) => {
            let parts = list.iter().map(|at| whole.get_item(at)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(whole.py(), parts)?.into_any())
        }
        Picked::ValueAnd(rest) => {
            let parts = [whole.get_item(0)?, pick(rest, &whole.get_item(1)?)?];
            Ok(PyTuple::new(whole.py(), parts)?.into_any())
        }
    }
}

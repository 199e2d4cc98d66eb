//! The interface of a function: the types of its parameters and result as the source declares them, and its arguments
//! and results as JSON, as text and as arrays.
//!
//! Every language describes its functions by one [`Interface`], which everything at the boundary of a program uses:
//! reading arguments, printing results, NumPy's files, the interpreter and compiled code. Compiled functions know
//! neither tuples nor strings nor the signs of integers: an interface takes values apart into scalars and tensors, and
//! puts results together again.
//!
//! | source | JSON | text |
//! |---|---|---|
//! | integer | a number without fraction or exponent | `-1` |
//! | float | a number, or `"nan"`, `"inf"`, `"-inf"` | `0.5`, `NaN`, `inf` |
//! | complex number | `[re, im]` | `0.5-2i` |
//! | truth value | `true`, `false` | `true` |
//! | string | a string | its characters |
//! | tensor | nested arrays, as deep as its rank | `[[1, 2], [3, 4]]` |
//! | tensor of strings, of tuples or of tensors | an array of their forms, nested as deep as its rank | `[[1], [2, 3]]` |
//! | tuple | `{"tuple": [..]}`; arguments also as an array | `(1, (2,), ())` |
//! | value of a data type | `{"ctor": "Some", "fields": [1]}` | `Some(1)` |
//!
//! A function whose [signature](minoan_sip::SipSignature) places its values by index paths takes and returns arrays for
//! the sequences and objects for the dictionaries of the signature.
//!
//! A number is rounded once, from its text. One that is out of the range of its type is an error.

mod data_type;
mod document;
mod element;
mod error;
pub mod nested;
mod read;
mod structured;
mod value_type;
mod write;

pub use data_type::{Constructors, DataType};
pub use document::Document;
pub use element::ElementType;
pub use error::ValueError;
pub use value_type::ValueType;

pub(crate) use read::read;

use crate::Failure;
use document::Node;
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::OpRef;
use minoan_services::{Datum, FunctionSignature, function_types};
use minoan_sip::SipSignature;
use serde_json::Value as Json;

/// The note of an error about a type that [`Interface::of_function`] does not accept.
const CALLABLE_TYPES: &str = "callers pass and receive indices, integers, floats (f16, bf16, f32, f64), complex numbers \
                              (complex<f32>, complex<f64>), and vectors of a fixed length, ranked tensors and memrefs \
                              of these";

/// The parameters by name, for a note: `the parameters are x, n`.
pub(crate) fn list_params(shown: &[String]) -> String {
    if shown.is_empty() {
        return "there are no parameters".to_owned();
    }
    format!("the parameters are {}", shown.join(", "))
}

/// The interface of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interface {
    /// The types of the parameters.
    pub params: Vec<ValueType>,
    /// The type of the result; the empty tuple for a function without results.
    pub result: ValueType,
    /// The names of the parameters; empty where the source has none.
    pub names: Vec<String>,
    /// The structure of arguments and results where a signature declares one other than their order; no parameter or
    /// result is a nested tuple then.
    pub structure: Option<SipSignature>,
}

impl Interface {
    /// The interface of a function that is described by types of its source.
    pub fn new(params: Vec<ValueType>, result: ValueType, names: Vec<String>) -> Self {
        Self { params, result, names, structure: None }
    }

    /// The interface of a function of a module: its types, the signedness of integers according to its raw signature, and the
    /// structure of its structured signature.
    ///
    /// # Errors
    /// A value is of a type that does not cross the boundary; a signature does not match the function, or has no form
    /// in JSON.
    pub fn of_function(function: OpRef<'_>) -> Result<Self, Failure> {
        let ctx = function.context();
        let place = || function.loc().place(ctx);
        let (inputs, results) = function_types(function).unwrap_or_default();
        let signature =
            FunctionSignature::read(function).map_err(|message| Diagnostic::error(message).at(place()))?;
        let raw = signature.as_ref().map(|signature| &signature.raw);
        let value_type = |what: &str, at: usize, ty, raw| {
            let found = ValueType::of_type(ctx, ty, raw);
            found.or_else(|| DataType::of_cell(function.body(), ty).map(ValueType::Data)).ok_or_else(|| {
                let name = function.symbol_name().unwrap_or_default();
                let ty = minoan_ir::text::print_type(ctx, ty);
                let number = at + 1;
                let message =
                    format!("{what} {number} of function '{name}' has type '{ty}', which callers cannot use");
                Diagnostic::error(message).at(place()).note(CALLABLE_TYPES)
            })
        };
        let params = inputs.iter().enumerate();
        let params =
            params.map(|(at, &ty)| value_type("argument", at, ty, raw.and_then(|raw| raw.inputs.get(at))));
        let params: Vec<ValueType> = params.collect::<Result<_, _>>()?;
        let results = results.iter().enumerate();
        let results =
            results.map(|(at, &ty)| value_type("result", at, ty, raw.and_then(|raw| raw.results.get(at))));
        let mut results: Vec<ValueType> = results.collect::<Result<_, _>>()?;
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let in_order = SipSignature::positional(count(params.len()), count(results.len()));
        let structure = signature.map(|signature| signature.sip).filter(|sip| *sip != in_order);
        structure.as_ref().map_or(Ok(()), structured::check)?;
        let result = if results.len() == 1 { results.remove(0) } else { ValueType::Tuple(results) };
        Ok(Self { params, result, names: Vec::new(), structure })
    }

    /// The names of all parameters; `arr_0`, `arr_1` and so on, as in a NumPy archive of unnamed arrays, where the
    /// source has none.
    pub fn param_names(&self) -> Vec<String> {
        match self.names.len() == self.params.len() {
            true => self.names.clone(),
            false => (0..self.params.len()).map(|index| format!("arr_{index}")).collect(),
        }
    }

    /// The parameters with their types, for a note: `the parameters are x: a float (float32), n: an integer (int64)`.
    pub(crate) fn list_params(&self) -> String {
        let types = self.params.iter().map(ValueType::describe);
        let shown: Vec<String> = match self.names.len() == self.params.len() {
            true => self.names.iter().zip(types).map(|(name, ty)| format!("{name}: {ty}")).collect(),
            false => types.collect(),
        };
        list_params(&shown)
    }

    /// The scalars, strings and tensors that make up the result, in order, with names for their position:
    /// `result`, or `result_0` for the first component of a tuple, `result_0_1` for the second component of that.
    pub fn result_leaves(&self) -> Vec<(String, ValueType)> {
        let mut leaves = Vec::new();
        let mut pending = vec![("result".to_owned(), &self.result)];
        while let Some((name, ty)) = pending.pop() {
            match ty {
                ValueType::Tuple(parts) => {
                    let parts = parts.iter().enumerate().rev();
                    pending.extend(parts.map(|(index, part)| (format!("{name}_{index}"), part)));
                }
                ValueType::Nested { .. } => {
                    let parts = ty.leaves().into_iter().enumerate();
                    leaves.extend(parts.map(|(index, part)| (format!("{name}_{index}"), part)));
                }
                leaf => leaves.push((name, leaf.clone())),
            }
        }
        leaves
    }

    /// The results of a function of a module.
    fn results(&self) -> &[ValueType] {
        match &self.result {
            ValueType::Tuple(parts) => parts,
            single => std::slice::from_ref(single),
        }
    }

    /// The arguments of a call from JSON: an array with one value for each parameter, or an object with the values by
    /// parameter name; the value of a single parameter may be given without an array. With a [`structure`](Self::structure),
    /// nested arrays and objects according to it.
    ///
    /// # Errors
    /// A value of another type, a ragged array, too many or too few values: where, what was expected and what was
    /// found.
    pub fn parse_args(&self, json: &Json) -> Result<Vec<Datum>, Failure> {
        self.read_args(&Document::new(None, json.to_string())?)
    }

    /// The same from a JSON text; errors point into it.
    ///
    /// # Errors
    /// As [`Interface::parse_args`].
    pub fn read_args(&self, document: &Document) -> Result<Vec<Datum>, Failure> {
        let root = document.root();
        if let Some(sip) = &self.structure {
            return Ok(structured::pack(&sip.inputs, &self.params, root)?);
        }
        if self.params.is_empty() && root.is_null() {
            return Ok(Vec::new());
        }
        let alone = || match &self.params[..] {
            [only] => {
                let mut leaves = Vec::new();
                read(only, root, "argument 1", &mut leaves).map(|()| leaves).map_err(Diagnostics::from)
            }
            params => {
                let expected = match params.len() {
                    0 => "no arguments".to_owned(),
                    count => format!("an array of {count} arguments"),
                };
                let message = format!("expected {expected}, found {}", root.describe());
                Err(root.error(message).note(self.list_params()).into())
            }
        };
        let values = match self.values_by_name(root)? {
            Some(values) => Some(values),
            None => root.array().filter(|values| values.len() == self.params.len()),
        };
        let Some(values) = values else { return Ok(alone()?) };
        let (mut leaves, mut errors) = (Vec::new(), Diagnostics::new());
        for (at, (ty, &value)) in self.params.iter().zip(&values).enumerate() {
            if let Err(error) = read(ty, value, &format!("argument {}", at + 1), &mut leaves) {
                errors.push(error);
            }
        }
        if !errors.has_errors() {
            return Ok(leaves);
        }
        // A tensor of one element looks like a list of one argument.
        match &self.params[..] {
            [_] => Ok(alone().map_err(|_| errors)?),
            _ => Err(errors.into()),
        }
    }

    /// The values of an object whose keys are the names of the parameters, in the order of the parameters. `None` if it
    /// is the value of a single parameter: no key is a parameter, or the keys are those of a tuple or of a constructor.
    fn values_by_name<'a>(&self, root: Node<'a>) -> Result<Option<Vec<Node<'a>>>, Diagnostics> {
        if self.names.len() != self.params.len() {
            return Ok(None);
        }
        let Some(entries) = root.object().transpose()? else { return Ok(None) };
        let is_value = |key: &str| {
            matches!(key, "tuple" | "ctor" | "fields") || !self.names.iter().any(|name| name == key)
        };
        if self.params.len() == 1 && entries.iter().all(|(key, _)| is_value(key)) {
            return Ok(None);
        }
        let mut errors = Diagnostics::new();
        let mut values = vec![None; self.params.len()];
        for (key, value) in entries {
            match self.names.iter().position(|name| *name == key) {
                Some(at) => values[at] = Some(value),
                None => {
                    let near = nearest(&key, self.names.iter().map(String::as_str));
                    let error = value.error(format!("there is no parameter '{key}'")).did_you_mean(near);
                    errors.push(error.note(list_params(&self.names)));
                }
            }
        }
        for (name, value) in self.names.iter().zip(&values) {
            if value.is_none() {
                errors.push(root.error(format!("the parameter '{name}' is not given")));
            }
        }
        if errors.has_errors() { Err(errors) } else { Ok(values.into_iter().collect()) }
    }

    /// Checks that scalars and tensors are the arguments of a call: their number, types, extents and ranges.
    ///
    /// # Errors
    /// The expected and the actual value of each argument that does not match.
    pub fn check_args(&self, args: &[Datum]) -> Result<(), Failure> {
        let leaves: Vec<ValueType> = self.params.iter().flat_map(ValueType::leaves).collect();
        if leaves.len() != args.len() {
            let (expected, found) = (leaves.len(), args.len());
            let message = format!("expected {expected} scalars and tensors as arguments, found {found}");
            return Err(Diagnostic::error(message).into());
        }
        let mut errors = Diagnostics::new();
        for ((ty, name), arg) in leaves.into_iter().zip(self.leaf_names()).zip(args) {
            if let Err(message) = ty.check(arg) {
                errors.push(Diagnostic::error(format!("{name}: {message}")));
            }
        }
        if errors.has_errors() {
            return Err(errors.into());
        }
        let mut rest = args.iter();
        for ty in &self.params {
            nested::check(ty, &mut rest).map_err(Diagnostic::error)?;
        }
        Ok(())
    }

    /// For each scalar and tensor of the arguments, the parameter that it belongs to, for messages.
    pub(crate) fn leaf_names(&self) -> Vec<String> {
        let name = |param: usize| match self.names.get(param) {
            Some(name) => format!("parameter '{name}'"),
            None => format!("argument {}", param + 1),
        };
        let params = self.params.iter().enumerate();
        params.flat_map(|(param, ty)| vec![name(param); ty.leaves().len()]).collect()
    }

    /// The result of a call as a tree of JSON. [`Self::result_json_text`] has no limit.
    ///
    /// # Errors
    /// A value of a data type is nested too deeply for the users of the tree, which recurse.
    pub fn result_json(&self, leaves: &[Datum]) -> Result<Json, Diagnostic> {
        let json = match &self.structure {
            Some(sip) => structured::to_json(&sip.results, &|at| {
                write::to_json(&self.results()[at], &mut leaves[at..].iter())
            }),
            None => write::to_json(&self.result, &mut leaves.iter()),
        };
        let limit = data_type::MAX_JSON_DEPTH;
        json.ok_or_else(|| Diagnostic::error(format!("the result is nested more than {limit} deep")))
    }

    /// Checks that the result of a call can be printed: a tensor without elements may still have any number of rows.
    ///
    /// # Errors
    /// A tensor of the result has too many empty rows.
    pub fn check_printable(leaves: &[Datum]) -> Result<(), Diagnostic> {
        const MAX_EMPTY_ROWS: usize = 1 << 20;
        for leaf in leaves {
            let shape = match leaf {
                Datum::Tensor(tensor) => tensor.shape.clone(),
                Datum::Buffer(buffer) => buffer.shape().unwrap_or_default(),
                _ => continue,
            };
            let rows = shape.iter().take_while(|&&extent| extent > 0);
            let count = rows.fold(1usize, |count, &extent| count.saturating_mul(extent));
            if shape.contains(&0) && count > MAX_EMPTY_ROWS {
                let error = format!("a tensor of extents {shape:?} has too many empty rows to be printed");
                return Err(Diagnostic::error(error).help("write it to a file of NumPy with '--output'"));
            }
        }
        Ok(())
    }

    /// The result of a call as the text of JSON on one line.
    pub fn result_json_text(&self, leaves: &[Datum]) -> String {
        match &self.structure {
            Some(sip) => structured::to_json_text(&sip.results, &|at| {
                write::to_json_text(&self.results()[at], &mut leaves[at..].iter())
            }),
            None => write::to_json_text(&self.result, &mut leaves.iter()),
        }
    }

    /// The result of a call as text: tuples in parentheses, tensors in brackets.
    pub fn result_text(&self, leaves: &[Datum]) -> String {
        match &self.structure {
            Some(sip) => structured::to_text(&sip.results, &|at| {
                write::to_text(&self.results()[at], &mut leaves[at..].iter())
            }),
            None => write::to_text(&self.result, &mut leaves.iter()),
        }
    }
}

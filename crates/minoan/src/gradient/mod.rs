//! Gradients, directional derivatives and Hessian-vector products of entries.
//!
//! The derivative of an entry is a separate [`Entry`], which takes the arguments of the function, and can be run and
//! compiled like any other. Its result is a tuple with a part for each parameter: the derivative with respect to it. The
//! derivatives of numbers and tensors of floats, and of values of data types that contain floats, have the type of the parameter;
//! those of other parameters are the empty tuple. A complex number is two floats, `re` and `im`: its derivative is `df/dre + i df/dim`, and
//! the derivative of a sum of complex numbers is that of its real part.

mod differences;
mod jacobian;
mod numbers;
mod precision;
mod tangents;

pub use differences::{Differences, difference_gradient, forward_gradient};
pub use numbers::{filled, floats, total};
pub use precision::Precision;
pub use tangents::check_direction;

use crate::interface::nested::TangentLeaf as Leaf;
use crate::interface::{Interface, ValueType};
use crate::{Entry, Failure, Library, LibraryFunction, Session};
use minoan_diag::{Diagnostic, nearest};
use minoan_diff::{Rev, ValueAndFwd, ValueAndRev};
use minoan_func::{Call, Func, Return, Visibility};
use minoan_ir::{Array, Builder, InsertionPoint, Module, OpDef, SymbolTable, Type, Value};
use minoan_services::{has_tangent, packed_symbol};
use tangents::{
    chosen, derivative_type, floats_of, leaf_type, leaves_of, leaves_of_type, structure, with_structure,
};

/// The direction of differentiation.
pub use minoan_services::DiffMode;

/// The number of directions in which a Jacobian is computed at once by forward mode.
pub const DEFAULT_LANES: usize = 8;

/// The parameters to differentiate with respect to.
#[derive(Clone, Copy, Debug, Default)]
pub enum Wrt<'a> {
    /// All parameters that have a derivative.
    #[default]
    All,
    /// The parameters with these names.
    Named(&'a [String]),
}

impl Session {
    /// The gradient of the sum of an entry's results with respect to its parameters, by reverse mode.
    ///
    /// ```
    /// use minoan::{Backend, Float, Session, gradient::Wrt};
    /// let session = Session::new();
    /// let text = "(def f Float ((a : Float) (b : Float)) (mul a (mul b b)))";
    /// let program = session.read_text("f.ks", text)?;
    /// let entry = session.entry(&program, "f", Float::F64)?;
    /// let gradient = session.grad(&entry, Wrt::All)?;
    /// let args = gradient.interface.parse_args(&serde_json::json!([2.0, 3.0]))?;
    /// let result = session.run(&gradient, &args, Backend::Interpret)?;
    /// assert_eq!(gradient.interface.result_json(&result)?, serde_json::json!({"tuple": [9.0, 12.0]}));
    /// # Ok::<(), minoan::Failure>(())
    /// ```
    ///
    /// # Errors
    /// A name in `wrt` is not a parameter, or a parameter has no derivative.
    pub fn grad(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.gradient(entry, wrt, false)
    }

    /// The results of an entry and the gradient of their sum, computed together: a pair of the result and the result of
    /// [`Session::grad`].
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn value_and_grad(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.gradient(entry, wrt, true)
    }

    fn gradient(&self, entry: &Entry, wrt: Wrt<'_>, with_value: bool) -> Result<Entry, Failure> {
        let chosen = chosen(&entry.interface, wrt)?;
        let derivative = derivative_type(&entry.interface, &chosen);
        let (inputs, results) = types_of(&entry.module, &entry.symbol)?;
        let leaves = leaves_of(&entry.interface, &chosen);
        let wrt = floats_of(&leaves);
        let derivatives: Vec<Type> = leaves.iter().map(|&leaf| leaf_type(&inputs, leaf)).collect();
        let (result, outputs) = match with_value {
            true => (
                ValueType::Tuple(vec![entry.interface.result.clone(), derivative]),
                [&results[..], &derivatives[..]].concat(),
            ),
            false => (derivative, derivatives.clone()),
        };
        let params = entry.interface.params.clone();
        self.with_function(entry, "gradient", &inputs, &outputs, params, result, |b, args| {
            let callee = b.context().name(&callee_of(entry));
            let types: Vec<Type> = wrt.iter().map(|&at| inputs[at]).collect();
            let op = match with_value {
                true => {
                    let types = [&results[..], &types].concat();
                    let made = ValueAndRev::build(b, args, &[], callee, Some(numbers(&wrt)), &types);
                    made.set_ones(b.body_mut(), true);
                    made.op()
                }
                false => {
                    let made = Rev::build(b, args, &[], callee, Some(numbers(&wrt)), &types);
                    made.set_ones(b.body_mut(), true);
                    made.op()
                }
            };
            let mut values: Vec<Value> = b.body().op(op).results().collect();
            let found = values.split_off(if with_value { results.len() } else { 0 });
            values.extend(with_structure(b, &leaves, args, found));
            values
        })
    }

    /// Adds functions to a library that compute the results of functions of it, by symbol, and the gradients of their sums, as
    /// [`Session::value_and_grad`] does: `f.gradient` for `f`.
    ///
    /// # Errors
    /// A function does not exist, or none of its parameters in `wrt` has a derivative.
    pub fn add_gradients(
        &self,
        mut library: Library,
        names: &[String],
        wrt: Wrt<'_>,
    ) -> Result<Library, Failure> {
        for name in names {
            let Some(function) = library.functions.iter().find(|function| function.symbol == *name) else {
                let near = nearest(name, library.functions.iter().map(|function| function.symbol.as_str()));
                let error = Diagnostic::error(format!("unknown function '{name}'"));
                return Err(error.did_you_mean(near).into());
            };
            let LibraryFunction { symbol, interface } = function.clone();
            let Entry { module, symbol, interface } =
                self.value_and_grad(&Entry { module: library.module, symbol, interface }, wrt)?;
            library.module = module;
            library.functions.push(LibraryFunction { symbol, interface });
        }
        Ok(library)
    }

    /// The derivative of an entry in a direction: takes the arguments of the function, then a direction for each parameter
    /// in `wrt`, and returns the derivatives of the results.
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn jvp(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.pushforward(entry, wrt, 1)
    }

    /// The derivatives of an entry in several directions, which share the computation of its values: takes the arguments of the
    /// function, then for each of `lanes` directions a part for each parameter in `wrt`, and returns a tuple of the derivatives
    /// of the results by direction.
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn jvps(&self, entry: &Entry, wrt: Wrt<'_>, lanes: usize) -> Result<Entry, Failure> {
        let mut made = self.pushforward(entry, wrt, lanes.max(1))?;
        if lanes <= 1 {
            made.interface.result = ValueType::Tuple(vec![made.interface.result]);
        }
        Ok(made)
    }

    fn pushforward(&self, entry: &Entry, wrt: Wrt<'_>, lanes: usize) -> Result<Entry, Failure> {
        let chosen = chosen(&entry.interface, wrt)?;
        let (inputs, results) = types_of(&entry.module, &entry.symbol)?;
        let leaves = leaves_of(&entry.interface, &chosen);
        let wrt = floats_of(&leaves);
        let ctx = self.context().clone();
        let seeds: Vec<Type> = leaves.iter().map(|&leaf| leaf_type(&inputs, leaf)).collect();
        let all = [&inputs[..], &seeds.repeat(lanes)].concat();
        let given = leaves_of_type(&entry.interface.result);
        let outputs: Vec<Type> = given.iter().map(|&leaf| leaf_type(&results, leaf)).collect();
        let outputs = outputs.repeat(lanes);
        let mut params = entry.interface.params.clone();
        for _ in 0..lanes {
            params.extend(chosen.iter().map(|&at| entry.interface.params[at].tangent()));
        }
        let result = match lanes {
            1 => entry.interface.result.tangent(),
            _ => ValueType::Tuple(vec![entry.interface.result.tangent(); lanes]),
        };
        self.with_function(entry, "jvp", &all, &outputs, params, result, |b, args| {
            let (args, seeds) = args.split_at(inputs.len());
            let seeds = leaves.iter().cycle().zip(seeds).filter(|((_, leaf), _)| *leaf == Leaf::Float);
            let seeds: Vec<Value> = seeds.map(|(_, &seed)| seed).collect();
            let callee = b.context().name(&callee_of(entry));
            let numbers = numbers(&wrt);
            let active: Vec<usize> = (0..results.len()).filter(|&at| is_active(&ctx, results[at])).collect();
            let tangents = (0..lanes).flat_map(|_| active.iter().map(|&at| results[at]));
            let types: Vec<Type> = results.iter().copied().chain(tangents).collect();
            let made = ValueAndFwd::build(b, args, &seeds, callee, Some(numbers), &types);
            let all: Vec<Value> = b.body().op(made.op()).results().collect();
            let (values, tangents) = all.split_at(results.len());
            let tangent = |lane: usize, at: usize| {
                let own = active.iter().position(|&active| active == at)?;
                Some(tangents[lane * active.len() + own])
            };
            let mut part = |lane: usize, (at, leaf): (usize, Leaf)| {
                let float = if leaf == Leaf::Float { tangent(lane, at) } else { None };
                float.unwrap_or_else(|| structure(b, values, (at, leaf)))
            };
            (0..lanes)
                .flat_map(|lane| given.iter().map(move |&leaf| (lane, leaf)))
                .map(|(lane, leaf)| part(lane, leaf))
                .collect()
        })
    }

    /// The cotangents of an entry's parameters: takes the arguments of the function, then a cotangent for each result.
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn vjp(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        let chosen = chosen(&entry.interface, wrt)?;
        let (inputs, results) = types_of(&entry.module, &entry.symbol)?;
        let leaves = leaves_of(&entry.interface, &chosen);
        let wrt = floats_of(&leaves);
        let ctx = self.context().clone();
        let outputs: Vec<Type> = leaves.iter().map(|&leaf| leaf_type(&inputs, leaf)).collect();
        let given = leaves_of_type(&entry.interface.result);
        if floats_of(&given).len() != results.iter().filter(|&&ty| is_active(&ctx, ty)).count() {
            let what = entry.interface.result.describe();
            return Err(Diagnostic::error(format!("the result is {what}, which has no derivative")).into());
        }
        let seeds: Vec<Type> = given.iter().map(|&leaf| leaf_type(&results, leaf)).collect();
        let all = [&inputs[..], &seeds].concat();
        let mut params = entry.interface.params.clone();
        params.push(entry.interface.result.tangent());
        let result = derivative_type(&entry.interface, &chosen);
        self.with_function(entry, "vjp", &all, &outputs, params, result, |b, args| {
            let (args, seeds) = args.split_at(inputs.len());
            let seeds = given.iter().zip(seeds).filter(|((_, leaf), _)| *leaf == Leaf::Float);
            let seeds: Vec<Value> = seeds.map(|(_, &seed)| seed).collect();
            let types: Vec<Type> = wrt.iter().map(|&at| inputs[at]).collect();
            let found = reverse(b, &callee_of(entry), args, &seeds, &wrt, &types);
            with_structure(b, &leaves, args, found)
        })
    }

    /// The product of the Hessian of the sum of an entry's results with a direction, forward over reverse: takes the arguments
    /// of the function, then a direction for each parameter in `wrt`.
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn hvp(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.jvp(&self.grad(entry, wrt)?, wrt)
    }

    /// An entry that returns the results of `entry` in packed form: `entry` itself if it has a single form.
    fn packed(&self, entry: &Entry) -> Result<Entry, Failure> {
        let callee = callee_of(entry);
        if callee == entry.symbol {
            return Ok(entry.clone());
        }
        let (inputs, results) = types_of(&entry.module, &callee)?;
        let (params, result) = (entry.interface.params.clone(), entry.interface.result.clone());
        self.with_function(entry, "packed", &inputs, &results, params, result, |b, args| {
            let call = Call::to(b, &callee, args, &results);
            b.body().op(call.op()).results().collect()
        })
    }

    /// Adds a public function to a copy of an entry's module, and makes it the entry.
    #[expect(clippy::too_many_arguments, reason = "the parts of a function")]
    fn with_function(
        &self,
        entry: &Entry,
        suffix: &str,
        inputs: &[Type],
        outputs: &[Type],
        params: Vec<ValueType>,
        result: ValueType,
        build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Result<Entry, Failure> {
        let mut module = entry.module.clone();
        let block = module.block();
        let symbols = SymbolTable::of(module.body());
        let symbol = symbols.fresh(self.context(), &format!("{}.{suffix}", entry.symbol));
        let symbol = symbol.as_str(self.context()).to_owned();
        let loc = function_loc(&module, &entry.symbol);
        let mut b = Builder::new(module.body_mut(), InsertionPoint::End(block)).with_loc(loc);
        Func::with_body(&mut b, &symbol, inputs, outputs, Visibility::Public, |b, args| {
            let values = build(b, args);
            Return::build(b, &values);
        });
        let names = if params.len() == entry.interface.params.len() {
            entry.interface.names.clone()
        } else {
            Vec::new()
        };
        Ok(Entry { module, symbol, interface: Interface::new(params, result, names) })
    }
}

/// The names of the parameters that are differentiated with respect to; empty if the parameters have none.
///
/// # Errors
/// As [`Session::grad`].
pub fn chosen_names(interface: &Interface, wrt: Wrt<'_>) -> Result<Vec<String>, Failure> {
    let chosen = chosen(interface, wrt)?;
    Ok(chosen.into_iter().filter_map(|at| interface.names.get(at).cloned()).collect())
}

/// The function whose derivatives are those of an entry: the one that returns its results in packed form, if there is one.
/// Otherwise the sum of the results would include elements in memory that are not part of them.
fn callee_of(entry: &Entry) -> String {
    let packed = packed_symbol(&entry.symbol);
    let found = SymbolTable::of(entry.module.body()).get(entry.module.context().name(&packed));
    found.map_or_else(|| entry.symbol.clone(), |_| packed)
}

fn function_loc(module: &Module, symbol: &str) -> minoan_ir::Loc {
    let table = SymbolTable::of(module.body());
    let found = table.get(module.context().name(symbol));
    found.map_or(minoan_ir::Loc::UNKNOWN, |op| module.body().op(op).loc())
}

fn is_active(ctx: &minoan_ir::Context, ty: Type) -> bool {
    has_tangent(ctx, ty)
}

/// The argument and result types of a function.
fn types_of(module: &Module, symbol: &str) -> Result<(Vec<Type>, Vec<Type>), Failure> {
    let ctx = module.context();
    let op = SymbolTable::of(module.body()).get(ctx.name(symbol));
    let function = op.and_then(|op| Func::cast(module.body(), op));
    let Some(function) = function else {
        return Err(Diagnostic::error(format!("unknown function '{symbol}'")).into());
    };
    let (inputs, results) = function.signature(module.body(), ctx);
    Ok((inputs.to_vec(), results.to_vec()))
}

fn numbers(list: &[usize]) -> Array<i64> {
    list.iter().map(|&number| number as i64).collect()
}

fn reverse(
    b: &mut Builder<'_>,
    symbol: &str,
    args: &[Value],
    seeds: &[Value],
    wrt: &[usize],
    outputs: &[Type],
) -> Vec<Value> {
    let callee = b.context().name(symbol);
    let made = Rev::build(b, args, seeds, callee, Some(numbers(wrt)), outputs);
    b.body().op(made.op()).results().collect()
}

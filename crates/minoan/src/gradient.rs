//! Gradients, directional derivatives and Hessian-vector products of entries.
//!
//! A derivative of an entry is an [`Entry`] of its own, which takes the arguments of the function, and can be run and
//! compiled like any other. Its result is a tuple with a part for each parameter: the derivative with respect to it. Numbers
//! and tensors of floats, and values of data types that contain some, have one of their own type; anything else has the empty
//! tuple.

use crate::interface::nested::{self, TangentLeaf as Leaf};
use crate::interface::{Data, Interface, ValueType};
use crate::{Backend, Entry, Failure, Library, LibraryFunction, Session};
use minoan_diag::{Diagnostic, nearest};
use minoan_diff::{Rev, ValueAndFwd, ValueAndRev};
use minoan_frontend::with_stack;
use minoan_func::{Func, Return, Visibility};
use minoan_ir::{Array, Builder, InsertionPoint, Module, OpDef, SymbolTable, Type, Value};
use minoan_services::{Object, Tensor, TensorData, has_tangent};
use std::rc::Rc;

/// The direction of differentiation.
pub use minoan_services::DiffMode;

/// The number of directions in which a Jacobian is computed at once by forward mode.
pub const DEFAULT_LANES: usize = 8;

/// The parameters to differentiate with respect to.
#[derive(Clone, Copy, Debug, Default)]
pub enum Wrt<'a> {
    /// All that have a derivative.
    #[default]
    All,
    /// Those of these names.
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
    /// assert_eq!(gradient.interface.result_json(&result), serde_json::json!({"tuple": [9.0, 12.0]}));
    /// # Ok::<(), minoan::Failure>(())
    /// ```
    ///
    /// # Errors
    /// There is no parameter of a name in `wrt`, or a parameter has no derivative.
    pub fn grad(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.gradient(entry, wrt, false)
    }

    /// The results of an entry and the gradient of their sum, computed together: a pair of the result and what
    /// [`Session::grad`] gives.
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
            let callee = b.context().name(&entry.symbol);
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
    /// There is no function of a name, or none of its parameters in `wrt` has a derivative.
    pub fn add_gradients(
        &self,
        mut library: Library,
        names: &[String],
        wrt: Wrt<'_>,
    ) -> Result<Library, Failure> {
        for name in names {
            let Some(function) = library.functions.iter().find(|function| function.symbol == *name) else {
                let near = nearest(name, library.functions.iter().map(|function| function.symbol.as_str()));
                let error = Diagnostic::error(format!("there is no function '{name}' to differentiate"));
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
    /// in `wrt`, and gives the derivatives of the results.
    ///
    /// # Errors
    /// As [`Session::grad`].
    pub fn jvp(&self, entry: &Entry, wrt: Wrt<'_>) -> Result<Entry, Failure> {
        self.pushforward(entry, wrt, 1)
    }

    /// The derivatives of an entry in several directions, which share the computation of its values: takes the arguments of the
    /// function, then for each of `lanes` directions a part for each parameter in `wrt`, and gives a tuple of the derivatives of
    /// the results by direction.
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
            let callee = b.context().name(&entry.symbol);
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
            let found = reverse(b, &entry.symbol, args, &seeds, &wrt, &types);
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

    /// The derivatives of all numbers in the results with respect to all numbers in the parameters: for each number in the
    /// results, in order, the derivatives by parameter.
    ///
    /// Forward mode runs if the parameters have fewer numbers than the results, with several directions at once.
    ///
    /// # Errors
    /// As [`Session::grad`], and those of running.
    pub fn jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Data],
        backend: Backend,
    ) -> Result<Vec<Vec<Data>>, Failure> {
        let results = self.run(entry, args, backend)?;
        let outputs: usize = results.iter().filter_map(floats).map(|numbers| numbers.len()).sum();
        let inputs = places(args, &leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?)).len();
        match inputs < outputs {
            true => self.forward_jacobian(entry, wrt, args, backend, DEFAULT_LANES),
            false => self.reverse_jacobian(entry, wrt, args, backend),
        }
    }

    /// As [`Session::jacobian`], by forward mode: a run for every `lanes` numbers in the parameters.
    ///
    /// # Errors
    /// As [`Session::jacobian`].
    pub fn forward_jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Data],
        backend: Backend,
        lanes: usize,
    ) -> Result<Vec<Vec<Data>>, Failure> {
        let leaves = leaves_of(&entry.interface, &chosen(&entry.interface, wrt)?);
        let zeros = zero_directions(args, &leaves);
        let places = places(args, &leaves);
        let lanes = lanes.clamp(1, places.len().max(1));
        let jvps = self.prepare(&self.jvps(entry, wrt, lanes)?, backend)?;
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(places.len());
        for chunk in places.chunks(lanes) {
            let mut given = args.to_vec();
            for lane in 0..lanes {
                let mut direction = zeros.clone();
                if let Some(&(leaf, index)) = chunk.get(lane) {
                    set(&mut direction[leaf], index, 1.0);
                }
                given.extend(direction);
            }
            let found = jvps.call(&given)?;
            let of_lane = found.chunks((found.len() / lanes).max(1)).take(chunk.len());
            columns
                .extend(of_lane.map(|found| found.iter().filter_map(floats).flatten().collect::<Vec<f64>>()));
        }
        let row = |row: usize| {
            let mut first = 0;
            let part = |&(number, leaf): &(usize, Leaf)| {
                if leaf != Leaf::Float {
                    return structure_of(&args[number], leaf);
                }
                let own = first;
                first += floats(&args[number]).map_or(0, |numbers| numbers.len());
                filled(&args[number], &|index| columns[own + index][row])
            };
            leaves.iter().map(part).collect()
        };
        Ok((0..columns.first().map_or(0, Vec::len)).map(row).collect())
    }

    /// As [`Session::jacobian`], by reverse mode: a run for each number in the results.
    ///
    /// # Errors
    /// As [`Session::jacobian`].
    pub fn reverse_jacobian(
        &self,
        entry: &Entry,
        wrt: Wrt<'_>,
        args: &[Data],
        backend: Backend,
    ) -> Result<Vec<Vec<Data>>, Failure> {
        let vjp = self.prepare(&self.vjp(entry, wrt)?, backend)?;
        let results = self.run(entry, args, backend)?;
        let leaves = leaves_of_type(&entry.interface.result);
        let mut seeds = zero_directions(&results, &leaves);
        let mut rows = Vec::new();
        for (part, index) in places(&results, &leaves) {
            set(&mut seeds[part], index, 1.0);
            let given: Vec<Data> = args.iter().chain(&seeds).cloned().collect();
            rows.push(vjp.call(&given)?);
            set(&mut seeds[part], index, 0.0);
        }
        Ok(rows)
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
        return Err(Diagnostic::error(format!("there is no function '{symbol}' to differentiate")).into());
    };
    let (inputs, results) = function.signature(module.body(), ctx);
    Ok((inputs.to_vec(), results.to_vec()))
}

/// The components of a value that its tangent has, too, by number.
fn leaves_of_type(ty: &ValueType) -> Vec<(usize, Leaf)> {
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
fn floats_of(leaves: &[(usize, Leaf)]) -> Vec<usize> {
    leaves.iter().filter(|(_, leaf)| *leaf == Leaf::Float).map(|&(at, _)| at).collect()
}

/// The type of a component of a tangent.
fn leaf_type(values: &[Type], (at, leaf): (usize, Leaf)) -> Type {
    if matches!(leaf, Leaf::Extent(_)) { Type::I64 } else { values[at] }
}

/// A component of a tangent that is no float, from the values.
fn structure(b: &mut Builder<'_>, values: &[Value], (at, leaf): (usize, Leaf)) -> Value {
    let Leaf::Extent(dim) = leaf else { return values[at] };
    let dim = minoan_arith::constant_index(b, dim as i64);
    let extent = minoan_tensor::dim(b, values[at], dim);
    minoan_arith::index_cast(b, extent, Type::I64)
}

/// The same of a value.
fn structure_of(value: &Data, leaf: Leaf) -> Data {
    match (leaf, value) {
        (Leaf::Extent(dim), Data::Tensor(tensor)) => Data::Int(tensor.shape[dim] as i64),
        _ => value.clone(),
    }
}

/// The components of tangents from those that are floats; the others are those of the values.
fn with_structure(
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
fn chosen(interface: &Interface, wrt: Wrt<'_>) -> Result<Vec<usize>, Failure> {
    let names = interface.param_names();
    let has_derivative = |at: usize| !floats_of(&leaves_of_type(&interface.params[at])).is_empty();
    let Wrt::Named(wanted) = wrt else {
        let all: Vec<usize> = (0..names.len()).filter(|&at| has_derivative(at)).collect();
        if all.is_empty() {
            let types: Vec<String> = interface.params.iter().map(ValueType::describe).collect();
            let error = Diagnostic::error("no parameter has a derivative: none contains floats");
            let types = if types.is_empty() { "none".to_owned() } else { types.join(", ") };
            return Err(error.note(format!("parameters: {types}")).into());
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
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// The type of the derivatives by parameter; those that are not chosen have none.
fn derivative_type(interface: &Interface, chosen: &[usize]) -> ValueType {
    let parts = interface.params.iter().enumerate().map(|(at, param)| match chosen.contains(&at) {
        true => param.tangent(),
        false => ValueType::Tuple(Vec::new()),
    });
    ValueType::Tuple(parts.collect())
}

/// The arguments of the compiled function that the tangents of parameters have, too.
fn leaves_of(interface: &Interface, chosen: &[usize]) -> Vec<(usize, Leaf)> {
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

/// The numbers of a value, if they are floats; those in an object, in the order of its fields.
pub fn floats(value: &Data) -> Option<Vec<f64>> {
    match value {
        Data::F32(number) => Some(vec![f64::from(*number)]),
        Data::F64(number) => Some(vec![*number]),
        Data::Tensor(tensor) => match &tensor.data {
            TensorData::F32(data) => Some(data.iter().map(|&number| f64::from(number)).collect()),
            TensorData::F64(data) => Some(data.clone()),
            _ => None,
        },
        Data::Object(object) => {
            let (mut found, mut pending) = (Vec::new(), object.slots().unwrap_or_default());
            pending.reverse();
            while let Some(value) = pending.pop() {
                match &value {
                    Data::Object(object) => {
                        pending.extend(object.slots().unwrap_or_default().into_iter().rev())
                    }
                    leaf => found.extend(floats(leaf).unwrap_or_default()),
                }
            }
            Some(found)
        }
        _ => None,
    }
}

/// A value like another one, whose numbers are those of a function of their position.
pub fn filled(like: &Data, number: &dyn Fn(usize) -> f64) -> Data {
    filled_from(like, &mut 0, number)
}

/// As [`filled`], from a position on, which is advanced.
fn filled_from(like: &Data, next: &mut usize, number: &dyn Fn(usize) -> f64) -> Data {
    let mut take = || {
        *next += 1;
        number(*next - 1)
    };
    match like {
        Data::F32(_) => Data::F32(take() as f32),
        Data::F64(_) => Data::F64(take()),
        Data::Tensor(tensor) => {
            let all = 0..tensor.data.len();
            let data = match &tensor.data {
                TensorData::F32(_) => TensorData::F32(all.map(|_| take() as f32).collect()),
                TensorData::F64(_) => TensorData::F64(all.map(|_| take()).collect()),
                _ => return like.clone(),
            };
            Data::Tensor(Rc::new(Tensor { shape: tensor.shape.clone(), data }))
        }
        Data::Object(object) => {
            let slots = object.slots().unwrap_or_default();
            let slots = slots.iter().map(|slot| with_stack(|| filled_from(slot, next, number))).collect();
            Data::Object(Object::new(object.kind().clone(), slots))
        }
        _ => like.clone(),
    }
}

/// The gradient of the sum of an entry's results, by forward mode: one run for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn forward_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Data],
    backend: Backend,
) -> Result<Vec<Data>, Failure> {
    let jvp = session.prepare(&session.jvp(entry, wrt)?, backend)?;
    by_element(entry, wrt, args, |directions, _, _| {
        let given: Vec<Data> = args.iter().chain(directions).cloned().collect();
        Ok(total(&jvp.call(&given)?))
    })
}

/// A gradient by central differences.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The derivatives, in the structure of the parameters.
    pub gradient: Vec<Data>,
    /// The estimated absolute error of each number in `gradient`, in the same order.
    pub errors: Vec<f64>,
}

/// The gradient of the sum of an entry's results, by central differences: at least four runs for each number in the parameters.
///
/// # Errors
/// As [`Session::grad`], and those of running.
pub fn difference_gradient(
    session: &Session,
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Data],
    backend: Backend,
) -> Result<Differences, Failure> {
    let function = session.prepare(entry, backend)?;
    let mut errors = Vec::new();
    let gradient = by_element(entry, wrt, args, |_, leaf, index| {
        let numbers = floats(&args[leaf]).unwrap_or_default();
        let single = is_single(&args[leaf]);
        let round = |number: f64| if single { f64::from(number as f32) } else { number };
        let value = |number: f64| -> Result<f64, Failure> {
            let mut given = args.to_vec();
            given[leaf] = filled(&args[leaf], &|other| if other == index { number } else { numbers[other] });
            Ok(total(&function.call(&given)?))
        };
        let slope = |step: f64| -> Result<f64, Failure> {
            let (below, above) = (round(numbers[index] - step), round(numbers[index] + step));
            Ok((value(above)? - value(below)?) / (above - below))
        };
        let largest_step = if single { 1.0 / 64.0 } else { 1.0 / 1024.0 };
        let (slope, error) = extrapolated(largest_step * numbers[index].abs().max(1.0), slope)?;
        errors.push(error);
        Ok(slope)
    })?;
    Ok(Differences { gradient, errors })
}

/// The limit of central differences `slope(step)` as the step goes to zero, and an estimate of its error: Ridders' method, which
/// extrapolates differences of halved steps. It ends when the error is small, or grows because of rounding.
fn extrapolated(
    mut step: f64,
    mut slope: impl FnMut(f64) -> Result<f64, Failure>,
) -> Result<(f64, f64), Failure> {
    const ROWS: usize = 10;
    const SMALL: f64 = 1e-4;
    let mut last = vec![slope(step)?];
    let (mut best, mut error) = (last[0], f64::INFINITY);
    for _ in 1..ROWS {
        step /= 2.0;
        let mut row = vec![slope(step)?];
        let mut factor = 1.0;
        for (at, before) in last.iter().enumerate() {
            factor *= 4.0;
            let coarse = row[at];
            let fine = (coarse * factor - before) / (factor - 1.0);
            let own = (fine - coarse).abs().max((fine - before).abs());
            if own <= error {
                (best, error) = (fine, own);
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
    Ok((best, error))
}

/// Whether a value contains a float of single precision.
fn is_single(value: &Data) -> bool {
    match value {
        Data::F32(_) => true,
        Data::Tensor(tensor) => matches!(tensor.data, TensorData::F32(_)),
        Data::Object(object) => {
            let mut pending = object.slots().unwrap_or_default();
            while let Some(value) = pending.pop() {
                match &value {
                    Data::Object(object) => pending.extend(object.slots().unwrap_or_default()),
                    leaf if is_single(leaf) => return true,
                    _ => {}
                }
            }
            false
        }
        _ => false,
    }
}

/// Replaces a number of a value, in place if nothing else refers to it.
fn set(value: &mut Data, index: usize, number: f64) {
    match value {
        Data::F32(own) => *own = number as f32,
        Data::F64(own) => *own = number,
        Data::Tensor(tensor) => match &mut Rc::make_mut(tensor).data {
            TensorData::F32(data) => data[index] = number as f32,
            TensorData::F64(data) => data[index] = number,
            _ => {}
        },
        Data::Object(_) => {
            let numbers = floats(value).unwrap_or_default();
            *value = filled(value, &|at| if at == index { number } else { numbers[at] });
        }
        _ => {}
    }
}

/// The sum of all floats in a list of values.
pub fn total(values: &[Data]) -> f64 {
    values.iter().filter_map(floats).flatten().sum()
}

/// The zero direction.
fn zero_directions(args: &[Data], leaves: &[(usize, Leaf)]) -> Vec<Data> {
    let direction = |&(at, leaf): &(usize, Leaf)| match leaf {
        Leaf::Float => filled(&args[at], &|_| 0.0),
        leaf => structure_of(&args[at], leaf),
    };
    leaves.iter().map(direction).collect()
}

/// The numbers of a direction: the part, and the position in it.
fn places(args: &[Data], leaves: &[(usize, Leaf)]) -> Vec<(usize, usize)> {
    let of_leaf = |(part, &(at, leaf)): (usize, &(usize, Leaf))| {
        let count =
            if leaf == Leaf::Float { floats(&args[at]).map_or(0, |numbers| numbers.len()) } else { 0 };
        (0..count).map(move |index| (part, index))
    };
    leaves.iter().enumerate().flat_map(of_leaf).collect()
}

/// A number for each number of the parameters in `wrt`, from the unit direction, the argument and the position in it.
fn by_element(
    entry: &Entry,
    wrt: Wrt<'_>,
    args: &[Data],
    mut number: impl FnMut(&[Data], usize, usize) -> Result<f64, Failure>,
) -> Result<Vec<Data>, Failure> {
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
            Leaf::Float => filled(own, &|index| numbers[index]),
            leaf => structure_of(own, leaf),
        });
    }
    Ok(found)
}

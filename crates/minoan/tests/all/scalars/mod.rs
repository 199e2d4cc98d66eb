//! Every operation of arith and math on scalars: in each form that its verifier accepts, machine code gives what the
//! interpreter gives.
//!
//! The operations, and the values that their attributes may have, come from the registry. Integers of widths that a function
//! cannot take or return are carried in an `i64`, those of more than 64 bits in as many as they need.
#![cfg(feature = "mlir")]

mod forms;
mod values;

use forms::Form;
use minoan::interface::Interface;
use minoan::ir::{Builder, Context, Loc, Module, OpDef, OpState, Type, Value};
use minoan::services::Datum;
use minoan::{Entry, Loaded, Session};
use minoan_func::{Func, Return};
use minoan_interp::Interpreter;
use minoan_services::Visibility;
use values::{agree, tuples};

/// Functions compiled together.
const AT_ONCE: usize = 400;
/// Differences that a failure shows.
const MAX_SHOWN: usize = 1000;

/// The types in which a function takes or returns values of some types.
fn carriers(ctx: &Context, types: &[Type]) -> Vec<Type> {
    let carriers = |&ty: &Type| match ty.integer_width(ctx) {
        Some(1 | 8 | 16 | 32 | 64) | None => vec![ty],
        Some(width) => vec![Type::I64; width.div_ceil(64) as usize],
    };
    types.iter().flat_map(carriers).collect()
}

/// The value of a type that is carried in the first of some arguments, which are removed.
fn received(b: &mut Builder<'_>, args: &mut &[Value], ty: Type) -> Value {
    let (now, later) = args.split_at(carriers(&b.context(), &[ty]).len());
    *args = later;
    match *now {
        [arg] if b.ty(arg) == ty => arg,
        [arg] => minoan_arith::trunci(b, arg, ty),
        _ => {
            let parts = now.iter().enumerate().map(|(at, &word)| {
                let wide = minoan_arith::extui(b, word, ty);
                let by = minoan_arith::constant_int(b, 64 * at as i64, ty);
                minoan_arith::shli(b, wide, by)
            });
            let parts: Vec<Value> = parts.collect();
            parts.into_iter().reduce(|a, part| minoan_arith::ori(b, a, part)).expect("words")
        }
    }
}

/// The values in which a result is carried.
fn sent(b: &mut Builder<'_>, value: Value) -> Vec<Value> {
    let ty = b.ty(value);
    let types = carriers(&b.context(), &[ty]);
    match *types {
        [carrier] if carrier == ty => vec![value],
        [carrier] => vec![minoan_arith::extsi(b, value, carrier)],
        _ => (0..types.len())
            .map(|at| {
                let by = minoan_arith::constant_int(b, 64 * at as i64, ty);
                let word = minoan_arith::shrsi(b, value, by);
                minoan_arith::trunci(b, word, Type::I64)
            })
            .collect(),
    }
}

/// The values in which an argument is carried.
fn carried(ctx: &Context, datum: &Datum, ty: Type) -> Vec<Datum> {
    match datum {
        Datum::Wide(value) => {
            let bytes = value.to_le_bytes(8 * carriers(ctx, &[ty]).len());
            let word = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            bytes.chunks(8).map(|bytes| Datum::Int(word(bytes))).collect()
        }
        other => vec![other.clone()],
    }
}

/// Adds the function `name`, which applies an operation to its arguments.
fn add_function(b: &mut Builder<'_>, name: &str, form: &Form) {
    let ctx = b.context();
    let (inputs, outputs) = (carriers(&ctx, &form.operands), carriers(&ctx, &form.results));
    Func::with_body(b, name, &inputs, &outputs, Visibility::Public, |b, args| {
        let mut args = args;
        let operands: Vec<Value> = form.operands.iter().map(|&ty| received(b, &mut args, ty)).collect();
        let state = OpState::new(form.kind).operands(&operands).props(form.props);
        let op = b.create(state.results(&form.results));
        let results: Vec<Value> = b.body().op(op).results().collect();
        let results: Vec<Value> = results.into_iter().flat_map(|value| sent(b, value)).collect();
        Return::build(b, &results);
    });
}

/// The functions of some forms, interpreted and compiled.
struct Compiled {
    module: Module,
    loaded: Loaded,
}

fn compiled(session: &Session, forms: &[Form]) -> Result<Compiled, String> {
    let ctx = session.context();
    let mut module = Module::new(ctx, Loc::UNKNOWN);
    let block = module.block();
    for (number, form) in forms.iter().enumerate() {
        let mut b = Builder::at_end(module.body_mut(), block);
        add_function(&mut b, &format!("f{number}"), form);
    }
    minoan::ir::verify::verify(&module).map_err(|errors| format!("{errors:?}"))?;
    let first = module.walk::<Func>().next().map(|(body, func)| Interface::of_function(body.op(func.op())));
    let interface = first.expect("a function").map_err(|failure| failure.to_string())?;
    let entry = Entry { module: module.clone(), symbol: "f0".to_owned(), interface };
    let loaded = session.load(&entry).map_err(|failure| failure.to_string())?;
    Ok(Compiled { module, loaded })
}

impl Compiled {
    /// The differences between interpreted and compiled runs of a form, and the number of runs.
    fn compare(&self, ctx: &Context, number: usize, form: &Form, wrong: &mut Vec<String>) -> usize {
        let name = format!("f{number}");
        let mut ran = 0;
        let mut interpreter = Interpreter::new(&self.module);
        for values in tuples(ctx, &form.operands) {
            let pairs = values.iter().zip(&form.operands);
            let args: Vec<Datum> = pairs.flat_map(|(value, &ty)| carried(ctx, value, ty)).collect();
            let oracle = match interpreter.call(&name, &args) {
                // Undefined behavior and poison are anything.
                Err(trap) if trap.is_undefined => continue,
                Ok(results) if results.iter().any(Datum::has_poison) => continue,
                oracle => oracle.map_err(|trap| trap.message),
            };
            let machine = self.loaded.call_function(&name, &args).map_err(|failure| failure.to_string());
            ran += 1;
            let same = match (&oracle, &machine) {
                (Ok(oracle), Ok(machine)) => agree(ctx, form, oracle, machine),
                (Err(oracle), Err(machine)) => oracle == machine,
                _ => false,
            };
            if !same {
                wrong.push(format!(
                    "{} of {values:?}\n  interpreter {oracle:?}\n  machine {machine:?}",
                    form.text(ctx)
                ));
                break;
            }
        }
        ran
    }
}

/// Compares forms, which are compiled together, or one by one to find those that do not compile.
fn compare_all(session: &Session, forms: &[Form], wrong: &mut Vec<String>) -> usize {
    match compiled(session, forms) {
        Ok(compiled) => {
            let each = forms.iter().enumerate();
            each.map(|(number, form)| compiled.compare(session.context(), number, form, wrong)).sum()
        }
        Err(message) if forms.len() == 1 => {
            wrong.push(format!("{} does not compile: {message}", forms[0].text(session.context())));
            0
        }
        Err(_) => {
            let (first, second) = forms.split_at(forms.len() / 2);
            compare_all(session, first, wrong) + compare_all(session, second, wrong)
        }
    }
}

/// Whether a form has no machine code: the compiler refuses it.
fn is_refused(ctx: &Context, form: &Form) -> bool {
    let name = ctx.kind_name(form.kind);
    let is_rounding = |text: &str| {
        ["downward", "upward", "toward_zero", "to_nearest_away"].iter().any(|mode| text.contains(mode))
    };
    name.starts_with("arith.scaling_") || (name == "arith.truncf" && is_rounding(&form.text(ctx)))
}

#[test]
fn every_scalar_operation_gives_the_same_in_machine_code() {
    let mut session = Session::new();
    session.options.verify_each = false;
    let ctx = session.context();
    let (mut forms, mut without) = (Vec::new(), Vec::new());
    for dialect in ["arith", "math"] {
        for &kind in ctx.dialect(dialect).expect("it is loaded").ops() {
            let found = forms::of(ctx, kind);
            if found.is_empty() {
                without.push(ctx.kind_name(kind).to_owned());
            }
            forms.extend(found);
        }
    }
    let (mut wrong, mut ran) = (Vec::new(), 0);
    let (refused, forms): (Vec<Form>, Vec<Form>) = forms.into_iter().partition(|form| is_refused(ctx, form));
    for form in refused.iter().step_by(20) {
        match compiled(&session, std::slice::from_ref(form)) {
            Err(message) if message.ends_with("has no machine code") => {}
            other => wrong.push(format!("{}: {:?}", form.text(ctx), other.err())),
        }
    }
    for forms in forms.chunks(AT_ONCE) {
        ran += compare_all(&session, forms, &mut wrong);
    }
    println!("{} forms, {ran} runs", forms.len());
    let count = wrong.len();
    wrong.truncate(MAX_SHOWN);
    assert!(wrong.is_empty(), "{count} forms differ\n{}", wrong.join("\n"));
    assert!(without.is_empty(), "operations that no form was found for: {without:?}");
    assert!(forms.len() > 1000 && ran > 50_000, "{} forms, {ran} runs", forms.len());
}

//! Lowers and runs programs.

use minoan_diag::{Diagnostics, SourceMap, render};
use minoan_interp::Interpreter;
use minoan_ir::text::{PrintFlags, print_module};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Registry};
use minoan_knossos::emit::{EmitOptions, FloatWidth, emit};
use minoan_knossos::{check, parse};
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::apply_rules::ApplyRules;
use minoan_passes::differentiate::Differentiate;
use minoan_runtime::{format_f32, format_f64, format_i1, format_i64, ranhashdoub};
use minoan_services::{Datum, TensorData, Trap};
use std::cell::RefCell;

pub fn context() -> Context {
    let mut registry = Registry::new();
    registry
        .add(minoan_arith::ArithDialect)
        .add(minoan_builtin::BuiltinDialect)
        .add(minoan_cf::CfDialect)
        .add(minoan_data::DataDialect)
        .add(minoan_diff::DiffDialect)
        .add(minoan_func::FuncDialect)
        .add(minoan_knossos_dialect::KnossosDialect)
        .add(minoan_linalg::LinalgDialect)
        .add(minoan_math::MathDialect)
        .add(minoan_scf::ScfDialect)
        .add(minoan_tensor::TensorDialect);
    Context::new(registry).expect("no duplicates")
}

/// Emits a module of the knossos dialect and applies its rules, or returns the messages.
pub fn emitted(ctx: &Context, text: &str, roots: &[&str], options: &EmitOptions) -> Result<Module, String> {
    let sources = SourceMap::new();
    let say = |errors: &Diagnostics| -> String { errors.iter().map(|it| render(it, &sources)).collect() };
    let file = sources.add("test.ks", text);
    let (program, errors) = parse(&sources, file);
    if errors.has_errors() {
        return Err(say(&errors));
    }
    let (typed, errors) = check(&program);
    if errors.has_errors() {
        return Err(say(&errors));
    }
    let roots: Result<Vec<_>, _> = roots.iter().map(|root| typed.find_entry(root)).collect();
    let roots = roots.map_err(|error| render(&error, &sources))?;
    let module = emit(ctx, &sources, &typed, &roots, options).map_err(|errors| say(&errors))?;
    verify(&module).map_err(|errors| format!("emitted:\n{}\n{}", say(&errors), text_of(&module)))?;
    let mut module = module;
    let rules = Pipeline::new(vec![Box::new(ApplyRules)]);
    let applied = PassManager::new(&rules).verify_each(true).run(&mut module);
    applied.into_result().map_err(|errors| format!("rules:\n{}\n{}", say(&errors), text_of(&module)))?;
    Ok(module)
}

/// Lowers a module to the shared dialects, or returns the messages.
pub fn lowered(module: &Module) -> Result<Module, String> {
    let mut lowered = module.clone();
    let sources = SourceMap::new();
    let say = |errors: &Diagnostics| -> String { errors.iter().map(|it| render(it, &sources)).collect() };
    minoan_rewrite::lower(&mut lowered).map_err(|errors| say(&errors))?;
    verify(&lowered).map_err(|errors| format!("lowered:\n{}\n{}", say(&errors), text_of(&lowered)))?;
    Ok(lowered)
}

pub fn text_of(module: &Module) -> String {
    print_module(module, &PrintFlags::default())
}

/// Emits and lowers a program with 32-bit floats.
pub fn lowered_text(text: &str, roots: &[&str]) -> String {
    let ctx = context();
    match emitted(&ctx, text, roots, &EmitOptions::default()).and_then(|module| lowered(&module)) {
        Ok(module) => text_of(&module),
        Err(messages) => messages,
    }
}

/// Interprets a function of a lowered module; returns its output and results.
pub fn interpret(module: &Module, entry: &str, args: &[Datum]) -> (String, Result<Vec<Datum>, Trap>) {
    let out = RefCell::new(String::new());
    let print = |format: fn(&Datum) -> String| -> minoan_interp::External<'_> {
        let out = &out;
        Box::new(move |args| {
            out.borrow_mut().push_str(&args.first().map_or_else(String::new, format));
            Ok(Vec::new())
        })
    };
    let mut run = Interpreter::new(module)
        .with_external("minoan_print_i64", print(|it| format_i64(int(it))))
        .with_external("minoan_print_i1", print(|it| format_i1(int(it) != 0).to_owned()))
        .with_external(
            "minoan_print_f32",
            print(|it| format_f32(if let Datum::F32(it) = it { *it } else { f32::NAN })),
        )
        .with_external(
            "minoan_print_f64",
            print(|it| format_f64(if let Datum::F64(it) = it { *it } else { f64::NAN })),
        )
        .with_external("minoan_print_text", print(bytes))
        .with_external("minoan_nanoseconds", Box::new(|_| Ok(vec![Datum::Int(0)])))
        .with_external(
            "minoan_ranhashdoub",
            Box::new(|args| Ok(vec![Datum::F64(args.first().map_or(0.0, |it| ranhashdoub(int(it))))])),
        );
    let result = run.call(entry, args);
    drop(run);
    (out.into_inner(), result)
}

fn int(datum: &Datum) -> i64 {
    if let Datum::Int(value) = datum { *value } else { i64::MIN }
}

fn bytes(datum: &Datum) -> String {
    match datum {
        Datum::Tensor(tensor) => match &tensor.data {
            TensorData::Int(data) => {
                let bytes: Vec<u8> = data.iter().map(|&byte| byte as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => "<no text>".to_owned(),
        },
        _ => "<no text>".to_owned(),
    }
}

/// Creates the derivatives that a lowered module requests.
fn differentiated(mut module: Module) -> Module {
    let pipeline = Pipeline::new(vec![Box::new(Differentiate)]);
    let outcome = PassManager::new(&pipeline).run(&mut module).into_result();
    outcome.unwrap_or_else(|errors| panic!("{errors:?}"));
    module
}

/// The output of a program, followed by the error that ended it, if any.
pub fn output(text: &str, float: FloatWidth) -> String {
    let options = EmitOptions { float, check_bounds: true };
    match emitted(&context(), text, &["main"], &options).and_then(|module| lowered(&module)) {
        Err(messages) => messages,
        Ok(module) => match interpret(&differentiated(module), "main", &[]) {
            (out, Ok(_)) => out,
            (out, Err(trap)) => format!("{out}stopped: {}\n", trap.message),
        },
    }
}

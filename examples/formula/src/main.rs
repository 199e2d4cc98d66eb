//! Compiles a formula over x and y in reverse Polish notation to machine code and calls it: `formula 'x y 2 + *' 3 4`.
use minoan::diag::{Diagnostic, FileId, Span, render};
use minoan::dialects::arith::{addf, constant_float, divf, mulf, subf};
use minoan::dialects::func::{Func, Return};
use minoan::ir::{Builder, InsertionPoint, Loc, Module, Type, Value};
use minoan::services::Visibility;
use minoan::{Backend, Datum, Failure, Session};

/// Creates the operations of a formula; the stack of the notation holds their results.
fn emit(b: &mut Builder<'_>, text: &str, file: FileId, params: &[Value]) -> Result<Value, Diagnostic> {
    let mut stack = Vec::new();
    let mut end = 0;
    for word in text.split_whitespace() {
        let start = end + text[end..].find(word).unwrap_or(0);
        end = start + word.len();
        let error = |message| Diagnostic::error(message).at(Span::new(file, start as u32, end as u32));
        let value = match word {
            "x" => params[0],
            "y" => params[1],
            "+" | "-" | "*" | "/" => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                    return Err(error(format!("'{word}' needs two operands before it")));
                };
                let build = match word {
                    "+" => addf,
                    "-" => subf,
                    "*" => mulf,
                    _ => divf,
                };
                build(b, left, right)
            }
            number => match number.parse() {
                Ok(number) => constant_float(b, number, Type::F64),
                Err(_) => {
                    return Err(error(format!("expected x, y, a number or an operator, found '{number}'")));
                }
            },
        };
        stack.push(value);
    }
    let [value] = stack[..] else {
        let message = format!("a formula leaves one value, this one leaves {}", stack.len());
        return Err(Diagnostic::error(message).at(Span::new(file, 0, text.len() as u32)));
    };
    Ok(value)
}

/// A module with the function `formula(x, y)`.
pub fn compile(session: &Session, text: &str) -> Result<Module, Failure> {
    let file = session.sources().add("formula", text);
    let mut module = Module::new(session.context(), Loc::UNKNOWN);
    let block = module.block();
    let mut b = Builder::new(module.body_mut(), InsertionPoint::End(block));
    let mut emitted = Ok(());
    Func::with_body(&mut b, "formula", &[Type::F64; 2], &[Type::F64], Visibility::Public, |b, params| {
        emitted = emit(b, text, file, params).map(|value| _ = Return::build(b, &[value]));
    });
    emitted?;
    Ok(module)
}

pub fn call(session: &Session, module: &Module, x: f64, y: f64) -> Result<String, Failure> {
    let entry = session.entry_of(module, "formula")?;
    let results = session.run(&entry, &[Datum::F64(x), Datum::F64(y)], Backend::Jit)?;
    Ok(entry.interface.result_text(&results))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [text, x, y] = &args[..] else { panic!("usage: formula FORMULA X Y") };
    let (session, number) = (Session::new(), |text: &str| text.parse().expect("a number"));
    match compile(&session, text).and_then(|module| call(&session, &module, number(x), number(y))) {
        Ok(result) => println!("{result}"),
        Err(failure) => {
            failure.diagnostics.iter().for_each(|it| eprint!("{}", render(it, session.sources())))
        }
    }
}

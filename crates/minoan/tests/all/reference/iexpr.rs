//! The operators of i-expressions.

use minoan::Session;
use minoan::dialects::iexpr::{Class, Operator};
use serde_json::json;
use std::fmt::Write;

#[test]
fn the_reference_of_i_expressions_is_current() {
    let session = Session::new();
    let mut out = String::new();
    for operator in Operator::ALL {
        let (class, args, vector) = match operator.class() {
            Class::Numeric => ("numbers to a number", json!([[4, 2, 1], [2, 2, 3]]), json!([[4, 2, 1]])),
            Class::Comparison => ("numbers to a boolean", json!([[4, 2, 1], [2, 2, 3]]), json!([[4, 0, -1]])),
            Class::Logical => (
                "booleans to a boolean",
                json!([[true, true, false], [true, false, false]]),
                json!([[true, false, true]]),
            ),
        };
        let symbol = operator.symbol();
        _ = writeln!(out, "### `{symbol}`: {}\n", operator.name());
        _ = writeln!(out, "{} It maps {class}.\n\n```text", operator.documentation());
        let mut example = |expression: String, args: &serde_json::Value| {
            let text = format!("main = i(\"{expression}\")");
            let value = super::run(&session, "example.iexpr", &text, "main", args);
            let value = value.unwrap_or_else(|error| panic!("{expression}: {error}"));
            let args: Vec<String> =
                args.as_array().into_iter().flatten().map(|arg| arg.to_string().replace(',', ", ")).collect();
            _ = writeln!(out, "{expression}: {} -> {value}", args.join(", "));
        };
        if operator.is_binary() {
            example(format!("i{symbol}i~i"), &args);
        }
        example(format!("{symbol}i~i"), &vector);
        if operator.is_reducible() {
            example(format!("{symbol}i~."), &vector);
        }
        _ = writeln!(out, "```\n");
    }
    super::page("i-expressions.md", &out);
}

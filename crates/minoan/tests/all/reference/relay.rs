//! The operators of Relay. The examples are the smallest programs with measured results, which the tests of the front
//! end compare, and those below.

use minoan::Session;
use minoan::dialects::relay::operators::{self, Field, FieldKind, Operator};
use minoan::dialects::relay::unlowered;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A program and the arguments of its function `main`.
struct Example {
    program: String,
    args: Vec<Value>,
}

/// Elementwise operators without a measured program, with arguments.
const ELEMENTWISE: [(&str, &str, &str); 21] = [
    ("acos", "float32", "[[0.5, 1]]"),
    ("acosh", "float32", "[[1, 2]]"),
    ("asin", "float32", "[[0.5, 1]]"),
    ("asinh", "float32", "[[0, 1]]"),
    ("atanh", "float32", "[[0, 0.5]]"),
    ("bitwise_not", "int32", "[[0, 5]]"),
    ("bitwise_or", "int32", "[[12, 5], [10, 1]]"),
    ("bitwise_xor", "int32", "[[12, 5], [10, 1]]"),
    ("cast_like", "float32", "[[1.5, -1.5], [0, 0]]"),
    ("copy", "float32", "[[1, 2]]"),
    ("cosh", "float32", "[[0, 1]]"),
    ("fast_erf", "float32", "[[0, 1]]"),
    ("fast_exp", "float32", "[[0, 1]]"),
    ("fast_tanh", "float32", "[[0, 1]]"),
    ("isfinite", "float32", "[[1, \"inf\"]]"),
    ("log10", "float32", "[[1, 1000]]"),
    ("logical_xor", "bool", "[[true, true], [true, false]]"),
    ("sinh", "float32", "[[0, 1]]"),
    ("tan", "float32", "[[0, 1]]"),
    ("trunc_divide", "int32", "[[7, -7], [2, 2]]"),
    ("trunc_mod", "int32", "[[7, -7], [2, 2]]"),
];

/// Programs of other operators.
const OTHERS: [(&str, &str, &str); 11] = [
    ("cumprod", "cumprod(%x, axis=0)", "[[2, 3, 4]]"),
    ("nn.fast_softmax", "nn.fast_softmax(%x)", "[[0, 0, 1]]"),
    ("annotation.bitpack_end", "annotation.bitpack_end(%x)", "[[1, 2, 3]]"),
    ("annotation.bitpack_start", "annotation.bitpack_start(%x)", "[[1, 2, 3]]"),
    ("annotation.cast_hint", "annotation.cast_hint(%x, dtype=\"int8\")", "[[1, 2, 3]]"),
    ("annotation.checkpoint", "annotation.checkpoint(%x)", "[[1, 2, 3]]"),
    ("annotation.compiler_begin", "annotation.compiler_begin(%x, compiler=\"dnnl\")", "[[1, 2, 3]]"),
    ("annotation.compiler_end", "annotation.compiler_end(%x, compiler=\"dnnl\")", "[[1, 2, 3]]"),
    ("annotation.stop_fusion", "annotation.stop_fusion(%x)", "[[1, 2, 3]]"),
    (
        "relay.op.annotation.simulated_quantize",
        "relay.op.annotation.simulated_quantize(%x, 0.5f, -2f, 2f, kind=1)",
        "[[0.6, 0.9, 9]]",
    ),
    (
        "fixed_point_multiply_per_axis",
        "fixed_point_multiply_per_axis(Constant(100, (3), int32), Constant(1073741824, (3), int32), Constant(0, (3), int32), Constant(0, (3), int32), axes=[0])",
        "[[0, 0, 0]]",
    ),
];

/// Operators that are lowered, without an example: their attributes are metadata, or they are forms of another operator that
/// TVM chooses for a device.
const NO_EXAMPLE: [&str; 4] = ["debug", "device_copy", "on_device", "annotation.with_funcid"];

/// The elements of a tensor as nested arrays.
fn nested(shape: &[usize], data: &mut dyn Iterator<Item = &Value>) -> Value {
    match shape {
        [] => data.next().cloned().unwrap_or_default(),
        [extent, rest @ ..] => (0..*extent).map(|_| nested(rest, data)).collect(),
    }
}

fn argument(input: &Value) -> Option<Value> {
    let shape = input["shape"].as_array()?.iter();
    let shape: Vec<usize> = shape.map(|extent| extent.as_u64().unwrap_or(0) as usize).collect();
    let mut data = input["data"].as_array()?.iter();
    Some(nested(&shape, &mut data))
}

/// Whether a program calls an operator.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(&format!("{name}(")).any(|(at, _)| {
        !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '@' | '%'))
    })
}

/// The example of each operator that has one.
fn examples() -> BTreeMap<&'static str, Example> {
    let mut examples = BTreeMap::new();
    let files = [
        include_str!("../../../../relay/tests/data/relay-op-vectors.json"),
        include_str!("../../../../relay/tests/data/operators.json"),
    ];
    let mut programs: Vec<Value> =
        files.iter().flat_map(|file| serde_json::from_str::<Vec<Value>>(file).expect("it is JSON")).collect();
    programs.retain(|program| program["output"].is_object());
    programs.sort_by_cached_key(|program| program.to_string().len());
    for operator in operators::all() {
        let mut found = programs.iter().filter_map(|program| {
            let text = program["text"].as_str()?;
            let args = program["inputs"].as_array()?.iter().map(argument).collect::<Option<_>>()?;
            let (_, text) = text.split_once('\n').filter(|_| text.starts_with("#[version"))?;
            calls(text, operator.name).then(|| Example { program: text.trim().to_owned(), args })
        });
        let given = || {
            let other = OTHERS.iter().find(|it| it.0 == operator.name);
            let program = |call| format!("def @main(%x: Tensor[(3), float32]) {{ {call} }}");
            other.map(|&(_, call, args)| (program(call), args)).or_else(|| {
                let &(name, dtype, args) = ELEMENTWISE.iter().find(|it| it.0 == operator.name)?;
                let given: Vec<Value> = serde_json::from_str(args).ok()?;
                let names = ["%x", "%y"];
                let second = if name == "cast_like" { "int32" } else { dtype };
                let params: Vec<String> = (0..given.len())
                    .map(|at| {
                        let dtype = if at == 0 { dtype } else { second };
                        format!("{}: Tensor[(2), {dtype}]", names[at])
                    })
                    .collect();
                let call = format!("{name}({})", names[..given.len()].join(", "));
                Some((format!("def @main({}) {{ {call} }}", params.join(", ")), args))
            })
        };
        let found = found.next().or_else(|| {
            let (program, args) = given()?;
            Some(Example { program, args: serde_json::from_str(args).ok()? })
        });
        if let Some(example) = found {
            examples.insert(operator.name, example);
        }
    }
    examples
}

fn kind(field: &Field) -> &'static str {
    match field.kind {
        FieldKind::Int => "integer",
        FieldKind::Float => "number",
        FieldKind::Bool => "bool",
        FieldKind::Str => "string",
        FieldKind::DType => "element type",
        FieldKind::Ints => "integers",
        FieldKind::Floats => "numbers",
        FieldKind::IntLists => "lists of integers",
        FieldKind::IntOrInts => "integer or integers",
        FieldKind::Scalar => "number of any type",
        FieldKind::Object => "metadata",
    }
}

fn signature(operator: &Operator) -> String {
    let mut parts: Vec<String> = operator.args.iter().map(|&arg| arg.to_owned()).collect();
    if operator.variadic {
        parts.push("..".to_owned());
    }
    parts.extend(operator.fields.iter().map(|field| match field.default {
        Some(default) => format!("{}: {} = {}", field.name, kind(field), default.value()),
        None => format!("{}: {}", field.name, kind(field)),
    }));
    let line = format!("{}({})", operator.name, parts.join(", "));
    if line.len() <= 100 { line } else { format!("{}(\n  {})", operator.name, parts.join(",\n  ")) }
}

/// The inferred type of a program's function `main`.
fn type_of(text: &str) -> String {
    let sources = minoan::diag::SourceMap::new();
    let (module, _) = minoan::relay::parse(&sources, sources.add("example.relay", text));
    let (typed, _) = minoan::relay::check(module);
    let main = typed.find_entry("main").expect("the program defines it");
    typed.signature_text(main)
}

/// Examples with longer values show the program only.
const MAX_VALUES: usize = 400;

#[test]
fn the_reference_of_relay_is_current() {
    let session = Session::new();
    let examples = examples();
    let mut out = String::new();
    let mut missing = Vec::new();
    for operator in operators::all() {
        _ = writeln!(out, "## `{}`\n\n{}\n", operator.name, operator.meaning());
        _ = writeln!(out, "```text\n{}\n```\n", signature(operator));
        if let Some(reason) = unlowered(operator) {
            _ = writeln!(out, "Type relation `{:?}`. {reason}.\n", operator.relation);
            continue;
        }
        _ = writeln!(
            out,
            "Type relation `{:?}`, fusion pattern `{:?}`.\n",
            operator.relation, operator.pattern
        );
        let Some(Example { program, args }) = examples.get(operator.name) else {
            missing.push(operator.name);
            continue;
        };
        let value = super::run(&session, "example.relay", program, "main", &json!(args));
        let value = value.unwrap_or_else(|error| panic!("{program}\n{error}"));
        _ = writeln!(out, "```text\n{program}\n// {}", type_of(program));
        let args: Vec<String> = args.iter().map(|arg| arg.to_string().replace(',', ", ")).collect();
        let values = format!("{} -> {value}", args.join(", "));
        if values.len() <= MAX_VALUES {
            _ = writeln!(out, "// {values}");
        }
        _ = writeln!(out, "```\n");
    }
    assert_eq!(missing, NO_EXAMPLE);
    super::page("relay-operators.md", &out);
}

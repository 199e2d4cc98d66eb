//! Compares the operator table with the list of operators from which it was derived.

use minoan_relay_dialect::attrs::AttrValue;
use minoan_relay_dialect::operators::{FieldKind, Operator, Pattern, all, find};

const LIST: &str = include_str!("../data/operators.tsv");

/// Splits at separators outside of brackets.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        depth += i32::from("<({".contains(c)) - i32::from(">)}".contains(c));
        if c == ' ' && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn pattern(text: &str) -> Pattern {
    match text {
        "elemwise" => Pattern::Elemwise,
        "broadcast" => Pattern::Broadcast,
        "injective" => Pattern::Injective,
        "commreduce" => Pattern::CommReduce,
        "out_ewise_fusable" => Pattern::OutEwiseFusable,
        "opaque" => Pattern::Opaque,
        _ => Pattern::Unknown,
    }
}

/// The kinds that correspond to a C++ type.
fn kinds(ty: &str) -> &'static [FieldKind] {
    match ty {
        "int" | "IndexExpr" | "Integer" | "Optional<Integer>" | "?" => &[FieldKind::Int],
        "bool" => &[FieldKind::Bool],
        "double" => &[FieldKind::Float],
        "DataType" => &[FieldKind::DType],
        "Expr" => &[FieldKind::Scalar],
        "ObjectRef" => &[FieldKind::IntOrInts],
        "String" | "tvm::String" | "std::string" => &[FieldKind::Str],
        "Array<FloatImm>" => &[FieldKind::Floats],
        "Array<Array<Integer>>" | "Array<Array<IndexExpr>>" => &[FieldKind::IntLists],
        "Array<IndexExpr>" => &[FieldKind::Ints, FieldKind::Floats],
        "Array<Integer>" | "Optional<Array<Integer>>" | "Array<PrimExpr>" => &[FieldKind::Ints],
        _ => &[FieldKind::Object],
    }
}

/// The value of a C++ expression.
fn value(kind: FieldKind, text: &str) -> AttrValue {
    let number = |text: &str| -> f64 {
        let text = text.trim().trim_start_matches("static_cast<float>(").trim_end_matches([')', 'f']);
        text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
    };
    if text.contains("NullValue") {
        return AttrValue::None;
    }
    match kind {
        FieldKind::Int => {
            AttrValue::Int(number(text.trim_start_matches("Integer(").trim_end_matches(')')) as i64)
        }
        FieldKind::Float => AttrValue::Float(number(text)),
        FieldKind::Bool => AttrValue::Bool(matches!(text, "true" | "1")),
        FieldKind::Str => AttrValue::from(text.trim_matches('"')),
        FieldKind::DType => match text {
            "DataType::Int(32)" => AttrValue::from("int32"),
            "DataType::Float(32, 1)" => AttrValue::from("float32"),
            other => panic!("{other} is no type"),
        },
        FieldKind::Ints | FieldKind::Floats => {
            let (_, inside) = text.split_once('{').unwrap_or_else(|| panic!("{text} is no list"));
            let inside = inside.rsplit_once('}').map_or("", |(inside, _)| inside);
            let items = inside.split(',').filter(|item| !item.trim().is_empty());
            let ints = kind == FieldKind::Ints;
            let item = |item| {
                if ints { AttrValue::Int(number(item) as i64) } else { AttrValue::Float(number(item)) }
            };
            AttrValue::List(items.map(item).collect())
        }
        _ => AttrValue::None,
    }
}

fn check_fields(op: &Operator, fields: &str) {
    let declared = split(fields);
    assert_eq!(op.fields.len(), declared.len(), "{}", op.name);
    for (field, declared) in op.fields.iter().zip(declared) {
        let (name, rest) =
            declared.split_once(':').filter(|(name, _)| *name == field.name).unwrap_or_else(|| {
                panic!("{} has {declared}, not {}", op.name, field.name);
            });
        let (ty, default) = match rest.strip_suffix('!') {
            Some(ty) => (ty, None),
            None => {
                let (ty, default) = rest.split_once('=').unwrap_or((rest, ""));
                (ty, Some(default))
            }
        };
        assert!(kinds(ty).contains(&field.kind), "{}.{name}: {ty} is no {:?}", op.name, field.kind);
        let default = default.map(|default| value(field.kind, default));
        assert_eq!(field.default.map(|default| default.value()), default, "{}.{name}", op.name);
    }
}

#[test]
fn table_matches_the_list() {
    let rows: Vec<Vec<&str>> = LIST.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows.len(), all().count());
    for row in rows {
        let column = |at: usize| row.get(at).copied().unwrap_or_default();
        let op = find(column(0)).unwrap_or_else(|| panic!("{} is missing", column(0)));
        let (count, names) = column(1).split_once(':').unwrap_or_default();
        let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
        match count.parse::<usize>() {
            Ok(count) => assert_eq!(op.args, &names[..count], "{}", op.name),
            Err(_) => assert!(op.variadic, "{}", op.name),
        }
        assert_eq!(op.pattern, pattern(column(2)), "{}", op.name);
        assert_eq!(plain(&format!("{:?}", op.relation)), plain(relation(column(3))), "{}", op.name);
        assert_eq!(op.attrs_type.unwrap_or_default(), column(4));
        if op.attrs_type.is_some() {
            check_fields(op, column(5));
        }
        let columns: Vec<&str> = column(6).split(',').collect();
        assert_eq!(op.facts.kernel, !columns.contains(&"TNonComputational"), "{}", op.name);
        assert_eq!(op.facts.view, columns.contains(&"TReshapeOp"), "{}", op.name);
    }
}

/// The operators on quantized numbers share one relation.
fn relation(name: &str) -> &str {
    match name {
        "None" => "Unregistered",
        name if name.starts_with("qnn.") => "QnnUnary",
        name => name,
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

#[test]
fn stateful_operators() {
    let stateful: Vec<&str> = all().filter(|op| op.facts.stateful).map(|op| op.name).collect();
    assert_eq!(stateful, ["nn.dropout", "memory.kill", "vm.invoke_tvm_op"]);
}

#[test]
fn similar_names_are_suggested() {
    assert_eq!(minoan_relay_dialect::operators::near("nn.conv2"), Some("nn.conv2d"));
}

#[test]
fn every_operator_has_a_meaning() {
    for op in all() {
        assert!(op.meaning().ends_with('.'), "{}: {:?}", op.name, op.meaning());
    }
}

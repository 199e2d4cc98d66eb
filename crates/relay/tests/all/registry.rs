//! Compares the operator table with TVM's registry: `data/relay-ops.tsv` has a row for each operator, with the names of its
//! arguments, its fusion pattern, its type relation, its attribute type, the attributes, and the columns that TVM sets.

use crate::common::programs;
use expect_test::expect;
use minoan_relay_dialect::operators::{Operator, Pattern, all, find};
use minoan_relay_dialect::unlowered;
use std::collections::BTreeSet;

/// A row of the registry.
struct Row {
    name: &'static str,
    /// The number of arguments, -1 if it is unspecified, and the names.
    args: &'static str,
    pattern: &'static str,
    attrs_type: &'static str,
    fields: &'static str,
    columns: BTreeSet<&'static str>,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("../data/relay-ops.tsv").lines().skip(1);
    let row = |line: &'static str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let &[name, args, pattern, _relation, attrs_type, fields, columns] = &parts[..] else {
            panic!("{line}")
        };
        Row { name, args, pattern, attrs_type, fields, columns: columns.split(',').collect() }
    };
    lines.map(row).collect()
}

/// The names of the attributes in the sixth column, `name:type=default` or `name:type!`, where defaults contain spaces.
fn field_names(fields: &str) -> Vec<&str> {
    let named = fields.split(' ').filter_map(|word| word.split_once(':'));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    named.filter(|(name, rest)| is_name(name) && !rest.starts_with(':')).map(|(name, _)| name).collect()
}

fn differences(row: &Row, operator: &Operator) -> Vec<String> {
    let mut found = Vec::new();
    let (count, names) = row.args.split_once(':').unwrap_or((row.args, ""));
    let number: i64 = count.parse().expect("a number");
    let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
    // The registry names attributes of some operators after their arguments.
    let names = &names[..usize::try_from(number).unwrap_or(0).min(names.len())];
    if operator.args != names || operator.variadic != (number < 0) {
        found.push(format!("arguments {:?}, variadic: {}", operator.args, operator.variadic));
    }
    let pattern = match operator.pattern {
        Pattern::Elemwise => "elemwise",
        Pattern::Broadcast => "broadcast",
        Pattern::Injective => "injective",
        Pattern::CommReduce => "commreduce",
        Pattern::OutEwiseFusable => "out_ewise_fusable",
        Pattern::Opaque => "opaque",
        Pattern::Unknown => "-",
    };
    if pattern != row.pattern {
        found.push(format!("pattern {pattern}"));
    }
    if operator.attrs_type.unwrap_or_default() != row.attrs_type {
        found.push(format!("attribute type {:?}", operator.attrs_type));
    }
    let fields: BTreeSet<&str> = operator.fields.iter().map(|field| field.name).collect();
    let expected: BTreeSet<&str> = field_names(row.fields).into_iter().collect();
    // The registry does not declare the attributes of operators whose type has no name; those are TVM's all the same.
    if !row.attrs_type.is_empty() && fields != expected {
        let differing: Vec<_> = fields.symmetric_difference(&expected).collect();
        found.push(format!("attributes {differing:?}"));
    }
    if operator.facts.kernel == row.columns.contains("TNonComputational") {
        found.push(format!("kernel: {}", operator.facts.kernel));
    }
    if operator.facts.view != row.columns.contains("TReshapeOp") {
        found.push(format!("view: {}", operator.facts.view));
    }
    found
}

#[test]
fn the_table_is_the_registry() {
    let rows = rows();
    let mut report = String::new();
    for row in &rows {
        match find(row.name) {
            None => report += &format!("{}: missing\n", row.name),
            Some(operator) => {
                for difference in differences(row, operator) {
                    report += &format!("{}: {difference}\n", row.name);
                }
            }
        }
    }
    let known: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    assert_eq!(known.len(), 305);
    for operator in all().filter(|operator| !known.contains(operator.name)) {
        report += &format!("{}: not in the registry\n", operator.name);
    }
    expect![[r#""#]].assert_eq(&report);
}

/// Whether a program calls an operator.
fn calls(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
    let symbol = match name {
        "add" => "+",
        "subtract" => "-",
        "multiply" => "*",
        "divide" => "/",
        "less" => "<",
        "less_equal" => "<=",
        "greater" => ">",
        "greater_equal" => ">=",
        "equal" => "==",
        "not_equal" => "!=",
        _ => "",
    };
    let infix = || !symbol.is_empty() && text.contains(&format!(" {symbol} "));
    let prefix = || {
        text.match_indices(name).any(|(at, _)| {
            !text[..at].ends_with(is_part) && text[at + name.len()..].trim_start().starts_with('(')
        })
    };
    prefix() || infix()
}

/// Every row has a rule whose values a program checks, or the reason why it has none. The tests in `run.rs` and `operators.rs`
/// run the programs. Four operators that return their operand take a function, or an object that only the metadata section can
/// write.
#[test]
fn every_row_is_lowered_and_run_or_refused_for_a_reason() {
    let mut programs = programs::vectors();
    programs.extend(programs::operators());
    let mut report = String::new();
    let (mut lowered, mut refused) = (0, 0);
    for row in rows() {
        let operator = find(row.name).expect("the table is the registry");
        if let Some(reason) = unlowered(operator) {
            refused += 1;
            report += &format!("{reason}\n");
            continue;
        }
        lowered += 1;
        if !programs.iter().any(|program| calls(&program.text, row.name)) {
            report += &format!("{}: no program with a result calls it\n", row.name);
        }
    }
    expect![[r#"
        287 lowered, 18 refused
        annotation.with_funcid: no program with a result calls it
        auto_scheduler_layout_transform cannot be compiled: it is inserted by TVM's tuner, for a schedule of its own
        call_lowered cannot be compiled: it calls a function of TVM's lower IR, which is not part of programs
        contrib.ethosu.binary_elementwise cannot be compiled: it is an instruction of the Ethos-U accelerator
        contrib.ethosu.conv2d cannot be compiled: it is an instruction of the Ethos-U accelerator
        contrib.ethosu.depthwise_conv2d cannot be compiled: it is an instruction of the Ethos-U accelerator
        contrib.ethosu.identity cannot be compiled: it is an instruction of the Ethos-U accelerator
        contrib.ethosu.pooling cannot be compiled: it is an instruction of the Ethos-U accelerator
        contrib.ethosu.unary_elementwise cannot be compiled: it is an instruction of the Ethos-U accelerator
        debug: no program with a result calls it
        device_copy: no program with a result calls it
        memory.alloc_storage cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
        memory.alloc_tensor cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
        memory.kill cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
        meta_schedule_layout_transform cannot be compiled: it is inserted by TVM's tuner, for a schedule of its own
        nn.contrib_conv2d_winograd_nnpack_weight_transform cannot be compiled: it prepares weights for the library NNPACK, in a form of its own
        on_device: no program with a result calls it
        parser.MetaRef cannot be compiled: it stands for an entry of the metadata section while TVM reads a program
        scatter cannot be compiled: it is only a name in TVM: use scatter_elements
        vm.invoke_tvm_op cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
        vm.reshape_tensor cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
        vm.shape_of cannot be compiled: it manages storage of TVM's virtual machine, and is not written in programs
    "#]]
    .assert_eq(&format!("{lowered} lowered, {refused} refused\n{report}"));
}

//! The data of the page.

mod common;

use common::page;
use serde_json::Value;

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the page has data");
    let (json, _) = rest.split_once("</script>").expect("the data ends");
    serde_json::from_str(json).expect("the data is JSON")
}

/// The lines of a text with the source lines of each.
fn lines(data: &Value, text: &Value) -> Vec<(String, Vec<u64>)> {
    let text = &data["texts"][text.as_u64().expect("a number") as usize];
    let mut numbers =
        text["n"].as_array().expect("numbers").iter().map(|number| number.as_i64().expect("a number"));
    let templates =
        text["t"].as_array().expect("templates").iter().zip(text["l"].as_array().expect("places"));
    let line = |(template, places): (&Value, &Value)| {
        let template =
            data["templates"][template.as_u64().expect("a number") as usize].as_str().expect("text");
        let mut line = String::new();
        for c in template.chars() {
            match (c, matches!(c, '\u{1}' | '\u{2}').then(|| numbers.next().expect("a number"))) {
                (_, Some(-1)) => {}
                ('\u{2}', Some(number)) => line.push_str(&format!("_{number}")),
                (_, Some(number)) => line.push_str(&number.to_string()),
                (c, None) => line.push(c),
            }
        }
        let places = data["places"][places.as_u64().expect("a number") as usize].as_array().expect("a set");
        (line, places.iter().skip(1).step_by(2).map(|line| line.as_u64().expect("a line")).collect())
    };
    templates.map(line).collect()
}

const PROGRAM: &str = "\
func.func @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @main(%x: i32) -> i32 {
  %0 = call @twice(%x) : (i32) -> i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
";

#[test]
fn lines_have_the_source_lines_of_their_operations() {
    let data = data(&page("p.mlir", PROGRAM, "builtin.module(inline,cse)"));
    let stages = data["stages"].as_array().expect("stages");
    assert_eq!(data["files"][0]["name"], "p.mlir");
    let inlined = stages.iter().find(|stage| stage["name"] == "inline").expect("it ran");
    let inlined = lines(&data, &inlined["after"]);
    let found: Vec<_> =
        inlined.iter().filter(|(line, _)| line.contains("arith.addi")).map(|(_, at)| at).collect();
    assert_eq!(
        found,
        [&vec![2], &vec![2, 6], &vec![7]],
        "an inlined operation has the line of the call, too: {inlined:?}"
    );
}

#[test]
fn stages_have_changes_remarks_and_times() {
    let data = data(&page("p.mlir", PROGRAM, "builtin.module(inline,cse,canonicalize)"));
    let stages = data["stages"].as_array().expect("stages");
    let names: Vec<_> = stages.iter().map(|stage| stage["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["p.mlir", "inline", "cse", "canonicalize"]);
    let changed: Vec<_> = stages.iter().map(|stage| stage["changed"].as_bool().expect("a flag")).collect();
    assert_eq!(changed, [false, true, true, false]);
    // One addition is removed, and the product uses the other one.
    let difference = &stages[2]["difference"];
    assert_eq!((&difference["removed"], &difference["added"]), (&1.into(), &0.into()));
    assert_eq!(difference["rewired"].as_array().map(Vec::len), Some(1));
    assert!(stages[1..].iter().all(|stage| stage["time"].is_u64()));
    let remark = &data["remarks"][0];
    assert_eq!(
        (&remark["pass"], &remark["kind"], &remark["message"]),
        (&"inline".into(), &"Passed".into(), &"'@twice' is inlined: 2 operations".into())
    );
    assert_eq!((&remark["stage"], &remark["place"][1]), (&1.into(), &6.into()));
}

#[test]
fn a_nested_pipeline_is_recorded_function_by_function() {
    let data = data(&page("p.mlir", PROGRAM, "builtin.module(func.func(cse,dce),symbol-dce)"));
    let stages = data["stages"].as_array().expect("stages");
    assert_eq!((&stages[1]["anchor"], &stages[1]["runs"]), (&"func.func".into(), &2.into()));
    let text = lines(&data, &stages[1]["after"]);
    let functions = text.iter().filter(|(line, _)| line.contains("func.func")).count();
    assert_eq!(functions, 2, "{text:?}");
    assert_eq!(stages[3]["name"], "symbol-dce");
    assert!(lines(&data, &stages[3]["after"])[0].0.contains("module"));
}

#[test]
fn buffers_live_from_allocation_to_deallocation() {
    let text = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>\n  \
                %b = memref.alloc() : memref<2xf32>\n  memref.copy %v, %b : memref<2xf32, strided<[1]>> to memref<2xf32>\n  \
                memref.dealloc %a : memref<4xf32>\n  memref.dealloc %b : memref<2xf32>\n  return\n}\n";
    let data = data(&page("b.mlir", text, "builtin.module(symbol-dce)"));
    let function = &data["buffers"]["list"][0];
    assert_eq!((&function["function"], &function["peak"]), (&"f".into(), &24.into()));
    let buffers: Vec<_> = function["buffers"].as_array().expect("a list").iter().collect();
    let field = |name: &str| buffers.iter().map(|buffer| buffer[name].as_u64()).collect::<Vec<_>>();
    // Lines are those of the printed module, from 0.
    assert_eq!(field("alloc"), [Some(2), Some(4)]);
    assert_eq!(field("last"), [Some(5), Some(5)], "a use of a view is a use");
    assert_eq!(field("free"), [Some(6), Some(7)]);
    assert_eq!(field("bytes"), [Some(16), Some(8)]);
}

#[test]
fn text_of_the_program_cannot_leave_the_data() {
    let text = "module attributes {a.b = \"</script><script>alert(1)</script><!-- &amp;\"} {}\n";
    let page = page("</title><b>.mlir", text, "builtin.module(symbol-dce)");
    assert_eq!(page.matches("</script>").count(), 2, "the data and the program");
    assert!(!page.contains("</title><b>") && page.contains("<title>&lt;/title&gt;&lt;b&gt;.mlir</title>"));
    assert!(!page.contains("<!--"));
    let data = data(&page);
    assert_eq!(data["files"][0]["lines"][0], text.trim_end());
    assert!(lines(&data, &data["stages"][0]["after"])[0].0.contains("</script><script>alert(1)"));
}

#[test]
fn the_page_refers_to_nothing_outside() {
    let page = page("p.mlir", PROGRAM, "builtin.module(cse)");
    let allowed = "http://www.w3.org/2000/svg";
    assert!(!page.replace(allowed, "").contains("http"), "a page without a network");
    assert!(!page.contains("src=") && !page.contains("@import") && !page.contains("url("));
}

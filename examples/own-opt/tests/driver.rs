//! The driver supports the dialect and the pass like Minoan's own.

use std::process::{Command, Output};

const PROGRAM: &str = "
func.func private @twice(%x: i32) -> i32 {
  %y = sat.add %x, %x : i32
  return %y : i32
}
func.func @main(%x: i32) -> i32 {
  %most = sat.constant 2147483647
  %one = sat.constant 1
  %sum = sat.add %most, %one : i32
  %y = sat.apply @twice(%x) : (i32) -> i32
  %z = call @twice(%sum) : (i32) -> i32
  sat.limit %y, %z
  return %z : i32
}
";

fn own_opt(args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder for the program");
    let file = folder.path().join("program.mlir");
    std::fs::write(&file, PROGRAM).expect("it is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-opt"));
    command.arg(file).args(args).output().expect("it runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it writes UTF-8")
}

#[test]
fn passes_of_minoan_work_on_the_dialect() {
    let output = own_opt(&["--canonicalize", "--inline", "--symbol-dce"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let module = text(&output.stdout);
    assert!(!module.contains("@twice") && module.contains("sat.constant 2147483647"), "{module}");
}

#[test]
fn the_pass_finds_the_calls_of_every_dialect() {
    let output = own_opt(&["--list-calls", "-o", "-"]);
    assert!(output.status.success());
    let remarks: Vec<&str> =
        text(&output.stderr).lines().filter(|line| line.starts_with("remark: ")).collect();
    assert_eq!(remarks, ["remark: 'sat.apply' calls @twice", "remark: 'func.call' calls @twice"]);
}

#[test]
fn lists_and_help_show_what_was_added() {
    let dialects = own_opt(&["--show-dialects"]);
    assert!(text(&dialects.stdout).contains("sat.limit"));
    let help = own_opt(&["--help"]);
    let help = text(&help.stdout);
    assert!(help.contains("Usage: own-opt") && help.contains("--list-calls"), "{help}");
}

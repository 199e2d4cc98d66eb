//! Objects, shared libraries and programs for external users.

use minoan_llvm::{
    Jit, LinkOptions, Output, Target, TargetOptions, link_executable, link_shared, runtime_archive,
};
use minoan_mlir::{Backend, CompileOptions, Compiled, Entries};
use std::path::Path;
use std::process::Command;

const LIBRARY: &str = r#"module {
  func.func private @minoan_print_f64(f64)
  func.func @dot(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f64
    %n = memref.dim %x, %c0 : memref<?xf64>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> f64 {
      %a = memref.load %x[%i] : memref<?xf64>
      %b = memref.load %y[%i] : memref<?xf64>
      %p = arith.mulf %a, %b : f64
      %t = arith.addf %acc, %p : f64
      scf.yield %t : f64
    }
    func.call @minoan_print_f64(%s) : (f64) -> ()
    return %s : f64
  }
  func.func @main_program() -> i64 {
    %x = arith.constant 1.0e10 : f64
    func.call @minoan_print_f64(%x) : (f64) -> ()
    %no = arith.constant false
    %one = arith.constant 1 : i64
    cf.assert %no, "not true"
    return %one : i64
  }
}"#;

const CALLER: &str = r#"
#include <stdint.h>
#include <stdio.h>
typedef struct { double *allocated, *aligned; int64_t offset, sizes[1], strides[1]; } memref1;
double dot(double *, double *, int64_t, int64_t, int64_t, double *, double *, int64_t, int64_t, int64_t);
void minoan_entry_dot(void **slots);
int main(void) {
  double x[] = {1, 2, 3}, y[] = {4, 5, 6}, r = 0;
  memref1 a = {x, x, 0, {3}, {1}}, b = {y, y, 0, {3}, {1}};
  void *slots[] = {&a, &b, &r};
  minoan_entry_dot(slots);
  printf(" %g %g", r, dot(x, x, 0, 3, 1, y, y, 0, 3, 1));
  fflush(stdout);
  return 0;
}
"#;

fn compile(entries: &Entries, output: Output) -> Compiled {
    let backend = Backend::new();
    let mut module = backend.parse(LIBRARY, "lib.mlir").expect("the module is valid");
    let target = TargetOptions { cpu: Some("x86-64-v2".into()), ..Default::default() };
    let target = if cfg!(target_arch = "x86_64") { target } else { TargetOptions::default() };
    let target = Target::host(&target).expect("this machine is a target");
    let options = CompileOptions { output, ..CompileOptions::default() };
    backend.compile(&mut module, &target, entries, &options).expect("it compiles")
}

fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn cc(directory: &Path, arguments: &[&str]) {
    let (code, _, said) = run(Command::new("cc").current_dir(directory).args(arguments));
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn object_links_with_c() {
    let directory = tempfile::tempdir().expect("there is room");
    let file = |name: &str| directory.path().join(name);
    let compiled = compile(&Entries::Library, Output::Object);
    std::fs::write(file("dot.o"), &compiled.code).expect("it is written");
    std::fs::write(file("libruntime.a"), runtime_archive()).expect("it is written");
    std::fs::write(file("caller.c"), CALLER.as_bytes()).expect("it is written");
    cc(directory.path(), &["caller.c", "dot.o", "libruntime.a", "-lm", "-lpthread", "-ldl", "-o", "caller"]);
    // The entry wrapper flushes at its end; the output of the plain call is flushed at exit.
    assert_eq!(run(&mut Command::new(file("caller"))), (Some(0), "32 32 3232".into(), String::new()));
}

#[test]
fn shared_library_exports() {
    let directory = tempfile::tempdir().expect("there is room");
    let file = |name: &str| directory.path().join(name);
    let compiled = compile(&Entries::Library, Output::Object);
    link_shared(&[&compiled.code], &compiled.exports, &file("libdot.so"), &LinkOptions::default())
        .expect("it links");
    std::fs::write(file("caller.c"), CALLER.as_bytes()).expect("it is written");
    cc(directory.path(), &["caller.c", "-L.", "-ldot", "-Wl,-rpath,$ORIGIN", "-o", "caller"]);
    assert_eq!(run(&mut Command::new(file("caller"))), (Some(0), "32 32 3232".into(), String::new()));

    let (_, symbols, _) = run(Command::new("nm").args(["-D", "--defined-only"]).arg(file("libdot.so")));
    let mut names: Vec<_> = symbols.lines().filter_map(|line| line.split(' ').nth(2)).collect();
    names.sort_unstable();
    let mut exports: Vec<_> = compiled.exports.iter().map(String::as_str).collect();
    exports.extend(["minoan_free", "minoan_set_threads"]);
    exports.sort_unstable();
    assert_eq!(names, exports);
}

#[test]
fn executable_reports_fault() {
    let directory = tempfile::tempdir().expect("there is room");
    let program = directory.path().join("program");
    let compiled = compile(&Entries::Program("main_program".into()), Output::Object);
    link_executable(&[&compiled.code], &program, &LinkOptions::default()).expect("it links");
    let said = "lib.mlir:23:5: not true\n".to_owned();
    assert_eq!(run(&mut Command::new(program)), (Some(3), "1e+10".into(), said));
}

#[test]
fn textual_outputs() {
    let assembly = compile(&Entries::Library, Output::Assembly).code;
    assert!(String::from_utf8_lossy(&assembly).contains("minoan_packed_dot"));
    let ir = compile(&Entries::Library, Output::LlvmText).code;
    let ir = String::from_utf8_lossy(&ir);
    assert!(ir.contains("\"target-cpu\""), "{ir}");
    assert_eq!(compile(&Entries::Library, Output::Object), compile(&Entries::Library, Output::Object));
}

#[test]
fn external_failures_are_errors() {
    let compiled = compile(&Entries::Library, Output::Object);
    let nowhere = Path::new("/no/such/directory/lib.so");
    let error = link_shared(&[&compiled.code], &[], nowhere, &LinkOptions::default()).expect_err("it fails");
    assert!(error.message.starts_with("cannot write '/no/such/directory/lib.so'"), "{error:?}");
    let options = LinkOptions { driver: Some("no-such-linker".into()), arguments: Vec::new() };
    let directory = tempfile::tempdir().expect("there is room");
    let error = link_shared(&[&compiled.code], &[], &directory.path().join("a.so"), &options);
    assert_eq!(error.expect_err("it fails").message, "no linker: 'no-such-linker' was not found");
    assert_eq!(directory.path().read_dir().map(Iterator::count).ok(), Some(0), "nothing is left behind");
    // SAFETY: the code is never executed.
    let error = unsafe { Jit::load(&[b"no object"], Vec::new(), &Default::default()) };
    assert!(error.is_err());
    let options = TargetOptions { features: Some("avx2".into()), ..Default::default() };
    assert!(Target::host(&options).is_err());
}

const RECURSION: &str = r#"module {
  func.func @depth(%n: i64, %x: memref<?xi1>, %b: i1) -> (i64, memref<?xi1>, i1) {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %is_zero = arith.cmpi eq, %n, %zero : i64
    %r:3 = scf.if %is_zero -> (i64, memref<?xi1>, i1) {
      scf.yield %zero, %x, %b : i64, memref<?xi1>, i1
    } else {
      %less = arith.subi %n, %one : i64
      %m:3 = func.call @depth(%less, %x, %b) : (i64, memref<?xi1>, i1) -> (i64, memref<?xi1>, i1)
      %more = arith.addi %m#0, %one : i64
      scf.yield %more, %m#1, %m#2 : i64, memref<?xi1>, i1
    }
    return %r#0, %r#1, %r#2 : i64, memref<?xi1>, i1
  }
  func.func @calls(%n: i64, %x: memref<?xi1>) -> i64 {
    %b = arith.constant true
    %m:3 = func.call @depth(%n, %x, %b) : (i64, memref<?xi1>, i1) -> (i64, memref<?xi1>, i1)
    return %m#0 : i64
  }
  func.func @flat(%n: i64) -> i64 {
    return %n : i64
  }
}"#;

const RECURSING: &str = r#"
#include <stdint.h>
#include <stdio.h>
typedef struct { uint8_t *allocated, *aligned; int64_t offset, sizes[1], strides[1]; } memref1;
typedef struct { int64_t depth; memref1 array; _Bool bit; } several;
several depth(int64_t, uint8_t *, uint8_t *, int64_t, int64_t, int64_t, _Bool);
int64_t calls(int64_t, uint8_t *, uint8_t *, int64_t, int64_t, int64_t);
int main(void) {
  uint8_t x[] = {1, 0, 1};
  several r = depth(7, x, x, 0, 3, 1, 1);
  printf("%d %d %d %d ", (int)r.depth, r.array.aligned == x, (int)r.array.sizes[0], r.bit);
  printf("%d", (int)calls(200000, x, x, 0, 3, 1));
  fflush(stdout);
  return (int)calls(-1, x, x, 0, 3, 1);
}
"#;

/// Called from C under its own name, a function that recurses endlessly ends with a message instead of a signal.
#[test]
fn recursion_in_a_library_is_reported() {
    let directory = tempfile::tempdir().expect("there is room");
    let file = |name: &str| directory.path().join(name);
    let backend = Backend::new();
    let mut module = backend.parse(RECURSION, "lib.mlir").expect("the module is valid");
    let target = Target::host(&TargetOptions::default()).expect("this machine is a target");
    let options = CompileOptions { output: Output::Object, ..CompileOptions::default() };
    let compiled = backend.compile(&mut module, &target, &Entries::Library, &options).expect("it compiles");
    link_shared(&[&compiled.code], &compiled.exports, &file("libdepth.so"), &LinkOptions::default())
        .expect("it links");
    std::fs::write(file("caller.c"), RECURSING.as_bytes()).expect("it is written");
    cc(directory.path(), &["caller.c", "-L.", "-ldepth", "-Wl,-rpath,$ORIGIN", "-o", "caller"]);
    let (code, out, error) = run(&mut Command::new(file("caller")));
    assert_eq!((code, out.as_str()), (Some(3), "7 1 3 1 200000"));
    assert!(error.starts_with("error: recursion too deep (stack of "), "{error}");
}

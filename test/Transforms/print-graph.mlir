// RUN: %kopt %s --pass-pipeline="builtin.module(print-graph)" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CFG
// RUN: %kopt %s --pass-pipeline="builtin.module(print-graph{graph=data-flow})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: %kopt %s --view-op-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: %kopt %s --pass-pipeline="builtin.module(print-graph{graph=calls})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: %kopt %s --pass-pipeline="builtin.module(print-graph{format=svg output=%t.svg})" -o /dev/null
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: not %kopt %s --pass-pipeline="builtin.module(print-graph{output=/no/such/folder/x})" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-FILE

// CFG: digraph G {
// CFG: [[ENTRY:n[0-9]+]] [label="@main\n^bb0(%arg0 : i32, %arg1 : i32)\n%0 = arith.cmpi %arg0, %arg1 : i1\ncf.cond_br %0", shape=box];
// CFG: [[THEN:n[0-9]+]] [label="^bb1\n%1 = func.call %arg1 : i32\ncf.br", shape=box];
// CFG: [[END:n[0-9]+]] [label="^bb2(%arg2 : i32)\nfunc.return %arg2", shape=box];
// CFG: [[ENTRY]] -> [[THEN]] [label="true"];
// CFG: [[ENTRY]] -> [[END]] [label="false(%arg0)"];
// CFG: [[THEN]] -> [[END]] [label="(%1)"];

// DATA: [[CMP:n[0-9]+]] [label="%0 = arith.cmpi %arg0, %arg1 : i1", shape=box];
// DATA: [[BRANCH:n[0-9]+]] [label="cf.cond_br %0", shape=box];
// DATA: [[ARG:n[0-9]+]] [label="@main arg 0: %arg0 : i32", shape=ellipse];
// DATA: [[ARG]] -> [[CMP]] [label="%arg0 : i32"];
// DATA: [[CMP]] -> [[BRANCH]] [label="%0 : i1"];

// CALLS: [[MAIN:n[0-9]+]] [label="@main", shape=box];
// CALLS: [[HELP:n[0-9]+]] [label="@help", shape=box];
// CALLS: [[MAIN]] -> [[HELP]];

// SVG: <svg
// SVG: @main

// NO-FILE: error: cannot write '/no/such/folder/x'

func.func @main(%x: i32, %y: i32) -> i32 {
  %c = arith.cmpi slt, %x, %y : i32
  cf.cond_br %c, ^then, ^end(%x : i32)
^then:
  %r = func.call @help(%y) : (i32) -> i32
  cf.br ^end(%r : i32)
^end(%v: i32):
  return %v : i32
}

func.func private @help(%x: i32) -> i32 {
  return %x : i32
}

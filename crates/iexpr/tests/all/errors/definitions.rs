//! Errors in definitions: names, ranks, kinds and emission.

use super::{check, staged};
use crate::common::messages;
use expect_test::expect;

#[test]
fn names() {
    check(
        &messages("row_sum = i(\"+ij~i\")\nmain = row_sun >> I"),
        &expect![[r#"
        error: there is no component 'row_sun'
         --> test.iexpr:2:8
          |
        2 | main = row_sun >> I
          |        ^^^^^^^
          |
          = help: did you mean 'row_sum'?
    "#]],
    );
    check(
        &messages("a = b\nb = i(\"i~i\")"),
        &expect![[r#"
        error: 'b' is used before its definition
         --> test.iexpr:1:5
          |
        1 | a = b
          |     ^
          |
         ::: test.iexpr:2:1
          |
        2 | b = i("i~i")
          | - defined here
    "#]],
    );
    check(
        &messages("a = a >> I"),
        &expect![[r#"
        error: 'a' is defined by itself
         --> test.iexpr:1:5
          |
        1 | a = a >> I
          |     ^
    "#]],
    );
    check(
        &messages("a = I\na = I | I"),
        &expect![[r#"
        error: 'a' is defined twice
         --> test.iexpr:2:1
          |
        2 | a = I | I
          | ^
          |
         ::: test.iexpr:1:1
          |
        1 | a = I
          | - the first one
    "#]],
    );
    check(
        &messages("i(\"i~i\")\nI"),
        &expect![[r#"
        error: 'main' is defined twice
         --> test.iexpr:2:1
          |
        2 | I
          | ^
          |
         ::: test.iexpr:1:1
          |
        1 | i("i~i")
          | -------- the first one
          |
          = help: a component without a name is called `main`; give this one a name: `name = ..`
    "#]],
    );
}

#[test]
fn ranks() {
    check(
        &messages("main = i(\"+ij~i\") >> i(\"ij~ji\")"),
        &expect![[r#"
        error: `>>` gives a value of rank 1 to an input of rank 2
         --> test.iexpr:1:19
          |
        1 | main = i("+ij~i") >> i("ij~ji")
          |               -   ^^    -- this is of rank 2
          |               |
          |               this is of rank 1
    "#]],
    );
    check(
        &messages("main = i(\"+ij~i\") & i(\"i~i\")"),
        &expect![[r#"
        error: `&` shares one input that has rank 2 and rank 1
         --> test.iexpr:1:19
          |
        1 | main = i("+ij~i") & i("i~i")
          |            --     ^    - this is of rank 1
          |            |
          |            this is of rank 2
    "#]],
    );
    check(
        &messages("main = (i(\"-ij~ij\") & I) >> (I | i(\"-i~i\"))"),
        &expect![[r#"
        error: `>>` leads one input through an identity, which has rank 2 and rank 1
         --> test.iexpr:1:26
          |
        1 | main = (i("-ij~ij") & I) >> (I | i("-i~i"))
          |             --           ^^          - this is of rank 1
          |             |
          |             this is of rank 2
    "#]],
    );
}

#[test]
fn kinds() {
    check(
        &messages("main = i(\"-i~i\") >> i(\"&&i~.\")"),
        &expect![[r#"
        error: `>>` gives a number to an operator that takes truth values
         --> test.iexpr:1:18
          |
        1 | main = i("-i~i") >> i("&&i~.")
          |           -      ^^    -- takes truth values
          |           |
          |           gives a number
          |
          = help: a comparison yields truth values: `!=i~i` is true for what is not 0
    "#]],
    );
    check(
        &messages("main = i(\"-i~i\") >> I >> i(\"i~i\") >> i(\"!!i~i\")"),
        &expect![[r#"
        error: `>>` gives a number to an operator that takes truth values
         --> test.iexpr:1:35
          |
        1 | main = i("-i~i") >> I >> i("i~i") >> i("!!i~i")
          |           - gives a number        ^^    -- takes truth values
          |
          = help: a comparison yields truth values: `!=i~i` is true for what is not 0
    "#]],
    );
    assert_eq!(messages("main = i(\"i~i\") >> i(\"&&i~.\")"), "");
}

#[test]
fn unsupported_definitions() {
    check(
        &staged("main = I"),
        &expect![[r#"
        error: the rank of input 0 of 'main' is not known: nothing but an identity reads it
         --> test.iexpr:1:1
          |
        1 | main = I
          | ^^^^
          |
          = help: an expression determines the rank without changing the values: `i("ij~ij")`
    "#]],
    );
    check(
        &staged("minoan_print = i(\"i~i\")"),
        &expect![[r#"
        error: 'minoan_print' cannot be run: names of the run-time library begin like this
         --> test.iexpr:1:1
          |
        1 | minoan_print = i("i~i")
          | ^^^^^^^^^^^^
    "#]],
    );
}

#[test]
fn derivatives() {
    check(
        &messages("a = rev(I)"),
        &expect![[r#"
        error: `rev` needs the rank of each input, but nothing but an identity reads input 0
         --> test.iexpr:1:5
          |
        1 | a = rev(I)
          |     ^^^
          |
          = help: an expression determines the rank without changing the values: `i("ij~ij")`
    "#]],
    );
    check(
        &messages("a = rev(i(\"i<i~i\") >> i(\"i>>i~i\"))"),
        &expect![[r#"
        error: `rev` needs an output of numbers, and there is none
         --> test.iexpr:1:5
          |
        1 | a = rev(i("i<i~i") >> i("i>>i~i"))
          |     ^^^
    "#]],
    );
    check(
        &messages("a = rev(i(\"&&i~i\"))"),
        &expect![[r#"
        error: `rev` needs an input of numbers, and there is none
         --> test.iexpr:1:5
          |
        1 | a = rev(i("&&i~i"))
          |     ^^^
    "#]],
    );
    check(
        &messages("a = rev(i(\"i~i\")"),
        &expect![[r#"
        error: unclosed parenthesis: expected `)`
         --> test.iexpr:1:8
          |
        1 | a = rev(i("i~i")
          |        ^
    "#]],
    );
    check(
        &messages("f = i(\"i~i\")\na = rev(f) >> i(\"ij~ij\")"),
        &expect![[r#"
        error: `>>` gives a value of rank 1 to an input of rank 2
         --> test.iexpr:2:12
          |
        2 | a = rev(f) >> i("ij~ij")
          |     ---    ^^    -- this is of rank 2
          |     |
          |     this is of rank 1
    "#]],
    );
}

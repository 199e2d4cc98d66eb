//! Errors in the axes and operators of an expression.

use super::{about, check};
use expect_test::expect;

#[test]
fn output_indices_are_input_indices() {
    check(
        &about("ij~ik"),
        &expect![[r#"
            error: output axis `k` does not appear in the input
             --> test.iexpr:1:12
              |
            1 | e = i("ij~ik")
              |            ^
        "#]],
    );
    check(
        &about("ij~iji"),
        &expect![[r#"
        error: output axis `i` is repeated
         --> test.iexpr:1:13
          |
        1 | e = i("ij~iji")
          |           - ^
          |           |
          |           the first one
    "#]],
    );
    check(
        &about("i~ii"),
        &expect![[r#"
        error: output axis `i` is repeated
         --> test.iexpr:1:11
          |
        1 | e = i("i~ii")
          |          -^
          |          |
          |          the first one
    "#]],
    );
    check(
        &about("+.~i"),
        &expect![[r#"
        error: output axis `i` does not appear in the input
         --> test.iexpr:1:11
          |
        1 | e = i("+.~i")
          |           ^
    "#]],
    );
}

#[test]
fn binary_operators_are_pointwise() {
    check(
        &about("ik*kj~ij"),
        &expect![[r#"
        error: binary operator must be pointwise; output axes must match the union of input axes
         --> test.iexpr:1:14
          |
        1 | e = i("ik*kj~ij")
          |         -    ^^
          |         |
          |         `k` is not in the output
          |
          = help: keep all axes, and reduce in a second expression that this one is chained into
    "#]],
    );
    check(
        &about("i!!i~i"),
        &expect![[r#"
        error: operator `!!` has one operand
         --> test.iexpr:1:9
          |
        1 | e = i("i!!i~i")
          |         ^^
    "#]],
    );
}

#[test]
fn reductions_need_an_associative_operator() {
    check(
        &about("-ij~i"),
        &expect![[r#"
        error: operator `-` is not reducible
         --> test.iexpr:1:8
          |
        1 | e = i("-ij~i")
          |        ^ - `j` would be reduced: it is not in the output
          |
          = help: operators that reduce are `&&` `||` `^^` `+` `*` `>` `<`
    "#]],
    );
    check(
        &about("!!ij~i"),
        &expect![[r#"
        error: operator `!!` is not reducible
         --> test.iexpr:1:8
          |
        1 | e = i("!!ij~i")
          |        ^^ - `j` would be reduced: it is not in the output
          |
          = help: operators that reduce are `&&` `||` `^^` `+` `*` `>` `<`
    "#]],
    );
    check(
        &about("==i~."),
        &expect![[r#"
        error: operator `==` is not reducible
         --> test.iexpr:1:8
          |
        1 | e = i("==i~.")
          |        ^^- `i` would be reduced: it is not in the output
          |
          = help: operators that reduce are `&&` `||` `^^` `+` `*` `>` `<`
    "#]],
    );
}

#[test]
fn movement_keeps_all_axes() {
    check(
        &about("ij~i"),
        &expect![[r#"
        error: an expression without operator must keep all axes; `j` is not in the output
         --> test.iexpr:1:9
          |
        1 | e = i("ij~i")
          |         ^
          |
          = help: write a sum: `+ij~i`
    "#]],
    );
}

#[test]
fn maximum_rank() {
    check(
        &about(&format!("+{}~i", "i".repeat(33))),
        &expect![[r#"
        error: an input has at most 32 dimensions, found 33
         --> test.iexpr:1:9
          |
        1 | e = i("+iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii~i")
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}

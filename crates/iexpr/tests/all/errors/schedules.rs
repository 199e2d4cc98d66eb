//! Errors in schedules: splits, loops, stages, fusion.

use super::{about, check, staged};
use expect_test::expect;

#[test]
fn splits() {
    check(
        &about("+ij~i|k:2|"),
        &expect![[r#"
        error: split axis `k` does not appear in the expression
         --> test.iexpr:1:14
          |
        1 | e = i("+ij~i|k:2|")
          |              ^^^
    "#]],
    );
    check(
        &about("+ij~i|i:0|"),
        &expect![[r#"
        error: split factors of axis `i` must be at least 1, found 0
         --> test.iexpr:1:14
          |
        1 | e = i("+ij~i|i:0|")
          |              ^^^
    "#]],
    );
    check(
        &about("+ij~i|i:1000000000:1000000000|"),
        &expect![[r#"
        error: the factors of axis `i` are too large together
         --> test.iexpr:1:14
          |
        1 | e = i("+ij~i|i:1000000000:1000000000|")
          |              ^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}

#[test]
fn every_part_is_scheduled_once() {
    check(
        &about("+ij~i|i:2|ij"),
        &expect![[r#"
        error: the loop order must have every part of every axis; missing: `i'`
         --> test.iexpr:1:19
          |
        1 | e = i("+ij~i|i:2|ij")
          |                   ^
    "#]],
    );
    check(
        &about("+ij~i||iji"),
        &expect![[r#"
        error: `i` occurs twice in the loop order
         --> test.iexpr:1:17
          |
        1 | e = i("+ij~i||iji")
          |               - ^
          |               |
          |               the first one
    "#]],
    );
    check(
        &about("+ij~i||ijk"),
        &expect![[r#"
        error: loop axis `k` does not appear in the expression
         --> test.iexpr:1:17
          |
        1 | e = i("+ij~i||ijk")
          |                 ^
    "#]],
    );
    check(
        &about("+ij~i||ii'j"),
        &expect![[r#"
        error: axis `i` is not split: there is no part `i'`
         --> test.iexpr:1:16
          |
        1 | e = i("+ij~i||ii'j")
          |                ^^
    "#]],
    );
    check(
        &about("+ij~i|i:2|ii''j"),
        &expect![[r#"
        error: axis `i` has 2 parts: there is no part `i''`
         --> test.iexpr:1:19
          |
        1 | e = i("+ij~i|i:2|ii''j")
          |                   ^^^
    "#]],
    );
}

#[test]
fn accumulator_is_initialized_inside_output_loops() {
    check(
        &about("+ij~i||!ij"),
        &expect![[r#"
        error: `!` must come after the last loop over an output axis, which is `i`
         --> test.iexpr:1:15
          |
        1 | e = i("+ij~i||!ij")
          |               ^- this loop is inside
    "#]],
    );
    check(
        &about("+ij~i||!"),
        &expect![[r#"
        error: `!` must come after the last loop over an output axis, which is `i`
         --> test.iexpr:1:15
          |
        1 | e = i("+ij~i||!")
          |               ^
    "#]],
    );
    check(
        &about("ij~ij||ij!"),
        &expect![[r#"
        error: `!` sets an accumulator, but the expression does not reduce
         --> test.iexpr:1:17
          |
        1 | e = i("ij~ij||ij!")
          |                 ^
    "#]],
    );
    assert_eq!(about("+ij~i||ij!"), "");
    assert_eq!(about("+ij~i||i!j"), "");
    assert_eq!(about("+ij~i||ji!"), "");
    assert_eq!(about("+i~.||!i"), "");
}

#[test]
fn stages_are_of_inputs() {
    check(
        &about("+ij~i||ij1"),
        &expect![[r#"
        error: there is no input 1: the expression has one, which is `0`
         --> test.iexpr:1:17
          |
        1 | e = i("+ij~i||ij1")
          |                 ^
    "#]],
    );
}

#[test]
fn graph_input_has_no_compute_site() {
    check(
        &staged("main = i(\"+ij~i||0ij\")"),
        &expect![[r#"
        error: graph input with a compute site: input 0 is not computed by an expression
         --> test.iexpr:1:18
          |
        1 | main = i("+ij~i||0ij")
          |                  ^
    "#]],
    );
    check(
        &staged("main = I >> i(\"+ij~i|i:2|i0i'j\")"),
        &expect![[r#"
        error: graph input with a compute site: input 0 is not computed by an expression
         --> test.iexpr:1:27
          |
        1 | main = I >> i("+ij~i|i:2|i0i'j")
          |                           ^
    "#]],
    );
}

#[test]
fn fused_axes_are_aligned() {
    check(
        &staged("main = i(\"ij~ij\") >> i(\"-ij~ij|j:4|ij0j'\")"),
        &expect![[r#"
            error: producer index `j` of `ij~ij` has 1 part but consumer index `j` has 2 parts
             --> test.iexpr:1:38
              |
            1 | main = i("ij~ij") >> i("-ij~ij|j:4|ij0j'")
              |                                      ^
        "#]],
    );
    check(
        &staged("main = i(\"ij~ij|j:2|\") >> i(\"-ij~ij|j:4|ij0j'\")"),
        &expect![[r#"
        error: producer index `j` of `ij~ij` is split by [2] but consumer index `j` is split by [4]
         --> test.iexpr:1:43
          |
        1 | main = i("ij~ij|j:2|") >> i("-ij~ij|j:4|ij0j'")
          |                                           ^
    "#]],
    );
    check(
        &staged("main = i(\"ij~ij\") >> i(\"-ij~ij||ji0\")"),
        &expect![[r#"
        error: producer axes align with consumer axes [i, j], expected [j, i]
         --> test.iexpr:1:35
          |
        1 | main = i("ij~ij") >> i("-ij~ij||ji0")
          |                                   ^
    "#]],
    );
    assert_eq!(staged("main = i(\"ij~ij||ji\") >> i(\"-ij~ij||ji0\")"), "");
    assert_eq!(staged("main = i(\"ij~ij\") >> i(\"-ij~ji||ij0\")"), "");
    // Only axes of enclosing loops count.
    assert_eq!(staged("main = i(\"ij~ij|j:2|\") >> i(\"-ij~ij|j:4|i0jj'\")"), "");
}

/// Partial results that reach the result, or an operation through which a correction does not pass.
#[test]
fn online_reductions_without_a_correction() {
    let text = r#"
mm_t = i("ik*jk~ijk|i:16,j:16|jii'j'k") >> i("+ijk~ij|i:16,j:16|jii'j'k0")
shift = (I & i(">ij~i|i:16,j:16|ji0i'j'")) >> i("ij-i~ij|i:16,j:16|ji01i'j'")
main = mm_t >> shift
"#;
    check(
        &staged(text),
        &expect![[r#"
        error: stage 1 is read before `>ij~i` is complete, and its partial results reach the result without a reduction that could be corrected
         --> test.iexpr:3:71
          |
        3 | shift = (I & i(">ij~i|i:16,j:16|ji0i'j'")) >> i("ij-i~ij|i:16,j:16|ji01i'j'")
          |                                                                       ^
    "#]],
    );
    let sum = |quotient: &str| {
        staged(&format!("main = (I & i(\"+ij~i||ij\")) >> i(\"{quotient}\") >> i(\"+ij~i||ij0\")"))
    };
    assert!(sum("ij-i~ij||ij1").contains("its partial results cannot be corrected in `ij-i~ij`"));
    assert_eq!(sum("ij/i~ij||ij1"), "");
    let again = "main = (I & i(\"+ij~i||ij\")) >> i(\"ij/i~ij||ij1\") >> i(\"ij*k~ijk||kij0\")";
    let again = format!("{again} >> i(\"+ijk~ik||kij0\")");
    assert_eq!(staged(&again), "");
    let outer = |order: &str| {
        let sum = "main = (I & i(\"+i~.||i\")) >> i(\"i/.~i||i1\")";
        staged(&format!("{sum} >> i(\"i*o~io||{order}\") >> i(\"+io~.||{order}\")"))
    };
    assert_eq!(outer("io0"), "");
    assert!(outer("oi0").contains("and `+io~.` also accumulates in a loop around it"));
}

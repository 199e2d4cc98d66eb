//! What is said about each mistake.

mod common;

use common::{context, emitted, messages};
use expect_test::{Expect, expect};
use minoan_iexpr::emit::EmitOptions;

/// What is said about an expression, as in a file of its own.
fn about(expr: &str) -> String {
    messages(&format!("e = i(\"{expr}\")"))
}

fn check(said: &str, expected: &Expect) {
    expected.assert_eq(said);
}

/// Where a problem of the grammar is, in bytes of the expression.
#[test]
fn parse_errors_have_byte_positions() {
    let mut said = String::new();
    for text in [
        "",
        "  ",
        "?",
        "~i",
        "+~i",
        "ij~",
        "i+~i",
        "Ij~i",
        "ij",
        "ij k~i",
        "ij=k~i",
        "+ij",
        "+ij i",
        "i+j",
        "i+j+k~i",
        ".i~i",
        "..~.",
        "+i~.i",
        "+i~i x",
        "i~i~i",
        "+i~i|",
        "+i~i|i",
        "+i~i|i|",
        "+i~i|i:|",
        "+i~i|i:x|",
        "+i~i|i:2",
        "+i~i|i:2,|",
        "+i~i|i:2,i:3|",
        "+i~i|i:4294967296|",
        "i+i~i||0i0",
        "+ij~i||ij!!",
        "+i~i||i?",
        "+i~i||2i",
        "+i~i||i|",
        "i'~i",
    ] {
        let problem = minoan_iexpr_dialect::parse(text).expect_err("it is none");
        said.push_str(&format!("{text:<20} {:?}: {}\n", problem.at, problem.message));
    }
    check(
        &said,
        &expect![[r#"
                             0..0: expected i-expression
                             2..2: expected i-expression
        ?                    0..1: expected i-expression, found `?`
        ~i                   0..1: expected pattern, found `~`
        +~i                  1..2: expected pattern, found `~`
        ij~                  3..3: expected pattern, found the end
        i+~i                 2..3: expected pattern, found `~`
        Ij~i                 0..1: expected i-expression, found `I`
        ij                   2..2: expected operator after input pattern, found the end
        ij k~i               3..4: expected operator after input pattern, found `k`
        ij=k~i               2..3: expected operator after input pattern, found `=`
        +ij                  3..3: expected `~` between inputs and output, found the end
        +ij i                4..5: expected `~` between inputs and output, found `i`
        i+j                  3..3: expected `~` between inputs and output, found the end
        i+j+k~i              3..4: expected `~` between inputs and output, found `+`
        .i~i                 0..2: scalar pattern must be `.`, found `.i`
        ..~.                 0..2: scalar pattern must be `.`, found `..`
        +i~.i                3..5: scalar pattern must be `.`, found `.i`
        +i~i x               5..6: unexpected trailing input
        i~i~i                3..5: unexpected trailing input
        +i~i|                5..5: expected second `|` in schedule, found the end
        +i~i|i               6..6: expected `:` after split axis, found the end
        +i~i|i|              6..7: expected `:` after split axis, found `|`
        +i~i|i:|             7..8: expected integer, found `|`
        +i~i|i:x|            7..8: expected integer, found `x`
        +i~i|i:2             8..8: expected second `|` in schedule, found the end
        +i~i|i:2,|           9..10: expected axis after `,`, found `|`
        +i~i|i:2,i:3|        9..10: duplicate split entry for axis `i`
        +i~i|i:4294967296|   7..17: a split factor is at most 1073741824
        i+i~i||0i0           9..10: duplicate compute directive for input 0
        +ij~i||ij!!          10..11: duplicate output init directive
        +i~i||i?             7..8: expected axis, `!`, or operand in permutation, found `?`
        +i~i||2i             6..7: expected axis, `!`, or operand in permutation, found `2`
        +i~i||i|             7..8: expected axis, `!`, or operand in permutation, found `|`
        i'~i                 1..2: expected operator after input pattern, found `'`
    "#]],
    );
}

#[test]
fn white_space_is_free() {
    let (expr, _) =
        minoan_iexpr_dialect::parse(" ik * kj ~ ijk | i : 16 , k : 4 | i k j i' k' 0 1 ").expect("it is one");
    assert_eq!(expr.to_string(), "ik*kj~ijk|i:16,k:4|ikji'k'01");
    let (empty, _) = minoan_iexpr_dialect::parse("+ij~i||").expect("it is one");
    assert_eq!(empty.to_string(), "+ij~i||");
}

#[test]
fn the_output_is_of_the_input() {
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
fn moving_keeps_all_axes() {
    check(
        &about("ij~i"),
        &expect![[r#"
        error: an expression without operator must keep all axes; `j` is not in the output
         --> test.iexpr:1:9
          |
        1 | e = i("ij~i")
          |         ^
          |
          = help: a sum says so: `+ij~i`
    "#]],
    );
}

#[test]
fn inputs_have_a_largest_rank() {
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
fn every_part_stands_once() {
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
        error: `i` stands twice in the loop order
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
fn the_accumulator_is_set_inside_the_output_loops() {
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

/// What is said when a definition is emitted.
fn staged(text: &str) -> String {
    emitted(&context(), text, &EmitOptions::default()).err().unwrap_or_default()
}

#[test]
fn a_graph_input_has_no_compute_site() {
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
    // Only axes of loops around it count.
    assert_eq!(staged("main = i(\"ij~ij|j:2|\") >> i(\"-ij~ij|j:4|i0jj'\")"), "");
}

/// The demonstration of fused attention: the maximum of a row is consumed while it is computed.
#[test]
fn online_reductions_are_refused() {
    let text = r#"
mm_t = i("ik*jk~ijk|i:16,j:16|jii'j'k") >> i("+ijk~ij|i:16,j:16|jii'j'k0")
shift = (I & i(">ij~i|i:16,j:16|ji0i'j'")) >> i("ij-i~ij|i:16,j:16|ji01i'j'")
main = mm_t >> shift
"#;
    check(
        &staged(text),
        &expect![[r#"
        error: not lowered yet: stage 1 requires online reduction lowering: the reduced axis `j` of `>ij~i` is fused with the loop `j` and consumed before completion
         --> test.iexpr:3:71
          |
        3 | shift = (I & i(">ij~i|i:16,j:16|ji0i'j'")) >> i("ij-i~ij|i:16,j:16|ji01i'j'")
          |                                                                       ^
    "#]],
    );
}

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
          = help: a comparison gives truth values: `!=i~i` is true for what is not 0
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
          = help: a comparison gives truth values: `!=i~i` is true for what is not 0
    "#]],
    );
    assert_eq!(messages("main = i(\"i~i\") >> i(\"&&i~.\")"), "");
}

#[test]
fn syntax() {
    check(
        &messages("a = \nb = I"),
        &expect![[r#"
        error: expected a component, found `b`
         --> test.iexpr:2:1
          |
        2 | b = I
          | ^
    "#]],
    );
    check(
        &messages("a = I I"),
        &expect![[r#"
        error: expected `<<`, `>>`, `&` or `|` between components, found `I`
         --> test.iexpr:1:7
          |
        1 | a = I I
          |       ^
    "#]],
    );
    check(
        &messages("a = (I >> I\nb = I"),
        &expect![[r#"
        error: unclosed parenthesis: expected `)`
         --> test.iexpr:1:5
          |
        1 | a = (I >> I
          |     ^
    "#]],
    );
    check(
        &messages("a = I)"),
        &expect![[r#"
        error: unexpected `)`: no parenthesis is open
         --> test.iexpr:1:6
          |
        1 | a = I)
          |      ^
    "#]],
    );
    check(
        &messages("a = I > I"),
        &expect![[r#"
        error: unexpected character `>`
         --> test.iexpr:1:7
          |
        1 | a = I > I
          |       ^
          |
          = help: components are wired by `>>`
    "#]],
    );
    check(
        &messages("a = i(+ij~i)"),
        &expect![[r#"
        error: unexpected character `+`
         --> test.iexpr:1:7
          |
        1 | a = i(+ij~i)
          |       ^
    "#]],
    );
    check(
        &messages("a = \"+ij~i\""),
        &expect![[r#"
        error: an i-expression stands in `i("..")`; expected a component, found a string
         --> test.iexpr:1:5
          |
        1 | a = "+ij~i"
          |     ^^^^^^^
    "#]],
    );
    check(
        &messages("a = i(\"+ij~i\n"),
        &expect![[r#"
        error: unterminated string: expected `"` before the end of the line
         --> test.iexpr:1:7
          |
        1 | a = i("+ij~i
          |       ^^^^^^
    "#]],
    );
    check(
        &messages("a = i(\"+ij~i\""),
        &expect![[r#"
        error: expected `)` after an i-expression, found the end of the file
         --> test.iexpr:1:14
          |
        1 | a = i("+ij~i"
          |              ^
    "#]],
    );
    check(
        &messages("= I"),
        &expect![[r#"
        error: expected a component, found `=`
         --> test.iexpr:1:1
          |
        1 | = I
          | ^
    "#]],
    );
    check(
        &messages("a = sum(\"+ij~i\")"),
        &expect![[r#"
        error: expected `<<`, `>>`, `&` or `|` between components, found `(`
         --> test.iexpr:1:8
          |
        1 | a = sum("+ij~i")
          |        ^
        error: there is no component 'sum'
         --> test.iexpr:1:5
          |
        1 | a = sum("+ij~i")
          |     ^^^
    "#]],
    );
}

#[test]
fn several_mistakes_are_said_at_once() {
    let said = messages("a = i(\"ik*kj~ij\")\nb = i(\"-ij~i\") >> c\nd = a >> I >>\ne = i(\"+ij~k\")\n");
    assert_eq!(said.matches("error: ").count(), 5, "{said}");
}

#[test]
fn what_cannot_be_emitted() {
    check(
        &staged("main = I"),
        &expect![[r#"
        error: the rank of input 0 of 'main' is not known: nothing but an identity reads it
         --> test.iexpr:1:1
          |
        1 | main = I
          | ^^^^
          |
          = help: an expression says the rank and changes nothing: `i("ij~ij")`
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

//! Syntax errors in expressions and definitions.

use super::check;
use crate::common::messages;
use expect_test::expect;

/// Byte offsets of syntax errors in an expression.
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
                             0..0: expected an i-expression
                             2..2: expected an i-expression
        ?                    0..1: expected an i-expression, found `?`
        ~i                   0..1: expected a pattern, found `~`
        +~i                  1..2: expected a pattern, found `~`
        ij~                  3..3: expected a pattern, found the end
        i+~i                 2..3: expected a pattern, found `~`
        Ij~i                 0..1: expected an i-expression, found `I`
        ij                   2..2: expected an operator after the input pattern, found the end
        ij k~i               3..4: expected an operator after the input pattern, found `k`
        ij=k~i               2..3: expected an operator after the input pattern, found `=`
        +ij                  3..3: expected `~` between inputs and output, found the end
        +ij i                4..5: expected `~` between inputs and output, found `i`
        i+j                  3..3: expected `~` between inputs and output, found the end
        i+j+k~i              3..4: expected `~` between inputs and output, found `+`
        .i~i                 0..2: a scalar pattern must be `.`, found `.i`
        ..~.                 0..2: a scalar pattern must be `.`, found `..`
        +i~.i                3..5: a scalar pattern must be `.`, found `.i`
        +i~i x               5..6: unexpected trailing input
        i~i~i                3..5: unexpected trailing input
        +i~i|                5..5: expected the second `|` of the schedule, found the end
        +i~i|i               6..6: expected `:` after the axis of a split, found the end
        +i~i|i|              6..7: expected `:` after the axis of a split, found `|`
        +i~i|i:|             7..8: expected an integer, found `|`
        +i~i|i:x|            7..8: expected an integer, found `x`
        +i~i|i:2             8..8: expected the second `|` of the schedule, found the end
        +i~i|i:2,|           9..10: expected an axis after `,`, found `|`
        +i~i|i:2,i:3|        9..10: duplicate split entry for axis `i`
        +i~i|i:4294967296|   7..17: a split factor is at most 1073741824
        i+i~i||0i0           9..10: duplicate compute directive for input 0
        +ij~i||ij!!          10..11: duplicate output init directive
        +i~i||i?             7..8: expected an axis, `!` or an operand in the permutation, found `?`
        +i~i||2i             6..7: expected an axis, `!` or an operand in the permutation, found `2`
        +i~i||i|             7..8: expected an axis, `!` or an operand in the permutation, found `|`
        i'~i                 1..2: expected an operator after the input pattern, found `'`
    "#]],
    );
}

#[test]
fn whitespace_is_insignificant() {
    let (expr, _) =
        minoan_iexpr_dialect::parse(" ik * kj ~ ijk | i : 16 , k : 4 | i k j i' k' 0 1 ").expect("it is one");
    assert_eq!(expr.to_string(), "ik*kj~ijk|i:16,k:4|ikji'k'01");
    let (empty, _) = minoan_iexpr_dialect::parse("+ij~i||").expect("it is one");
    assert_eq!(empty.to_string(), "+ij~i||");
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
        error: an i-expression stands in quotes
         --> test.iexpr:1:7
          |
        1 | a = i(+ij~i)
          |       ^^^^^
          |
          = help: write "+ij~i"
    "#]],
    );
    check(
        &messages("a = I\nb = a >> ik*kj~ikj >> +ikj~ij\nc = + >> a*b"),
        &expect![[r#"
            error: an i-expression stands in quotes
             --> test.iexpr:2:10
              |
            2 | b = a >> ik*kj~ikj >> +ikj~ij
              |          ^^^^^^^^^
              |
              = help: write i("ik*kj~ikj")
            error: an i-expression stands in quotes
             --> test.iexpr:2:23
              |
            2 | b = a >> ik*kj~ikj >> +ikj~ij
              |                       ^^^^^^^
              |
              = help: write i("+ikj~ij")
            error: unexpected character `+`
             --> test.iexpr:3:5
              |
            3 | c = + >> a*b
              |     ^
            error: unexpected character `*`
             --> test.iexpr:3:11
              |
            3 | c = + >> a*b
              |           ^
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
        error: unknown function 'sum'
         --> test.iexpr:1:5
          |
        1 | a = sum("+ij~i")
          |     ^^^
          |
          = note: `i("..")` is an i-expression, and `rev(..)` a derivative
    "#]],
    );
}

#[test]
fn several_errors_per_run() {
    let said = messages("a = i(\"ik*kj~ij\")\nb = i(\"-ij~i\") >> c\nd = a >> I >>\ne = i(\"+ij~k\")\n");
    assert_eq!(said.matches("error: ").count(), 5, "{said}");
}

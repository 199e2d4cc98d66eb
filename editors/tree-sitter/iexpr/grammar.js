// i-expressions: definitions and combinators with their precedences. The text of an i-expression is one token.

module.exports = grammar({
  name: "iexpr",
  extras: ($) => [/\s/, $.comment],
  word: ($) => $.identifier,
  rules: {
    source_file: ($) => repeat(choice($.definition, $._component)),
    definition: ($) => seq(field("name", $.identifier), "=", field("body", $._component)),
    _component: ($) => choice($.pair, $.fanout, $.wire, $.swap, $.reverse, $.group, $.literal, $.reference),
    pair: ($) => prec.left(1, seq($._component, "|", $._component)),
    fanout: ($) => prec.left(2, seq($._component, "&", $._component)),
    wire: ($) => prec.left(3, seq($._component, choice("<<", ">>"), $._component)),
    swap: ($) => prec(4, seq("~", $._component)),
    reverse: ($) => prec(1, seq("rev", "(", $._component, ")")),
    group: ($) => seq("(", $._component, ")"),
    literal: ($) => prec(1, seq("i", "(", field("text", $.string), ")")),
    reference: ($) => $.identifier,
    string: () => choice(/"[^"\n]*"/, /'[^'\n]*'/),
    identifier: () => /[\p{L}_][\p{L}\p{N}_]*/,
    comment: () => /#[^\n]*/,
  },
});

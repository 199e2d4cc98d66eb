// Knossos: top-level forms, special forms, calls, parameters and types, by their heads.
// The type checker of `minoan-lsp` knows the rest. Block comments nest, which a grammar without an external scanner
// cannot count: the comment ends at the first `|#`.

const TYPES = ["Integer", "Float", "Bool", "String", "Any"];
const CONSTRUCTORS = ["Vec", "Tensor", "Tuple", "Lam", "LM"];
const FORMS = ["let", "if", "lam", "assert", "call", "tuple", "$dummy"];

module.exports = grammar({
  name: "knossos",
  extras: ($) => [/\s/, $.comment, $.block_comment],
  word: ($) => $.identifier,
  rules: {
    source_file: ($) => repeat($._form),
    _form: ($) =>
      choice(
        $.definition,
        $.declaration,
        $.derivation,
        $.rule,
        $.special_form,
        $.parameter,
        $.compound_type,
        $.call,
        $.list,
        $.function_name,
        $._atom,
      ),
    definition: ($) => seq("(", "def", field("name", $._name), repeat($._form), ")"),
    declaration: ($) => seq("(", "edef", field("name", $._name), repeat($._form), ")"),
    derivation: ($) => seq("(", "gdef", field("kind", $.identifier), field("name", $._name), ")"),
    rule: ($) => seq("(", "rule", field("name", choice($.string, $.identifier)), repeat($._form), ")"),
    special_form: ($) => seq("(", field("keyword", choice(...FORMS)), repeat($._form), ")"),
    parameter: ($) => seq("(", field("name", $.identifier), ":", repeat1($._form), ")"),
    compound_type: ($) => seq("(", field("constructor", $.type_constructor), repeat($._form), ")"),
    call: ($) => seq("(", field("function", $._name), repeat($._form), ")"),
    list: ($) => seq("(", optional(seq(choice($._list_head), repeat($._form))), ")"),
    _list_head: ($) =>
      choice(
        $.definition,
        $.special_form,
        $.parameter,
        $.compound_type,
        $.call,
        $.list,
        $.integer,
        $.float,
        $.string,
        $.boolean,
        $.type,
      ),
    function_name: ($) => seq("[", field("head", $.identifier), repeat1($._form), "]"),
    _name: ($) => choice($.identifier, $.function_name),
    _atom: ($) =>
      choice($.identifier, $.integer, $.float, $.string, $.boolean, $.type, $.type_constructor),
    type: () => choice(...TYPES),
    type_constructor: () => choice(...CONSTRUCTORS),
    boolean: () => choice("true", "false"),
    integer: () => /[+-]?\d+/,
    float: () => /[+-]?\d+(\.\d+([eE][+-]?\d+)?|[eE][+-]?\d+)/,
    string: () => /"([^"\\]|\\[\s\S])*"/,
    identifier: () => /[\p{L}_'!$%&*+.,\/<=>?@\\^|~:-][\p{L}\p{N}_':!$%&*+.,\/<=>?@\\^|~-]*/,
    comment: () => /;[^\n]*/,
    block_comment: () => /#\|([^|]|\|+[^|#])*\|+#/,
  },
});

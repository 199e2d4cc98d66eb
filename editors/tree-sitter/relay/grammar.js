// Relay: definitions, calls, attributes and names in a tree of brackets.
// Precedences and types are the language server's; the tree serves highlighting, folding and selection.

const KEYWORDS = ["let", "fn", "if", "else", "match", "extern", "free_var", "where"];

module.exports = grammar({
  name: "relay",
  extras: ($) => [/\s/, $.comment, $.block_comment],
  word: ($) => $.identifier,
  rules: {
    source_file: ($) => seq(repeat($._tree), optional($.metadata)),
    _tree: ($) =>
      choice(
        $.version,
        $.definition,
        $.type_definition,
        $.call,
        $.attribute,
        $.parentheses,
        $.brackets,
        $.braces,
        $._atom,
      ),
    version: ($) => seq("#[version", "=", $.string, "]"),
    definition: ($) => seq("def", field("name", $.global)),
    type_definition: ($) => seq("type", field("name", $.identifier)),
    call: ($) => prec(2, seq(field("function", choice($.global, $.local, $.identifier)), $.parentheses)),
    attribute: ($) => prec(1, seq(field("name", $.identifier), "=")),
    parentheses: ($) => seq("(", repeat($._tree), ")"),
    brackets: ($) => seq("[", repeat($._tree), "]"),
    braces: ($) => seq("{", repeat($._tree), "}"),
    _atom: ($) =>
      choice($.global, $.local, $.graph, $.identifier, $.keyword, $.constant, $.number, $.string, $.operator),
    keyword: () => choice(...KEYWORDS),
    constant: () => choice("True", "False", "None", "nullptr"),
    global: () => /@\/?[A-Za-z_][A-Za-z0-9_\/]*/,
    local: () => /%\/?[A-Za-z_][A-Za-z0-9_\/]*/,
    graph: () => /%[0-9]+/,
    identifier: () => /[A-Za-z_][A-Za-z0-9_]*([.\/][A-Za-z_][A-Za-z0-9_]*)*/,
    number: () => /[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?[A-Za-z_0-9]*/,
    string: () => /"([^"\\\n]|\\.)*"/,
    operator: () => choice("->", "=>", "==", "!=", "<=", ">=", "&&", "||", ..."-+*/<>!=,;:.?".split("")),
    comment: () => /\/\/[^\n]*/,
    block_comment: () => /\/\*([^*]|\*+[^*\/])*\*+\//,
    metadata: () => token(seq("#[metadata]", /[\s\S]*/)),
  },
});

[(comment) (block_comment)] @comment
(string) @string
[(integer) (float)] @number
(boolean) @boolean
[(type) (type_constructor)] @type.builtin
["def" "edef" "gdef" "rule"] @keyword
(special_form keyword: _ @keyword)
(definition name: (identifier) @function)
(declaration name: (identifier) @function)
(derivation kind: (identifier) @keyword)
(call function: (identifier) @function.call)
(parameter name: (identifier) @variable.parameter)
["(" ")" "[" "]"] @punctuation.bracket

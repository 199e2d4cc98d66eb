[(comment) (block_comment)] @comment
(string) @string
(number) @number
(constant) @constant.builtin
["def" "type" (keyword)] @keyword
(definition name: (global) @function)
(type_definition name: (identifier) @type)
(call function: (global) @function.call)
(call function: (identifier) @function.builtin)
(attribute name: (identifier) @property)
[(local) (graph)] @variable
(operator) @operator
((identifier) @type.builtin (#match? @type.builtin "^(Tensor|bool|u?int[0-9]+|float[0-9]+|bfloat16)$"))
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

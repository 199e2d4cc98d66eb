(comment) @comment
(string) @string
(number) @number
(dimension) @number
(boolean) @boolean
(value) @variable
(symbol) @function
(block) @label
[(type_alias) (builtin_type)] @type
(attribute_alias) @constant
(operation_name) @keyword
(punctuation) @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

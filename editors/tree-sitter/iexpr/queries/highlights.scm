(comment) @comment
(definition name: (identifier) @function)
(reference (identifier) @function.call)
((reference (identifier) @function.builtin) (#match? @function.builtin "^(I|id)$"))
["i" "rev"] @keyword
(string) @string.special
["<<" ">>" "&" "|" "~" "="] @operator
["(" ")"] @punctuation.bracket

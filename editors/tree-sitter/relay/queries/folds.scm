[(braces) (parentheses)] @fold

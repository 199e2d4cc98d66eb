(braces) @fold

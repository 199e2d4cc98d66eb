// Unknown keywords in attributes of the dialect are found.
// RUN: %kopt %s --split-input-file --verify-diagnostics

// expected-error@below {{to be one of: none, reassoc, nnan}}
module attributes {a.fast = #arith.fastmath<bogus>} {}

// -----

// expected-error@below {{expected '>'}}
module attributes {a.flow = #arith.overflow<nsw nuw>} {}

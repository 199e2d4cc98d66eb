// Attributes of the dialect have one form wherever they stand, and unknown keywords are found.
// RUN: %kopt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: module attributes {a.fast = #arith.fastmath<reassoc,nnan>, a.flow = #arith.overflow<nsw, nuw>}
module attributes {a.fast = #arith.fastmath< nnan , reassoc >, a.flow = #arith.overflow<nuw,nsw>} {}

// -----

// expected-error@below {{expected one of: none, reassoc, nnan}}
module attributes {a.fast = #arith.fastmath<bogus>} {}

// -----

// expected-error@below {{expected '>'}}
module attributes {a.flow = #arith.overflow<nsw nuw>} {}

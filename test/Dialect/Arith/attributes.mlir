// Attributes of the dialect have one form wherever they stand.
// RUN: %kopt %s | FileCheck %s

// CHECK: module attributes {a.fast = #arith.fastmath<reassoc,nnan>, a.flow = #arith.overflow<nsw, nuw>}
module attributes {a.fast = #arith.fastmath< nnan , reassoc >, a.flow = #arith.overflow<nuw,nsw>} {}

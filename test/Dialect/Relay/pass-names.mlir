// RUN: not %kopt %s --pass-pipeline="builtin.module(apply-patterns{sets=relay-fold-scale})" 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not %kopt %s --pass-pipeline="builtin.module(FoldScaleAxes)" 2>&1 | FileCheck %s --check-prefix=TVM
// RUN: not %kopt %s --relay-fold-constants 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not %kopt %s --merge-composite=patterns=dense 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: %kopt --list-passes | FileCheck %s --check-prefix=LIST

// SET: error: there is no set of patterns 'relay-fold-scale'
// SET: did you mean 'relay-fold-scale-axis'?
// TVM: error: 'FoldScaleAxes' does not refer to a registered pass or pass pipeline
// TVM: did you mean 'FoldScaleAxis'?
// FLAG: error: unexpected argument '--relay-fold-constants' found
// FLAG: a similar argument exists: '--relay-fold-constant'
// PATTERN: error: expected a pattern 'NAME=DIALECT.OPERATION+DIALECT.OPERATION?', but found 'dense'
// LIST: relay-fake-quantization-to-integer {{.*}}FakeQuantizationToInteger: compute with integers between dequantization and quantization

//! Random programs with lists, options, closures and references: the same results on tensors, on planned buffers, and after
//! `expand-counts`. Every object must be freed exactly once.

use crate::common::functional::program;
use crate::common::{emitted, run};
use minoan_interp::Interpreter;
use minoan_services::{Datum, Tensor};

#[test]
fn random_programs_agree_and_free_every_object_once() {
    for seed in 0..120 {
        let text = program(seed);
        let fail = |what: &str| -> ! { panic!("seed {seed}: {what}\n{text}") };
        let module =
            emitted::emitted(&run::context(), &text, &["main"]).unwrap_or_else(|errors| fail(&errors));
        let module = run::lowered(&module).unwrap_or_else(|errors| fail(&errors));
        let planned = run::planned(module.clone()).unwrap_or_else(|errors| fail(&errors));
        let expanded = run::expanded(planned.clone()).unwrap_or_else(|errors| fail(&errors));
        for n in [0, 1, 5] {
            let args = [Datum::from(Tensor::splat(&[], &Datum::Int(n)).expect("a scalar"))];
            let expected = Interpreter::new(&module).call("main", &args);
            let expected = expected.unwrap_or_else(|trap| fail(&trap.message));
            for module in [&planned, &expanded] {
                let found = run::run_on_buffers(module, &args);
                let found = found
                    .unwrap_or_else(|trap| fail(&format!("{}\n{}", trap.message, emitted::text_of(module))));
                if run::tensors(&expected) != run::tensors(&found) {
                    fail(&format!("{:?} is not {:?}", run::tensors(&found), run::tensors(&expected)));
                }
            }
        }
    }
}

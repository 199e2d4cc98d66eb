//! Programs that once went wrong on a back end, each named after how.

use minoan::interface::Data;
use minoan::{Backend, Failure, Float, Session};

/// Results of `entry` without arguments on every back end.
fn run(text: &str) -> Vec<Result<Vec<Data>, String>> {
    let session = Session::new();
    let run = |backend| {
        let program = session.read_text("regression.ks", text)?;
        let entry = session.entry(&program, "entry", Float::F32)?;
        session.run(&entry, &[], backend)
    };
    [Backend::Interpret, Backend::InterpretBuffers, Backend::Jit]
        .map(|backend| run(backend).map_err(|failure: Failure| failure.to_string()))
        .to_vec()
}

#[test]
fn a_buffer_of_negative_size_left_a_loop_that_does_not_run() {
    let text = "
      (def entry Integer ()
        (sumbuild 0 (lam (i : Integer)
          (fold (lam (acc_x : Tuple Integer Bool) (get$1$2 acc_x)) 0 (build (sub 0 1) (lam (j : Integer) false))))))";
    for result in run(text) {
        assert_eq!(result, Ok(vec![Data::Int(0)]));
    }
}

#[test]
fn sizes_that_differ_for_certain_were_not_compiled() {
    let text = "
      (def entry Integer ()
        (let (v (map2 (lam (xy : Tuple Integer Integer) (add (get$1$2 xy) (get$2$2 xy)))
                      (constVec 2 0) (constVec 1 0)))
          (size v)))";
    for result in run(text) {
        assert_eq!(result, Err("map2 of tensors of different sizes".to_owned()));
    }
}

//! The extension module `minoan._minoan`: the Python bindings of Minoan, by PyO3.
//!
//! Users import the package `minoan` (`crates/python/python/minoan`); its Python part contains everything that needs no Rust: the
//! exceptions, the combinators of i-expressions, Jacobians, the driver of patterns.
//!
//! ```python
//! import minoan as mn
//!
//! hyp = mn.loads("(def hyp Float ((a : Float) (b : Float)) (sqrt (add (mul a a) (mul b b))))", language="ks")["hyp"]
//! assert hyp(3.0, 4.0) == 5.0
//! da, db = mn.grad(hyp)(3.0, 4.0)
//! assert abs(da - 0.6) < 1e-6 and abs(db - 0.8) < 1e-6
//! ```
//!
//! The test `tests/test_book.py` runs this example and the book's chapter on Python; as an extension module does not link as a
//! test binary, all tests are in Python.
//!
//! | module | contents |
//! |---|---|
//! | [`session`] | `Session`: reads programs and modules |
//! | [`program`] | `Program`: a checked program, whose functions are its items |
//! | [`function`] | `Function`: a compiled function, called with arrays |
//! | [`derive`] | derivatives of functions |
//! | [`values`] | conversion of arguments and results, by the types of the source |
//! | [`data`] | values of algebraic data types |
//! | [`arrays`] | arrays of other libraries, without a copy: the array interface and DLPack |
//! | [`ir`] | `Module`, `Operation`, `Region`, `Block`, `Value`, `Builder`, `Type`, `Attribute` |
//! | [`error`] | diagnostics as exceptions |
//!
//! Guarantees:
//! * Arguments are checked before a call: a wrong one is an exception, and never a wild access.
//! * Compilation and calls release the interpreter's lock. Every object may be used by several threads.
//! * A handle of the IR checks that its entity exists at each use; a stale one raises `StaleHandle`.

mod arrays;
mod data;
mod derive;
mod detach;
mod error;
mod function;
mod ir;
mod out;
mod program;
mod session;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn _minoan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<session::Session>()?;
    module.add_class::<program::Program>()?;
    module.add_class::<function::Function>()?;
    module.add_class::<arrays::Memory>()?;
    ir::register(module)
}

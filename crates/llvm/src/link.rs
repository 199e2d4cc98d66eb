//! Shared libraries and programs for outside users.
//!
//! The runtime is linked in from an archive that this crate carries (see its build script); its symbols stay
//! hidden, so several libraries built this way live together in one process.

use crate::emit::temporary_beside;
use minoan_diag::Diagnostic;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libminoan_runtime.a"));

/// The runtime as a static library, for users who link objects themselves (with `-lm -lpthread -ldl`).
pub fn runtime_archive() -> &'static [u8] {
    RUNTIME
}

/// How to link.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// The compiler driver to link with; `None` for `$CC`, `cc`, `gcc`, `clang-22` or `clang`, the first that
    /// is there.
    pub driver: Option<String>,
    /// Further arguments for it.
    pub arguments: Vec<String>,
}

/// What a library exports besides its functions: whoever gets an array from it frees it by this.
const FREE: &str = "minoan_free";

/// Links objects into a shared library that exports exactly the symbols `exports` and `minoan_free`, by which
/// callers give back arrays that functions return (their descriptor's `allocated`).
///
/// # Errors
/// When there is no linker, or what it says.
pub fn link_shared(
    objects: &[&[u8]],
    exports: &[String],
    path: &Path,
    options: &LinkOptions,
) -> Result<(), Diagnostic> {
    let mut script = format!("{{\n  global:\n    {FREE};\n");
    exports.iter().for_each(|name| script += &format!("    \"{name}\";\n"));
    script += "  local: *;\n};\n";
    link(objects, Some(&script), path, options)
}

/// Links objects, one of which defines `main`, into a program.
///
/// # Errors
/// When there is no linker, or what it says.
pub fn link_executable(objects: &[&[u8]], path: &Path, options: &LinkOptions) -> Result<(), Diagnostic> {
    link(objects, None, path, options)
}

fn link(
    objects: &[&[u8]],
    version_script: Option<&str>,
    path: &Path,
    options: &LinkOptions,
) -> Result<(), Diagnostic> {
    let failed =
        |error: std::io::Error| Diagnostic::error(format!("cannot write '{}': {error}", path.display()));
    let directory = tempfile::tempdir().map_err(failed)?;
    let output = temporary_beside(path, true).map_err(failed)?;

    let mut arguments: Vec<OsString> = vec!["-o".into(), output.path().into()];
    for (index, object) in objects.iter().enumerate() {
        let file = directory.path().join(format!("{index}.o"));
        fs::write(&file, object).map_err(failed)?;
        arguments.push(file.into());
    }
    let runtime = directory.path().join("libminoan_runtime.a");
    fs::write(&runtime, RUNTIME).map_err(failed)?;
    arguments.push(runtime.into());
    if let Some(text) = version_script {
        let script = directory.path().join("exports.map");
        fs::write(&script, text).map_err(failed)?;
        let mut argument = OsString::from("-Wl,--version-script=");
        argument.push(&script);
        // Each library uses its own runtime, also where another one exports the same name.
        let flags = ["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-u,minoan_free"];
        arguments.extend(flags.map(OsString::from));
        arguments.push(argument);
    }
    let fixed = ["-Wl,--gc-sections", "-Wl,--build-id=none", "-lm", "-lpthread", "-ldl"];
    arguments.extend(fixed.map(OsString::from));
    arguments.extend(options.arguments.iter().map(OsString::from));

    run_driver(options, &arguments)?;
    output.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn run_driver(options: &LinkOptions, arguments: &[OsString]) -> Result<(), Diagnostic> {
    let chosen = options.driver.clone().or_else(|| std::env::var("CC").ok().filter(|cc| !cc.is_empty()));
    let candidates = match chosen {
        Some(driver) => vec![driver],
        None => ["cc", "gcc", "clang-22", "clang"].map(String::from).to_vec(),
    };
    for driver in &candidates {
        match Command::new(driver).args(arguments).output() {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let error = Diagnostic::error(format!("linking with '{driver}' failed"));
                let text = String::from_utf8_lossy(&output.stderr);
                return Err(text.lines().fold(error, |error, line| error.note(line)));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Diagnostic::error(format!("cannot start '{driver}': {error}"))),
        }
    }
    Err(Diagnostic::error(format!("no linker: there is no '{}'", candidates.join("', no '")))
        .help("install gcc or clang, or name one in the environment variable CC"))
}

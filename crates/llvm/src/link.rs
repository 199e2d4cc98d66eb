//! Linking of shared libraries and programs.
//!
//! The runtime is linked from an archive embedded in this crate (see its build script); its symbols are hidden, so
//! that several such libraries can coexist in one process.

use flate2::read::GzDecoder;
use minoan_diag::Diagnostic;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

/// The archive, compressed to a fourth of its size.
static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libminoan_runtime.a.gz"));

/// The runtime as a static library, for users who link objects themselves (with `-lm -lpthread -ldl`).
pub fn runtime_archive() -> Vec<u8> {
    let mut archive = Vec::new();
    GzDecoder::new(RUNTIME).read_to_end(&mut archive).expect("the build script compressed it");
    archive
}

/// The options of the linker.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// The compiler driver to link with; `None` for the first available of `$CC`, `cc`, `gcc`, `clang-22` and
    /// `clang`.
    pub driver: Option<String>,
    /// Additional arguments of the driver.
    pub arguments: Vec<String>,
}

/// The symbols that a library exports in addition to its functions: callers free returned arrays by the first, and set the
/// number of threads of parallel loops by the second.
const RUNTIME_EXPORTS: [&str; 2] = ["minoan_free", "minoan_set_threads"];

/// The functions of the runtime for values of data types, which a library with such arguments and results exports.
pub const VALUE_EXPORTS: [&str; 8] = [
    "minoan_live_objects",
    "minoan_object_tag",
    "minoan_value_box",
    "minoan_value_make",
    "minoan_value_part",
    "minoan_value_release",
    "minoan_value_retain",
    "minoan_value_word",
];

/// Links objects into a shared library, which is written whole or not at all. It exports exactly the symbols `exports`;
/// `minoan_free`, by which callers free arrays that functions return (their descriptor's `allocated`); and
/// `minoan_set_threads`, which sets the number of threads of parallel loops.
///
/// # Errors
/// The linker is missing or fails; the error has its message.
pub fn link_shared(
    objects: &[&[u8]],
    exports: &[String],
    path: &Path,
    options: &LinkOptions,
) -> Result<(), Diagnostic> {
    let mut script = "{\n  global:\n".to_owned();
    RUNTIME_EXPORTS.iter().for_each(|name| script += &format!("    {name};\n"));
    exports.iter().for_each(|name| script += &format!("    \"{name}\";\n"));
    script += "  local: *;\n};\n";
    link(objects, Some(&script), path, options)
}

/// Links objects, one of which must define `main`, into a program.
///
/// # Errors
/// The linker is missing or fails; the error has its message.
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
    let output = directory.path().join("output");

    let mut arguments: Vec<OsString> = vec!["-o".into(), output.clone().into()];
    for (index, object) in objects.iter().enumerate() {
        let file = directory.path().join(format!("{index}.o"));
        fs::write(&file, object).map_err(failed)?;
        arguments.push(file.into());
    }
    let runtime = directory.path().join("libminoan_runtime.a");
    fs::write(&runtime, runtime_archive()).map_err(failed)?;
    arguments.push(runtime.into());
    if let Some(text) = version_script {
        let script = directory.path().join("exports.map");
        fs::write(&script, text).map_err(failed)?;
        let mut argument = OsString::from("-Wl,--version-script=");
        argument.push(&script);
        // Each library must use its own runtime, even if another one exports the same names. It stays loaded, since its
        // threads live until the process ends.
        let flags = ["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,-z,nodelete"];
        arguments.extend(flags.map(OsString::from));
        arguments.extend(RUNTIME_EXPORTS.map(|name| OsString::from(format!("-Wl,-u,{name}"))));
        arguments.push(argument);
    }
    let fixed = ["-Wl,--gc-sections", "-Wl,--build-id=none", "-lm", "-lpthread", "-ldl"];
    arguments.extend(fixed.map(OsString::from));
    arguments.extend(options.arguments.iter().map(OsString::from));

    run_driver(options, &arguments)?;
    fs::read(&output).and_then(|bytes| minoan_files::write_executable(path, &bytes)).map_err(failed)
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
    Err(Diagnostic::error(format!("no linker: '{}' was not found", candidates.join("', no '")))
        .help("install gcc or clang, or set the environment variable CC"))
}

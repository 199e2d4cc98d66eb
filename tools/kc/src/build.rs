//! `kc build`: compiles a program, or prints its IR at a stage of the pipeline.

use crate::args::{Build, Emit};
use crate::opened::Opened;
use minoan::diag::Diagnostic;
use minoan::ir::Module;
use minoan::{Failure, Library, Session, Stage, output};
use std::path::Path;

pub(crate) fn build(session: &mut Session, options: &Build) -> Result<(), Failure> {
    let mut opened = Opened::new(session, &options.source)?;
    let takes_gradients = match options.emit {
        Emit::Relay | Emit::Stage(Stage::FrontEnd | Stage::Executable) => false,
        Emit::Stage(_) => true,
    };
    if !options.gradients.is_empty() && !takes_gradients {
        let error = Diagnostic::error("'--gradients' needs another stage than source, relay or exe");
        return Err(error.help("'kc grad' prints the gradient of one function").into());
    }
    // Without names, objects, libraries and headers have all functions.
    let has_all = matches!(options.emit, Emit::Stage(Stage::Object | Stage::SharedLibrary | Stage::Header));
    if !(has_all && opened.entries.is_empty()) {
        opened.add_entries(&options.gradients);
    }
    let stage = match options.emit {
        Emit::Relay => {
            let module = opened.emitted(session)?;
            output::report(session, &opened.program.losses());
            return output::write(&options.output, minoan::relay::to_text(&module)?.as_bytes());
        }
        Emit::Stage(stage) => stage,
    };
    if options.explain {
        let library = with_gradients(session, options, opened.lowered(session)?)?;
        let remarks = session.explain_kernels(&library.module)?;
        output::report(session, &remarks);
    }
    match stage {
        Stage::FrontEnd => output::write(&options.output, opened.source_text(session)?.as_bytes()),
        Stage::Object | Stage::SharedLibrary | Stage::Executable => {
            machine_code(session, options, &opened, stage)
        }
        Stage::Header => header(session, options, &opened),
        Stage::Shared
        | Stage::Schedule
        | Stage::Buffers
        | Stage::LlvmDialect
        | Stage::LlvmIr
        | Stage::Assembly => {
            let library = with_gradients(session, options, opened.lowered(session)?)?;
            let text = text_at(session, &library.module, stage)?;
            output::write(&options.output, text.as_bytes())
        }
    }
}

#[cfg(feature = "mlir")]
fn machine_code(session: &Session, options: &Build, opened: &Opened, stage: Stage) -> Result<(), Failure> {
    match stage {
        Stage::SharedLibrary => shared_library(session, options, opened),
        Stage::Executable => executable(session, options, opened),
        _ => object(session, options, opened),
    }
}

#[cfg(not(feature = "mlir"))]
fn machine_code(_: &Session, _: &Build, _: &Opened, _: Stage) -> Result<(), Failure> {
    Err(without_mlir())
}

#[cfg(feature = "mlir")]
fn object(session: &Session, options: &Build, opened: &Opened) -> Result<(), Failure> {
    let help = "-o FILE writes it to a file, and --emit=asm is assembly";
    output::check_binary(&options.output, "an object", help)?;
    let library = library(session, options, opened)?;
    let compiled = session.compile_library(&library.module, &prefix(options, opened))?;
    output::write(&options.output, &compiled.code)?;
    if options.output != "-" {
        let name = &options.output;
        let note = Diagnostic::remark(format!("'{name}' calls the runtime, which is a static library"))
            .note(format!("cc PROGRAM.c {name} libminoan_runtime.a -lm -lpthread -ldl"))
            .help("'kc runtime -o libminoan_runtime.a' writes it");
        output::report(session, &note.into());
    }
    Ok(())
}

#[cfg(feature = "mlir")]
fn shared_library(session: &Session, options: &Build, opened: &Opened) -> Result<(), Failure> {
    let path = file(options, "a shared library")?;
    let library = library(session, options, opened)?;
    let compiled = session.compile_library(&library.module, &prefix(options, opened))?;
    let code = [&compiled.code[..]];
    let values = if library.has_data_types() { &minoan::llvm::VALUE_EXPORTS[..] } else { &[] };
    let mut exports = compiled.exports;
    exports.extend(values.iter().map(|&name| name.to_owned()));
    minoan::llvm::link_shared(&code, &exports, path, &Default::default())?;
    Ok(())
}

#[cfg(feature = "mlir")]
fn executable(session: &Session, options: &Build, opened: &Opened) -> Result<(), Failure> {
    use minoan::{llvm::Output, mlir::Entries};
    let path = file(options, "a program")?;
    let entry = opened.entry(session)?;
    let entries = Entries::Program(entry.symbol.clone());
    let compiled = session.compile(&entry.module, &entries, Output::Object)?;
    minoan::llvm::link_executable(&[&compiled.code], path, &Default::default())?;
    if opened.program.shows_result(&opened.entry) && !entry.interface.result_leaves().is_empty() {
        let warning =
            Diagnostic::warning(format!("the program does not print the result of '{}'", opened.entry));
        output::report(session, &warning.help("'kc run' prints it").into());
    }
    Ok(())
}

fn header(session: &Session, options: &Build, opened: &Opened) -> Result<(), Failure> {
    let library = library(session, options, opened)?;
    let name = match options.output.as_str() {
        "-" => format!("{}.h", opened.stem()),
        path => Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let text = minoan::header::header(&library, &name, &prefix(options, opened));
    output::write(&options.output, text.as_bytes())
}

/// The functions to compile: those of the program, and their gradients that `--gradients` requests.
fn library(session: &Session, options: &Build, opened: &Opened) -> Result<Library, Failure> {
    with_gradients(session, options, opened.library(session)?)
}

/// The prefix of function names in a header: that of `--prefix`, or else the name of the program and `_`.
fn prefix(options: &Build, opened: &Opened) -> String {
    options.prefix.clone().unwrap_or_else(|| format!("{}_", opened.stem()))
}

/// The path of the output, which must be a file rather than standard output.
#[cfg(feature = "mlir")]
fn file<'a>(options: &'a Build, what: &str) -> Result<&'a Path, Failure> {
    if options.output == "-" {
        return Err(Diagnostic::error(format!("{what} cannot be written to standard output"))
            .help("name a file: -o FILE")
            .into());
    }
    Ok(Path::new(&options.output))
}

/// Adds the gradients that `--gradients` requests.
fn with_gradients(session: &Session, options: &Build, library: Library) -> Result<Library, Failure> {
    session.add_gradients(library, &options.gradients, options.wrt())
}

/// Lowers a module in the shared dialects to a stage, and returns its text there.
pub(crate) fn text_at(session: &Session, module: &Module, stage: Stage) -> Result<String, Failure> {
    match stage {
        Stage::Shared => Ok(output::module_text(module)),
        Stage::Schedule | Stage::Buffers => {
            let mut module = module.clone();
            session.advance(&mut module, stage)?;
            Ok(output::module_text(&module))
        }
        Stage::LlvmDialect | Stage::LlvmIr | Stage::Assembly => code_text(session, module, stage),
        _ => Err(Diagnostic::error("this stage has no text").into()),
    }
}

#[cfg(feature = "mlir")]
fn code_text(session: &Session, module: &Module, stage: Stage) -> Result<String, Failure> {
    use minoan::{llvm::Output, mlir::Entries};
    if stage == Stage::LlvmDialect {
        let mut module = module.clone();
        session.advance(&mut module, Stage::Buffers)?;
        return session.llvm_dialect(&module);
    }
    let output = if stage == Stage::LlvmIr { Output::LlvmText } else { Output::Assembly };
    let compiled = session.compile(module, &Entries::Library, output)?;
    Ok(String::from_utf8_lossy(&compiled.code).into_owned())
}

#[cfg(not(feature = "mlir"))]
fn code_text(_: &Session, _: &Module, _: Stage) -> Result<String, Failure> {
    Err(without_mlir())
}

#[cfg(not(feature = "mlir"))]
fn without_mlir() -> Failure {
    Diagnostic::error("this build cannot compile to machine code: its feature 'mlir' is off").into()
}

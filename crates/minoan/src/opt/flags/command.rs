//! Converts the command line to flags; there is a flag for every pass.

use super::{Flags, elsewhere};
use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use minoan_diag::{SourceMap, render, render_colored};
use minoan_pass::{OptionInfo, PassRegistry};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  kopt prog.mlir --canonicalize --cse
  kopt prog.mlir --pass-pipeline='builtin.module(inline,func.func(cse))' -o out.mlir
  kopt model.relay --default-pipeline
  kopt --list-passes
  kopt --show-dialects";

/// Parses the command line. The second part is the passes given as flags, as pipeline text, in their order.
///
/// # Errors
/// The exit code: the command line is invalid or asks for help, which has been printed.
pub(in crate::opt) fn from_command_line(passes: &PassRegistry) -> Result<(Flags, Vec<String>), ExitCode> {
    let mut command = Flags::augment_args(Command::new(tool_name()))
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Parses a module (MLIR's text, or a program of a front end), runs passes on it, and prints it.",
        )
        .after_help(EXAMPLES)
        .max_term_width(100)
        .next_line_help(false);
    let mut names: Vec<String> = Vec::new();
    for pass in passes.all() {
        names.push(pass.name().to_owned());
        let flag = pass_flag(pass.name(), pass.description(), &passes.options(pass.name()));
        command = command.arg(flag.aliases(passes.spellings_of(pass.name())));
    }
    for alias in passes.aliases() {
        names.push(alias.name.to_owned());
        let help = format!("{}: {}", alias.description, alias.text);
        let flag = pass_flag(alias.name, &help, &[]).help_heading("Named pipelines");
        command = command.arg(flag.aliases(passes.spellings_of(alias.name)));
    }
    command = command.mut_args(|arg| match arg.get_action() {
        ArgAction::SetTrue => with_value(arg),
        _ => arg,
    });
    command = elsewhere::add(command);
    let args = with_two_dashes(std::env::args_os(), &command);
    let read = command.try_get_matches_from(args).and_then(|matches| {
        let given = given(&matches, &names);
        let elsewhere = elsewhere::given(&matches, &names);
        Ok((Flags { elsewhere, ..Flags::from_arg_matches(&matches)? }, given))
    });
    read.map_err(|mut error| {
        let mut stderr = std::io::stderr();
        let render = if stderr.is_terminal() { render_colored } else { render };
        // If the error cannot be written, there is nothing left to do.
        let _ = match elsewhere::explain(&mut error) {
            Some(diagnostic) => write!(stderr, "{}", render(&diagnostic, &SourceMap::new())),
            None => error.print(),
        };
        if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    })
}

/// A flag that also accepts `=true` or `=false`.
fn with_value(flag: Arg) -> Arg {
    flag.action(ArgAction::Set)
        .value_name("BOOL")
        .num_args(0..=1)
        .require_equals(true)
        .default_value("false")
        .default_missing_value("true")
        .value_parser(BoolishValueParser::new())
        .hide_default_value(true)
        .hide_possible_values(true)
}

/// `-cse` is `--cse`, as for `mlir-opt`.
fn with_two_dashes(args: impl Iterator<Item = OsString>, command: &Command) -> Vec<OsString> {
    let is_long = |name: &str| {
        command.get_arguments().any(|arg| arg.get_long() == Some(name))
            || elsewhere::is_flag_of_mlir_opt(name)
    };
    let two = |arg: OsString| {
        let name = arg.to_str().and_then(|arg| arg.strip_prefix('-'));
        let name = name.and_then(|name| name.split('=').next());
        match name {
            Some(name) if name.len() > 1 && is_long(name) => {
                let mut long = OsString::from("-");
                long.push(&arg);
                long
            }
            _ => arg,
        }
    };
    args.map(two).collect()
}

fn pass_flag(name: &'static str, description: &str, options: &[OptionInfo]) -> Arg {
    let mut help = description.to_owned();
    for option in options {
        let OptionInfo { name, doc, default, .. } = option;
        help.push_str(&format!("\n* {name}=<{}>: {doc} [default: {default}]", option.placeholder()));
    }
    Arg::new(name)
        .long(name)
        .help(description.to_owned())
        .long_help(help)
        .help_heading("Passes")
        .value_name("OPTIONS")
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("")
        .action(ArgAction::Append)
}

/// The passes on the command line, in their order, as pipeline text.
fn given(matches: &ArgMatches, names: &[String]) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for name in names {
        let Some(clap::parser::ValueSource::CommandLine) = matches.value_source(name) else { continue };
        let indices = matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>(name).into_iter().flatten();
        found.extend(indices.zip(values).map(|(at, options)| {
            (at, if options.is_empty() { name.clone() } else { format!("{name}{{{options}}}") })
        }));
    }
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

/// The name of the running tool, for its help.
fn tool_name() -> String {
    let path = std::env::args_os().next().map(std::path::PathBuf::from);
    let name = path.as_deref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
    name.unwrap_or("opt").to_owned()
}

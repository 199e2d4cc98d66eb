//! The search for LLVM and MLIR, with the environment as parameters.

/// The variables with the directory of LLVM and MLIR 22: those of llvm-sys, mlir-sys and tblgen.
pub const VARIABLES: [&str; 3] = ["LLVM_SYS_221_PREFIX", "MLIR_SYS_220_PREFIX", "TABLEGEN_220_PREFIX"];

/// The folder in which Debian's packages install LLVM 22.
const DEBIAN: &str = "/usr/lib/llvm-22";

/// Checks that each of the crates will find LLVM 22 with MLIR. `run` returns what a program prints for an argument, `exists`
/// tells whether a path exists.
///
/// # Errors
/// A message that names the missing part and the remedy.
pub(crate) fn check(
    prefixes: &[(&str, Option<String>); 3],
    run: &dyn Fn(&str, &str) -> Option<String>,
    exists: &dyn Fn(&str) -> bool,
) -> Result<(), String> {
    for (variable, prefix) in prefixes {
        let program = match prefix {
            Some(prefix) => format!("{prefix}/bin/llvm-config"),
            // llvm-sys also takes a program with the version in its name.
            None if *variable == VARIABLES[0] && run("llvm-config-22", "--version").is_some() => {
                "llvm-config-22".to_owned()
            }
            None => "llvm-config".to_owned(),
        };
        let found = run(&program, "--version");
        let problem = match (&found, prefix) {
            (Some(version), _) if version.starts_with("22.") => {
                let header = run(&program, "--includedir").map(|path| format!("{path}/mlir-c/IR.h"));
                match header.filter(|header| !exists(header)) {
                    Some(header) => format!("LLVM 22 is there, but not MLIR: there is no '{header}'"),
                    None => continue,
                }
            }
            (Some(version), _) => format!("expected LLVM 22, but '{program}' is of version {version}"),
            (None, Some(_)) => format!("{variable} is set, but '{program}' cannot be started"),
            (None, None) => {
                format!("LLVM 22 is not found: {variable} is not set, and '{program}' is not in PATH")
            }
        };
        return Err(format!("{problem}\n{}", remedy(exists(&format!("{DEBIAN}/bin/llvm-config")))));
    }
    Ok(())
}

fn remedy(is_installed: bool) -> String {
    let mut text = String::from(if is_installed {
        "it is installed in /usr/lib/llvm-22; "
    } else {
        "on Debian: apt-get install llvm-22-dev libmlir-22-dev libpolly-22-dev libzstd-dev clang-22; then "
    });
    text += "add this to .cargo/config.toml of your project:\n\n[env]\n";
    for variable in VARIABLES {
        text += &format!("{variable} = \"{DEBIAN}\"\n");
    }
    text += "\nwithout LLVM: minoan = { version = \"0.1\", default-features = false }, which interprets functions";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [(&str, Option<String>); 3] =
        [(VARIABLES[0], None), (VARIABLES[1], None), (VARIABLES[2], None)];

    fn failure(
        prefixes: &[(&str, Option<String>); 3],
        run: &dyn Fn(&str, &str) -> Option<String>,
        exists: &dyn Fn(&str) -> bool,
    ) -> String {
        check(prefixes, run, exists).err().unwrap_or_default()
    }

    fn at(prefix: &str) -> [(&'static str, Option<String>); 3] {
        VARIABLES.map(|variable| (variable, Some(prefix.to_owned())))
    }

    /// An installation of a version in a directory.
    fn installed(version: &'static str) -> impl Fn(&str, &str) -> Option<String> {
        move |program, argument| {
            let prefix = program.strip_suffix("/bin/llvm-config").filter(|prefix| *prefix == "/opt/llvm")?;
            Some(if argument == "--version" { version.to_owned() } else { format!("{prefix}/include") })
        }
    }

    #[test]
    fn an_installation_with_mlir_is_accepted() {
        let header = |path: &str| path == "/opt/llvm/include/mlir-c/IR.h";
        assert_eq!(check(&at("/opt/llvm"), &installed("22.1.8"), &header), Ok(()));
        let in_path = |_: &str, argument: &str| {
            Some(if argument == "--version" { "22.1.0" } else { "/opt/llvm/include" }.to_owned())
        };
        assert_eq!(check(&NONE, &in_path, &header), Ok(()));
    }

    #[test]
    fn what_is_missing_is_named_with_the_remedy() {
        let nothing = |_: &str, _: &str| None;
        let text = failure(&NONE, &nothing, &|_| false);
        assert!(text.starts_with("LLVM 22 is not found: LLVM_SYS_221_PREFIX is not set"), "{text}");
        assert!(text.contains("apt-get install llvm-22-dev libmlir-22-dev"), "{text}");
        assert!(text.contains("[env]\nLLVM_SYS_221_PREFIX = \"/usr/lib/llvm-22\""), "{text}");
        assert!(text.contains("default-features = false"), "{text}");

        let text = failure(&NONE, &nothing, &|path| path == "/usr/lib/llvm-22/bin/llvm-config");
        assert!(text.contains("it is installed in /usr/lib/llvm-22; add this"), "{text}");

        let text = failure(&at("/nowhere"), &nothing, &|_| false);
        assert!(text.contains("'/nowhere/bin/llvm-config' cannot be started"), "{text}");

        let text = failure(&at("/opt/llvm"), &installed("21.1.0"), &|_| true);
        assert!(
            text.starts_with("expected LLVM 22, but '/opt/llvm/bin/llvm-config' is of version 21.1.0"),
            "{text}"
        );

        let text = failure(&at("/opt/llvm"), &installed("22.1.8"), &|_| false);
        assert!(text.contains("there is no '/opt/llvm/include/mlir-c/IR.h'"), "{text}");
    }

    #[test]
    fn the_message_in_the_documentation_is_current() {
        let text = failure(&NONE, &|_, _| None, &|path| path == "/usr/lib/llvm-22/bin/llvm-config");
        let shown: Vec<&str> = include_str!("lib.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("//! error:"))
            .map(str::trim_start)
            .collect();
        assert_eq!(text.lines().take(shown.len()).collect::<Vec<_>>(), shown);
        assert!(!shown.is_empty());
    }

    #[test]
    fn each_crate_needs_what_it_looks_for() {
        let only_versioned = |program: &str, argument: &str| match (program, argument) {
            ("llvm-config-22", "--version") => Some("22.1.8".to_owned()),
            ("llvm-config-22", _) => Some("/usr/include".to_owned()),
            _ => None,
        };
        let text = failure(&NONE, &only_versioned, &|_| true);
        assert!(text.contains("MLIR_SYS_220_PREFIX is not set, and 'llvm-config' is not in PATH"), "{text}");
    }
}

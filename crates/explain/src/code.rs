//! Assembly, LLVM IR and MLIR's text with their source lines.

use rustc_hash::FxHashMap;

/// A line of code, and the file and line that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLine {
    /// The text.
    pub text: String,
    /// The source file and line.
    pub place: Option<(String, u32)>,
}

/// Directives that carry no information about the code.
const NOISE: [&str; 10] =
    [".loc", ".file", ".cfi_", ".p2align", ".size", ".type", ".ident", ".addrsig", ".Lfunc_", ".Ltmp"];

/// The code of assembly with line tables: instructions and labels with the lines of the `.loc` directives before them.
/// Debug sections and directives for unwinding are left out.
pub fn assembly(text: &str) -> Vec<CodeLine> {
    let (mut files, mut place, mut lines): (FxHashMap<u32, String>, _, _) =
        (FxHashMap::default(), None, Vec::new());
    let mut in_debug = false;
    for line in text.lines() {
        let code = line.trim();
        let mut words = code.split_whitespace();
        match words.next().unwrap_or("") {
            ".section" => {
                in_debug =
                    words.next().is_some_and(|name| name.starts_with(".debug") || name.contains("note.GNU"))
            }
            ".text" | ".data" | ".bss" => in_debug = false,
            ".file" => {
                if let Some((number, name)) = file(code) {
                    files.insert(number, name);
                }
            }
            ".loc" => {
                let file =
                    words.next().and_then(|word| word.parse().ok()).and_then(|file: u32| files.get(&file));
                let line = words.next().and_then(|word| word.parse().ok()).filter(|&line: &u32| line > 0);
                place = file.cloned().zip(line);
            }
            ".Lfunc_end" => place = None,
            _ => {}
        }
        if in_debug || code.is_empty() || NOISE.iter().any(|noise| code.starts_with(noise)) {
            continue;
        }
        let is_code = line.starts_with(['\t', ' ']) && !code.starts_with('.') && !code.starts_with('#');
        if !is_code && !code.starts_with(".L") && !code.starts_with('.') {
            // A function starts.
            place = None;
        }
        lines.push(CodeLine { text: without_tabs(line), place: place.clone().filter(|_| is_code) });
    }
    lines
}

/// The number and name of a file: `.file 1 "directory" "name"`, with the directory only if the name is not absolute.
fn file(directive: &str) -> Option<(u32, String)> {
    let rest = directive.strip_prefix(".file")?.trim_start();
    let (number, names) = rest.split_once(char::is_whitespace)?;
    let names: Vec<&str> = names.split('"').skip(1).step_by(2).collect();
    // A checksum after the names is not a name.
    let name = match names[..] {
        [name] => name.to_owned(),
        [directory, name, ..] => joined(directory, name),
        [] => return None,
    };
    Some((number.parse().ok()?, name))
}

/// The path of a file in a directory, as locations name it.
fn joined(directory: &str, name: &str) -> String {
    match directory {
        "" | "." => name.to_owned(),
        _ if name.starts_with('/') => name.to_owned(),
        directory => format!("{}/{name}", directory.trim_end_matches('/')),
    }
}

/// LLVM IR with debug locations: instructions with the lines of their `!dbg` attachments. Debug metadata is left out.
pub fn llvm_ir(text: &str) -> Vec<CodeLine> {
    let nodes: FxHashMap<&str, &str> =
        text.lines().filter_map(|line| line.strip_prefix('!')?.split_once(" = ")).collect();
    let mut places: FxHashMap<&str, Option<(String, u32)>> = FxHashMap::default();
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with('!') || line.starts_with("; ModuleID") || line.starts_with("source_filename") {
            continue;
        }
        let (code, place) = match line.split_once(", !dbg !").filter(|_| line.starts_with(' ')) {
            Some((code, rest)) => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let place =
                    places.entry(&rest[..end]).or_insert_with(|| location(&nodes, &rest[..end])).clone();
                (format!("{code}{}", &rest[end..]), place)
            }
            None => (line.to_owned(), None),
        };
        lines.push(CodeLine { text: code, place });
    }
    lines
}

/// The file and line of a `DILocation`.
fn location(nodes: &FxHashMap<&str, &str>, number: &str) -> Option<(String, u32)> {
    let node = nodes.get(number)?;
    let line = field(node, "line: ")?.parse().ok().filter(|&line: &u32| line > 0)?;
    let mut scope = *nodes.get(field(node, "scope: !")?)?;
    // Blocks are in functions, and these in files.
    for _ in 0..64 {
        if scope.contains("DIFile(") {
            let (name, directory) =
                (field(scope, "filename: \"")?, field(scope, "directory: \"").unwrap_or(""));
            return Some((joined(directory, name), line));
        }
        scope = nodes.get(field(scope, "file: !").or_else(|| field(scope, "scope: !"))?)?;
    }
    None
}

/// The value of a field up to a delimiter.
fn field<'n>(node: &'n str, name: &str) -> Option<&'n str> {
    let at = node.find(name)? + name.len();
    let rest = &node[at..];
    Some(&rest[..rest.find([',', ')', '"']).unwrap_or(rest.len())])
}

/// MLIR's text with locations: operations with the first file and line of their location. Locations are left out.
pub fn mlir(text: &str) -> Vec<CodeLine> {
    let aliases: FxHashMap<&str, &str> = text
        .lines()
        .filter(|line| line.starts_with("#loc"))
        .filter_map(|line| line.split_once(" = "))
        .collect();
    let mut places: FxHashMap<&str, Option<(String, u32)>> = FxHashMap::default();
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("#loc")) {
        let located = line.rsplit_once(" loc(").and_then(|(code, loc)| Some((code, loc.strip_suffix(')')?)));
        let (code, place) = match located {
            Some((code, loc)) => {
                let place = places.entry(loc).or_insert_with(|| first_file(&aliases, loc)).clone();
                (without_locations(code), place)
            }
            None => (without_locations(line), None),
        };
        lines.push(CodeLine { text: code, place });
    }
    lines
}

/// Removes the locations of block arguments.
fn without_locations(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = [" loc(#loc", " loc(unknown"].into_iter().filter_map(|loc| rest.find(loc)).min() {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text
}

/// The first file and line in a location.
fn first_file(aliases: &FxHashMap<&str, &str>, loc: &str) -> Option<(String, u32)> {
    let mut pending = vec![loc];
    // Locations share subterms.
    for _ in 0..64 {
        let loc = pending.pop()?;
        let alias = loc.find("#loc").map(|at| {
            let end = loc[at + 1..]
                .find(|c: char| !c.is_ascii_alphanumeric())
                .map_or(loc.len(), |end| at + 1 + end);
            (at, end)
        });
        let name = loc.split_once('"').and_then(|(before, rest)| {
            let (name, rest) = rest.split_once("\":")?;
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            Some((before.len(), name, rest[..end].parse().ok().filter(|&line: &u32| line > 0)?))
        });
        match (name, alias) {
            (Some((at, name, line)), alias) if alias.is_none_or(|(alias, _)| at < alias) => {
                return Some((name.to_owned(), line));
            }
            (_, Some((at, end))) => {
                pending.push(&loc[end..]);
                pending.extend(aliases.get(&loc[at..end]));
            }
            (_, None) => {}
        }
    }
    None
}

/// A line with spaces up to the next column of eight in place of each tab.
fn without_tabs(line: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for c in line.chars() {
        let width = if c == '\t' { 8 - column % 8 } else { 1 };
        match c {
            '\t' => text.extend(std::iter::repeat_n(' ', width)),
            c => text.push(c),
        }
        column += width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[CodeLine]) -> Vec<String> {
        let place = |line: &CodeLine| {
            line.place.as_ref().map_or("-".to_owned(), |(file, line)| format!("{file}:{line}"))
        };
        lines.iter().map(|line| format!("{} {}", place(line), line.text.trim())).collect()
    }

    #[test]
    fn instructions_have_the_lines_of_the_directives_before_them() {
        let text = "\t.file\t\"module\"\n\t.text\n\t.globl\tf\n\t.type\tf,@function\nf:\n\
                    .Lfunc_begin0:\n\t.file\t1 \"dir\" \"a.ks\"\n\t.file\t2 \"/x\" \"/b.ks\" md5 0x00\n\t.cfi_startproc\n\
                    \t.loc\t1 3 5 prologue_end\n\tmovl\t%edi, %eax\n.LBB0_1:\n\t.loc\t2 0 1\n\tnop\n\
                    \t.loc\t2 7 1\n\tretq\n.Lfunc_end0:\n\t.size\tf, .Lfunc_end0-f\ng:\n\tretq\n\
                    \t.section\t.debug_abbrev,\"\",@progbits\n\t.byte\t1\n";
        assert_eq!(
            shown(&assembly(text)),
            [
                "- .text",
                "- .globl  f",
                "- f:",
                "dir/a.ks:3 movl    %edi, %eax",
                "- .LBB0_1:",
                "- nop",
                "/b.ks:7 retq",
                "- g:",
                "- retq"
            ]
        );
    }

    #[test]
    fn instructions_have_the_lines_of_their_metadata() {
        let text = "; ModuleID = 'm'\ndefine i32 @f(i32 %0) !dbg !3 {\n  %2 = add i32 %0, 1, !dbg !7\n  ret i32 %2, !dbg !8\n}\n\
                    !3 = distinct !DISubprogram(name: \"f\", scope: !4, file: !4, line: 1, unit: !2)\n\
                    !4 = !DIFile(filename: \"a.ks\", directory: \"dir\")\n\
                    !5 = !DILexicalBlockFile(scope: !3, discriminator: 0)\n\
                    !7 = !DILocation(line: 12, column: 3, scope: !3)\n!8 = !DILocation(line: 13, scope: !5)\n";
        assert_eq!(
            shown(&llvm_ir(text)),
            [
                "- define i32 @f(i32 %0) !dbg !3 {",
                "dir/a.ks:12 %2 = add i32 %0, 1",
                "dir/a.ks:13 ret i32 %2",
                "- }"
            ]
        );
    }

    #[test]
    fn operations_have_the_first_file_of_their_location() {
        let text = "#loc = loc(unknown)\n#loc1 = loc(\"a.ks\":2:3)\nmodule {\n  llvm.func @f(%arg0: i32 loc(unknown)) -> i32 {\n\
                    \x20   %0 = llvm.add %arg0, %arg0 : i32 loc(#loc4)\n    llvm.return %0 : i32 loc(#loc)\n\
                    \x20 ^bb1(%1: i32 loc(#loc1), %2: i32 loc(#loc)):\n  } loc(#loc1)\n} loc(#loc)\n\
                    #loc3 = loc(fused[#loc, #loc1])\n#loc4 = loc(callsite(#loc3 at #loc1))\n";
        let lines = shown(&mlir(text));
        assert_eq!(
            lines[2..],
            [
                "a.ks:2 %0 = llvm.add %arg0, %arg0 : i32",
                "- llvm.return %0 : i32",
                "- ^bb1(%1: i32, %2: i32):",
                "a.ks:2 }",
                "- }"
            ]
        );
    }
}

#!/usr/bin/env bash
# Generates the parsers with the tree-sitter CLI and parses the programs of examples/ and test/ without errors.
# Usage: check.sh [DIRECTORY FOR THE GENERATED PARSERS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(mktemp -d)}
status=0
for language in knossos:ks relay:relay iexpr:iexpr mlir:mlir; do
  name=${language%:*} extension=${language#*:}
  rm -rf "${out:?}/$name"
  cp -r "$here/$name" "$out/$name"
  (cd "$out/$name" && tree-sitter generate)
  # Inputs that tools reject contain any text.
  find "$here/../../examples" "$here/../../test" -name "*.$extension" -print0 |
    xargs -0 grep -LZE 'expected-error|RUN: not|not k(opt|c)' |
    { grep -zvE 'invalid|error|refused|malformed' || true; } >"$out/$name.files"
  (cd "$out/$name" && xargs -0 tree-sitter parse --quiet <"$out/$name.files") || status=1
done
exit $status

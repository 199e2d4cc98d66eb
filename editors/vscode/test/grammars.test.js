// Tokenizes every program of examples/ and test/ with the TextMate grammars: no token is invalid.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const ROOT = path.join(__dirname, "../../..");
const LANGUAGES = { ".ks": "knossos", ".relay": "relay", ".rly": "relay", ".iexpr": "iexpr", ".mlir": "mlir" };

const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(wasm).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async (scope) => {
    const file = path.join(__dirname, `../syntaxes/${scope.replace("source.", "")}.tmLanguage.json`);
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
  },
});

function* files(directory) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) {
      yield* files(file);
    } else if (LANGUAGES[path.extname(entry.name)]) {
      yield file;
    }
  }
}

/** The tokens of a text: `[text, scopes]`, line by line. */
async function tokens(language, text) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  let state = textmate.INITIAL;
  const found = [];
  text.split("\n").forEach((line, index) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      found.push({ line: index + 1, text: line.slice(startIndex, endIndex), scopes });
    }
  });
  return found;
}

// Inputs that tools reject contain any characters.
const rejected = (file, text) =>
  /invalid|error|refused|malformed/.test(path.basename(file)) || /expected-error|not kopt|not kc|RUN: not/.test(text);

for (const directory of ["examples", "test"]) {
  test(`every program of ${directory}/ is tokenized`, async () => {
    let count = 0;
    for (const file of files(path.join(ROOT, directory))) {
      const text = fs.readFileSync(file, "utf8");
      if (rejected(file, text)) {
        continue;
      }
      count += 1;
      const wrong = (await tokens(LANGUAGES[path.extname(file)], text)).filter(({ scopes }) =>
        scopes.some((scope) => scope.startsWith("invalid")),
      );
      const shown = wrong.slice(0, 3).map(({ line, text }) => `${file}:${line}: ${text}`);
      assert.deepStrictEqual(shown, []);
    }
    assert.ok(count > 5, `only ${count} programs`);
  });
}

const cases = [
  ["knossos", "(def f Float ((x : Float)) (mul x 1.0))", "def", "keyword.declaration"],
  ["knossos", "(def f Float ((x : Float)) (mul x 1.0))", "f", "entity.name.function"],
  ["knossos", "#| a #| b |# c |# (f)", "f", "entity.name.function.call"],
  ["relay", "def @main(%x: Tensor[(2), float32]) { %x }", "%x", "variable.other"],
  ["relay", "nn.conv2d(%x, padding=[1, 1])", "padding", "variable.parameter"],
  ["relay", "nn.conv2d(%x)", "nn.conv2d", "support.function"],
  ["iexpr", 'norm = i("+ij~i")', "norm", "entity.name.function"],
  ["mlir", "%0 = arith.addi %a, %b : i32 // sum", "arith.addi", "keyword.other.operation"],
  ["mlir", "func.func @f(%a: tensor<4x?xf32>)", "@f", "entity.name.function"],
  ["mlir", "^bb1(%x: i32):", "^bb1", "entity.name.label"],
];

for (const [language, line, word, scope] of cases) {
  test(`${language}: '${word}' in '${line}'`, async () => {
    const found = (await tokens(language, line)).find(({ text }) => text.trim() === word);
    assert.ok(found, `no token '${word}'`);
    assert.ok(found.scopes.some((it) => it.startsWith(scope)), found.scopes.join(" "));
  });
}

test("characters of no language are invalid", async () => {
  const found = await tokens("relay", "def @f() { ` }");
  assert.ok(found.some(({ scopes }) => scopes.some((scope) => scope.startsWith("invalid"))));
});

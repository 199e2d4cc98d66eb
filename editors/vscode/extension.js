// Starts the language server for the four languages and shows the IR of functions.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["knossos", "relay", "iexpr", "mlir"];
const STAGES = ["source", "shared", "schedule", "buffers"];
const SCHEME = "minoan-ir";

let client;
/** The texts of the virtual documents, by URI. */
const shown = new Map();
const changed = new vscode.EventEmitter();

async function start() {
  const command = vscode.workspace.getConfiguration("minoan").get("server.path") || "minoan-lsp";
  client = new LanguageClient(
    "minoan",
    "Minoan",
    { command, args: [] },
    { documentSelector: LANGUAGES.map((language) => ({ language, scheme: "file" })) },
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Cannot start '${command}': ${error.message}. Build it with 'cargo install --path tools/minoan-lsp', or set 'minoan.server.path'.`,
    );
  }
}

async function pickIr() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client || !LANGUAGES.includes(editor.document.languageId)) {
    return;
  }
  const stage = await vscode.window.showQuickPick(STAGES, { placeHolder: "Stage of the compilation" });
  if (!stage) {
    return;
  }
  try {
    const result = await client.sendRequest("minoan/showIr", {
      textDocument: { uri: editor.document.uri.toString() },
      position: { line: editor.selection.active.line, character: editor.selection.active.character },
      stage,
    });
    const name = result.function || "module";
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.${stage}.mlir` });
    shown.set(uri.toString(), result.text);
    changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  } catch (error) {
    vscode.window.showErrorMessage(error.message);
  }
}

exports.activate = async (context) => {
  const provider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => shown.get(uri.toString()) || "",
  };
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidCloseTextDocument((document) => shown.delete(document.uri.toString())),
    vscode.commands.registerCommand("minoan.pickIr", pickIr),
    vscode.commands.registerCommand("minoan.restart", async () => {
      await client?.stop().catch(() => {});
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();

// VS Code's own JavaScript debugger without VS Code. `node host.mjs EXTENSION FOLDER [PORT]` attaches as the folder's `.vscode/launch.json`
// says, and then speaks the Debug Adapter Protocol for whoever started it: each line in is a request of the debugged program's session,
// each line out a message of it. At the end of the lines it detaches. PORT takes the place of the one in the file.

import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { standIn } from "./vscode.mjs";

const [extension, root, port] = process.argv.slice(2).map((argument, index) => (index < 2 ? resolve(argument) : Number(argument)));
const manifest = JSON.parse(readFileSync(join(extension, "package.json"), "utf8"));

/** What the extension registers, by the type of debugger. */
const providers = [];
const factories = new Map();
let sessions = 0;

const debug = {
  registerDebugConfigurationProvider: (type, provider) => providers.push({ type, provider }),
  registerDebugAdapterDescriptorFactory: (type, factory) => factories.set(type, factory),
  // Of each program that it attaches to.
  startDebugging: async (_, configuration, options) => {
    const program = await open(configuration, options.parentSession, say);
    createInterface({ input: process.stdin })
      .on("line", (line) => program.send(JSON.parse(line)))
      .on("close", () => options.parentSession.send({ command: "disconnect", arguments: {} }));
    return true;
  },
};

/** Runs one session: connects to the adapter and attaches, as VS Code does. */
async function open(configuration, parentSession, hear) {
  const session = { id: `session-${(sessions += 1)}`, type: configuration.type, name: configuration.name, configuration, parentSession, workspaceFolder: folder };
  const { path } = await factories.get(configuration.type).createDebugAdapterDescriptor(session);
  const connection = createConnection(path);
  let calls = 0;
  session.send = (message) => {
    const text = JSON.stringify({ type: "request", seq: (calls += 1), ...message });
    connection.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  session.customRequest = async () => ({});
  receive(connection, hear);
  session.send({ command: "initialize", arguments: { adapterID: configuration.type, clientID: "vscode", clientName: "Visual Studio Code", linesStartAt1: true, columnsStartAt1: true, pathFormat: "path", supportsVariableType: true } });
  session.send({ command: configuration.request, arguments: configuration });
  return session;
}

/** Takes the messages out of a stream that has each behind its length. */
function receive(connection, hear) {
  let waiting = Buffer.alloc(0);
  connection.on("data", (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const head = waiting.indexOf("\r\n\r\n");
      const length = head < 0 ? undefined : Number(/Content-Length: (\d+)/.exec(waiting.subarray(0, head).toString())[1]);
      if (length === undefined || waiting.length < head + 4 + length) return;
      hear(JSON.parse(waiting.subarray(head + 4, head + 4 + length).toString()));
      waiting = waiting.subarray(head + 4 + length);
    }
  });
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** The configuration as VS Code hands it to the adapter: filled in by the extension's own providers, then with its variables in place. */
async function resolved(configuration) {
  let known = configuration;
  for (let type; type !== known.type; ) {
    ({ type } = known);
    for (const { provider } of providers.filter((one) => one.type === type)) {
      known = (await provider.resolveDebugConfiguration?.(folder, known)) ?? known;
    }
  }
  known = JSON.parse(JSON.stringify(known).replaceAll("${workspaceFolder}", root));
  for (const { provider } of providers.filter((one) => one.type === known.type)) {
    known = (await provider.resolveDebugConfigurationWithSubstitutedVariables?.(folder, known)) ?? known;
  }
  return known;
}

const settings = Object.assign({}, ...[manifest.contributes.configuration].flat().map((part) => part.properties));
let folder;
const vscode = standIn({ folder: undefined, settings, debug });
folder = { uri: vscode.Uri.file(root), name: "product", index: 0 };
vscode.workspace.workspaceFolders[0] = folder;
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const store = { get: (_, otherwise) => otherwise, update: async () => {}, keys: () => [] };
createRequire(import.meta.url)(join(extension, manifest.main)).activate({
  subscriptions: [],
  extensionPath: extension,
  extensionUri: vscode.Uri.file(extension),
  storagePath: process.env.TMPDIR ?? "/tmp",
  globalState: store,
  workspaceState: store,
  extension: { packageJSON: manifest, id: "ms-vscode.js-debug" },
  environmentVariableCollection: { get: () => undefined, replace() {}, delete() {}, clear() {}, append() {}, prepend() {} },
  asAbsolutePath: (path) => join(extension, path),
});

const [first] = JSON.parse(readFileSync(join(root, ".vscode/launch.json"), "utf8")).configurations;
const configuration = await resolved(Number.isFinite(port) ? { ...first, port } : first);
const session = await open(configuration, undefined, (message) => {
  // Nothing else is set before it attaches.
  if (message.event === "initialized") session.send({ command: "configurationDone", arguments: {} });
  if (message.success === false) throw new Error(`${message.command}: ${message.message}`);
  if (message.event === "terminated") process.exit();
});

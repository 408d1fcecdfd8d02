// As much of VS Code's module `vscode` as its own JavaScript debugger needs to attach. What is not here is a stand-in that can be
// called, made and asked for anything, and does nothing.

import { pathToFileURL, fileURLToPath } from "node:url";

class EventEmitter {
  #listeners = new Set();
  event = (listener, self, disposables) => {
    const bound = (value) => listener.call(self, value);
    this.#listeners.add(bound);
    const disposable = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(value) {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose() {
    this.#listeners.clear();
  }
}

class Disposable {
  #end;
  constructor(end) {
    this.#end = end;
  }
  dispose() {
    this.#end?.();
    this.#end = undefined;
  }
}

class Uri {
  static file = (path) => new Uri(pathToFileURL(path));
  static parse = (text) => new Uri(new URL(text));
  constructor(url) {
    this.scheme = url.protocol.slice(0, -1);
    this.path = decodeURIComponent(url.pathname);
    this.fsPath = this.scheme === "file" ? fileURLToPath(url) : this.path;
    this.text = url.href;
  }
  toString() {
    return this.text;
  }
}

class DebugAdapterNamedPipeServer {
  constructor(path) {
    this.path = path;
  }
}

/** Answers everything, with itself. */
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === "then" ? undefined : name === Symbol.toPrimitive ? () => "" : name === "prototype" ? {} : nothing),
  set: () => true,
  apply: () => nothing,
  construct: (_, __, made) => Reflect.construct(Object, [], made),
});
/** An object with a stand-in for whatever else is asked of it: by its prototype, which a bundle's copy of a module keeps. */
const padded = (object) => Object.setPrototypeOf(object, nothing);

/** The module. `settings` has what `package.json` of the extension says of each setting. */
export function standIn({ folder, settings, debug }) {
  const told = (method) => (text) => {
    process.stderr.write(`${method}: ${text}\n`);
    return Promise.resolve(undefined);
  };
  const value = (key) => settings[key]?.default;
  const commands = new Map();
  return padded({
    version: "1.117.0",
    EventEmitter,
    Disposable,
    Uri,
    DebugAdapterNamedPipeServer,
    l10n: { t: (text, ...values) => text.replace(/\{(\d+)\}/g, (_, index) => values[index]), bundle: undefined },
    env: padded({ remoteName: undefined, appName: "Visual Studio Code", machineId: "nobody", language: "en", isTelemetryEnabled: false, uiKind: 1 }),
    UIKind: { Desktop: 1, Web: 2 },
    commands: padded({
      registerCommand: (name, run) => (commands.set(name, run), new Disposable(() => commands.delete(name))),
      executeCommand: async (name, ...values) => commands.get(name)?.(...values),
    }),
    extensions: padded({ getExtension: () => undefined, all: [] }),
    window: padded({
      activeTextEditor: undefined,
      showErrorMessage: told("error"),
      showWarningMessage: told("warning"),
      showInformationMessage: told("information"),
    }),
    workspace: padded({
      isTrusted: true,
      workspaceFolders: [folder],
      workspaceFile: undefined,
      getWorkspaceFolder: () => folder,
      getConfiguration: (section) =>
        padded({
          get: (key, otherwise) => value(section === undefined ? key : `${section}.${key}`) ?? otherwise,
          inspect: () => undefined,
          update: async () => {},
        }),
    }),
    debug: padded(debug),
  });
}

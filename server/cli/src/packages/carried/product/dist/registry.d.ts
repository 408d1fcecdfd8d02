/** The same as `version` in package.json. */
export declare const SDK_VERSION = "0.1.0";
/** From now on nothing is thrown: misuses go into the registry, and the engine reports them with all else. */
export declare function recordInsteadOfThrow(): void;
/** The registry of a product file's default export, as JSON text. */
export declare function readRegistry(defaultExport: unknown): string;

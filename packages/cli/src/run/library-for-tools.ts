import * as module from "node:module";

/** Matches the library's entries and the testing kit. */
const LIBRARY = /^(?:codexwright|@codexwright\/testing)(?:\/|$)/;

/**
 * Lets the user's modules import the library that this command was installed with, if their folder does not
 * have it. Without this, their imports would not find a global installation.
 *
 * @param folder the folder of the first of these modules
 */
export function lendLibrary(folder: string): void {
  if (isLent) return;
  isLent = true;
  if (process.versions["bun"] !== undefined) return lendOnBun(folder);
  const { registerHooks } = module as { readonly registerHooks?: RegisterHooks };
  // Node 20 supports hooks only on a separate thread.
  if (!registerHooks) return module.register(asynchronousHooks(), { data: import.meta.url });
  registerHooks({
    resolve(specifier, context, next) {
      if (!LIBRARY.test(specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

let isLent = false;

interface Context {
  readonly parentURL?: string | undefined;
}

/** `node:module` has had `registerHooks` since Node 22.15; our type definitions are older. */
type RegisterHooks = (hooks: {
  readonly resolve: (
    specifier: string,
    context: Context,
    next: (specifier: string, context: Context) => unknown,
  ) => unknown;
}) => void;

/** Returns the source of a module of hooks as a URL. */
function asynchronousHooks(): string {
  const source = `let parentURL;
    export function initialize(data) { parentURL = data; }
    export async function resolve(specifier, context, next) {
      if (!${String(LIBRARY)}.test(specifier)) return next(specifier, context);
      try { return await next(specifier, context); }
      catch { return next(specifier, { ...context, parentURL }); }
    }`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

interface BunPlugins {
  plugin(plugin: {
    readonly name: string;
    setup(build: {
      module(specifier: string, load: () => Promise<{ exports: unknown; loader: "object" }>): void;
    }): void;
  }): void;
  resolveSync(specifier: string, from: string): string;
}

/** Bun does not call its hooks for packages, so each entry is registered as a module. */
function lendOnBun(folder: string): void {
  const { Bun: bun } = globalThis as unknown as { readonly Bun: BunPlugins };
  const require = module.createRequire(import.meta.url);
  const { exports } = require("codexwright/package.json") as { readonly exports: object };
  const own = Object.keys(exports).map((entry) => entry.replace(".", "codexwright"));
  const entries = [...own, "@codexwright/testing"];
  if (isFound(() => bun.resolveSync("codexwright", folder))) return;
  bun.plugin({
    name: "codexwright",
    setup(build) {
      for (const entry of entries) {
        const file = bun.resolveSync(entry, import.meta.dirname);
        build.module(entry, async () => ({ exports: await import(file), loader: "object" }));
      }
    },
  });
}

function isFound(resolve: () => string): boolean {
  try {
    return resolve() !== "";
  } catch {
    return false;
  }
}

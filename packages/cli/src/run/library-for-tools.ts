import * as module from "node:module";

/** The library with its entries, and the testing kit. */
const LIBRARY = /^(?:codexwright|@codexwright\/testing)(?:\/|$)/;

/**
 * Lets modules of the user import the library that the command was installed with, if their own folder has none: a
 * command that is installed globally has it where their imports do not look.
 *
 * @param folder of the first of these modules
 */
export function lendLibrary(folder: string): void {
  if (isLent) return;
  isLent = true;
  if (process.versions["bun"] !== undefined) return lendOnBun(folder);
  const { registerHooks } = module as { readonly registerHooks?: RegisterHooks };
  // Node 20 has hooks on a thread of their own only.
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

/** `node:module` has it from Node 22.15 on; our types are those of an older one. */
type RegisterHooks = (hooks: {
  readonly resolve: (
    specifier: string,
    context: Context,
    next: (specifier: string, context: Context) => unknown,
  ) => unknown;
}) => void;

/** A module of hooks. */
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

/** Bun's hooks are not asked about packages, so that each entry is offered as a module. */
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

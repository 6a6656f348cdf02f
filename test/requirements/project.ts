import type { Requirement } from "./requirement.ts";

export const PROJECT = [
  {
    id: "api.close",
    statement: "Everything public with `Symbol.asyncDispose` or `Symbol.dispose` has `close()`.",
  },
  {
    id: "package.browser",
    statement: "codexwright/client bundles for the browser without a module of Node's.",
  },
  {
    id: "docs.readme",
    statement: "The README's example is compiled and runs on the real server.",
  },
  {
    id: "docs.examples",
    statement: "Every example of the guide runs on the real server and prints what the guide says.",
  },
  {
    id: "docs.snippets",
    statement: "Every TypeScript snippet of the guide is a region of a compiled example.",
  },
  {
    id: "package.exports",
    statement: "The package's entries are the promised ones.",
  },
  {
    id: "package.dependencies",
    statement: "The library has no runtime dependency.",
  },
  {
    id: "layers",
    statement:
      "Imports between layers point one way; the neutral ones use no Node built-in, and the agent uses the client by its public face.",
  },
  {
    id: "demo.login",
    statement: "Whether Codex can be used is read from its files, without starting a server.",
  },
  {
    id: "demo.run",
    statement: "npm start runs a turn on the real server, shows it, and leaves nothing behind.",
  },
] as const satisfies readonly Requirement[];

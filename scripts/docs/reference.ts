import path from "node:path";
import { Application } from "typedoc";
import { publicEntries } from "../api/public-entries.ts";

/** The entry `codexwright` exports every name of these two entries, so they have no pages. */
const COVERED = ["codexwright/client", "codexwright/protocol"];

/** Writes a page for each public entry into `reference`, from its doc comments. Rejects if typedoc reports a warning. */
export async function writeReference(root: string, out: string): Promise<void> {
  const entries = publicEntries(root).filter(({ specifier }) => !COVERED.includes(specifier));
  // One TypeScript program for all packages takes half the time of one program for each package.
  const app = await Application.bootstrapWithPlugins({
    options: path.join(root, "typedoc.json"),
    tsconfig: path.join(root, "scripts/docs/tsconfig.reference.json"),
    entryPoints: entries.map(({ source }) => source),
    out: path.join(out, "reference"),
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc failed");
  const nameOf = new Map(
    entries.map(({ source, specifier }) => [
      path
        .relative(path.join(root, "packages"), source)
        .replaceAll(path.sep, "/")
        .replace(/(?:\/index)?\.ts$/, ""),
      specifier,
    ]),
  );
  for (const module of project.children ?? []) {
    const name = nameOf.get(module.name);
    if (name === undefined) throw new Error(`typedoc calls an entry ${module.name}, which is unknown`);
    module.name = name;
  }
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("typedoc reported warnings");
}

import path from "node:path";
import { rolldown } from "rolldown";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";

const DIST = path.resolve(import.meta.dirname, "../../../dist/lib");

for (const entry of ["client", "agent"]) {
  verifies(
    "package.browser",
    `codexwright/${entry} bundles for the browser without Node modules`,
    async () => {
      const warnings: string[] = [];
      await using bundle = await rolldown({
        input: path.join(DIST, `${entry}.js`),
        platform: "browser",
        onLog: (_level, log) => warnings.push(log.message),
      });
      const { output } = await bundle.generate({ format: "esm" });
      expect(warnings).toEqual([]);
      const files = output.map(({ fileName }) => fileName);
      for (const chunk of output) {
        if (chunk.type !== "chunk") continue;
        for (const file of [...chunk.imports, ...chunk.dynamicImports]) expect(files).toContain(file);
        expect(/\bnode:|\bprocess\.|\bBuffer\b|(?<![#.\w])require\(/.exec(chunk.code)?.[0]).toBeUndefined();
      }
    },
  );
}

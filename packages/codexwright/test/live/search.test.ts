import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

verifies(
  ["search.once", "search.session"],
  "files are found once, and again and again as the query changes",
  async () => {
    await using live = await world([]);
    const roots = [live.server.workspace];
    for (const name of ["alpha.txt", "alphabet.txt", "beta.txt"]) {
      writeFileSync(path.join(live.server.workspace, name), "");
    }
    const { codex } = live;
    const [best] = await codex.search("bet.txt", { roots });
    expect(best).toMatchObject({ path: "beta.txt", match_type: "file" });
    expect(await codex.search("", { roots })).toEqual([]);

    await using session = await codex.searchSession({ roots });
    await session.update("alp");
    await session.update("beta");
    const seen: string[] = [];
    for await (const { query, files } of session) {
      seen.push(query);
      const paths = files.map(({ path: file }) => file);
      if (query === "beta" && paths.includes("beta.txt")) await session.update("alp");
      else if (paths.length === 2) break;
    }
    expect(seen[0]).toBe("beta");
    expect(session.current?.files.map((file) => file.path).toSorted()).toEqual(["alpha.txt", "alphabet.txt"]);
    await session.update("nothing is called like this");
    for await (const { files } of session) {
      expect(files).toEqual([]);
      break;
    }
    await session.close();
  },
  PINNED,
);

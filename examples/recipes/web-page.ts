/** Bundles the page, and serves it with the real Codex and a scripted model until you close it in your browser. */
import path from "node:path";
import { bundlePage } from "./web-page/bundle.ts";

const source = path.resolve(import.meta.dirname, "../../../examples/recipes/web-page");
await bundlePage(source, path.join(import.meta.dirname, "web-page"));
await import("./web-page/offline.ts");

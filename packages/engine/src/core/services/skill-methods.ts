import type { Handlers } from "codexwright/endpoint";
import type { JsonValue, SkillMetadata } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { reading, writing } from "./config/methods.ts";
import type { Skill } from "../ports.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import type { WireObject } from "../wire-object.ts";

/** `skills/list`, which reads the folders again for each request, and `skills/config/write`. */
export function skillMethods(host: ThreadsHost): Handlers {
  // The list of switches is read and written as a whole, so two changes must not overlap.
  let last: Promise<unknown> = Promise.resolve();
  return {
    "skills/list": async ({ cwds }) => ({
      data: await Promise.all(
        (cwds?.length ? cwds : [host.defaults.cwd]).map(async (cwd) => {
          const { skills, errors } = await host.skills.find(cwd);
          return { cwd, skills: skills.map((skill) => wireSkill(skill)), errors: [...errors] };
        }),
      ),
    }),
    "skills/config/write": async ({ path, name, enabled }) => {
      const selector = selectorOf(path, name);
      const written = last.then(() => switched(host, selector, enabled));
      last = written.catch(() => {});
      await written;
      await host.skills.check();
      return { effectiveEnabled: enabled };
    },
  };
}

type Selector = { readonly path: string } | { readonly name: string };

function selectorOf(path: string | null | undefined, name: string | null | undefined): Selector {
  if (path && !name) return { path };
  if (name && name.trim() !== "" && !path) return { name };
  throw new ResponseError(-32602, "skills/config/write requires exactly one of path or name");
}

/** As in Codex, the configuration of the user has an entry only for a skill that is switched off. */
async function switched({ configFiles }: ThreadsHost, selector: Selector, enabled: boolean): Promise<void> {
  const layers = await reading(() => configFiles.layers(undefined));
  const user = layers.find(({ name }) => name.type === "user" && name.profile === null);
  const { config } = (user?.table["skills"] ?? {}) as { readonly config?: unknown };
  const entries = (Array.isArray(config) ? (config as readonly unknown[]) : []).filter(
    (entry) => !isAbout(entry as WireObject | null, selector),
  );
  const next = enabled ? entries : [...entries, { ...selector, enabled }];
  const value = next.length === 0 ? null : (next as JsonValue);
  await writing(() => configFiles.write([{ keyPath: "skills.config", value, mergeStrategy: "replace" }], {}));
}

function isAbout(entry: WireObject | null, selector: Selector): boolean {
  if ("path" in selector) return entry?.["path"] === selector.path;
  return entry?.["path"] === undefined && entry?.["name"] === selector.name;
}

function wireSkill({ name, description, shortDescription, path, scope, enabled }: Skill): SkillMetadata {
  const short = shortDescription === undefined ? {} : { shortDescription };
  return { name, description, ...short, path, scope, enabled, pluginId: null };
}

import type { Disk } from "@codexwright/engine/internal";

/** A disk of files, links, and folders, whose names end with a slash. The folders above them exist, too. */
export function memoryDisk(entries: Readonly<Record<string, string | { readonly link: string }>>): Disk {
  const files = new Map<string, string | { readonly link: string }>();
  const folders = new Set<string>(["/"]);
  for (const [name, content] of Object.entries(entries)) {
    const isFolder = name.endsWith("/");
    const file = isFolder ? name.slice(0, -1) : name;
    if (isFolder) folders.add(file);
    else files.set(file, content);
    for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1))
      folders.add(file.slice(0, at));
  }
  return {
    kind: (file) => {
      const found = files.get(file);
      if (typeof found === "object") return found;
      if (found !== undefined) return "file";
      return folders.has(file) ? "folder" : undefined;
    },
    head: (file) => {
      const found = files.get(file);
      return typeof found === "string" ? found : undefined;
    },
  };
}

/** Returns what a function throws, or `undefined`. */
export function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

import { section, type Section } from "../agent/prompt/section.ts";
import type { MountPreview } from "./copy.ts";

/** How many files of a mount are named. */
const MOST_FILES = 10;

/** The section that tells a model what its folder holds. */
export function workspaceSection(intro: string, mounts: readonly MountPreview[] | undefined): Section {
  const blocks = mounts?.length === 0 ? ["- (no host mounts configured)"] : (mounts ?? []).map(mountBlock);
  const body = [intro, ...blocks].join("\n\n");
  return section({ key: "workspace", title: "Workspace", body });
}

function mountBlock({ to, kind, files, bytes, maxBytes }: MountPreview): string {
  const more = files.length - MOST_FILES;
  return [
    `**${printable(to === "" ? "." : to)}** (${kind}):`,
    ...files.slice(0, MOST_FILES).map((file) => `  - ${printable(file)}`),
    ...(more > 0 ? [`  - ... and ${more} more`] : []),
    `  - Total: ${bytes} bytes`,
    ...(maxBytes === undefined ? [] : [`  - Budget: ${maxBytes} bytes`]),
  ].join("\n");
}

/** A name on one line, whatever it is. */
export function printable(name: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  return name.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, (char) =>
    // JSON leaves the later ones as they are.
    char < " " ? JSON.stringify(char).slice(1, -1) : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

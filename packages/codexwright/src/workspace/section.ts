import { section, type Section } from "../agent/prompt/section.ts";
import type { MountPreview } from "./copy.ts";

/** Maximum number of files to list per mount. */
const MOST_FILES = 10;

/** The section that describes the folder to the model. */
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

/** Escapes control characters, so that a name stays on one line. */
export function printable(name: string): string {
  // oxlint-disable-next-line no-control-regex -- it must find control characters
  return name.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, (char) =>
    // `JSON.stringify` does not escape the characters above U+001F.
    char < " " ? JSON.stringify(char).slice(1, -1) : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

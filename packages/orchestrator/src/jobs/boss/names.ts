import { createHash } from "node:crypto";

/** The queue of runs that any host can take (`null`), or that wait for one host. */
export function runQueue(scope: string, host: string | null): string {
  return host === null ? `run/${part(scope)}` : `run/${part(scope)}/${part(host)}`;
}

/** The queue of retries. Orchestrators work on it, never workers. */
export function dueQueue(scope: string): string {
  return `due/${part(scope)}`;
}

/** The queue of workspaces that a host has to remove. */
export function cleanQueue(scope: string, host: string): string {
  return `clean/${part(scope)}/${part(host)}`;
}

/** A text as a part of a queue's name, which has only letters, digits and `_-.`. Two texts never have one part. */
function part(text: string): string {
  if (/^[A-Za-z0-9.-]{1,64}$/.test(text)) return text;
  const hash = createHash("sha256").update(JSON.stringify(text)).digest("hex").slice(0, 32);
  return `_${hash}`;
}

import { AsyncLocalStorage } from "node:async_hooks";
import { stdio, type CodexClientOptions, type TransportFactory } from "codexwright";

/** Intercepts a connection. A tap is a recorder, or a recording that replaces the server. */
export interface Tap {
  wrap(factory: TransportFactory): TransportFactory;
  /** True if a recording replaces the server, so that no login is needed. */
  readonly standsAlone: boolean;
  /** The recorded working folder, if a recording replaces the server. */
  readonly folder?: string | undefined;
  /** Returns why the command failed, if the tap knows. This is reported instead of the command's own error. */
  readonly reason?: () => Promise<unknown>;
}

const taps = new AsyncLocalStorage<Tap>();

/** Runs a command with all its connections going through the tap. */
export function withTap<T>(tap: Tap, run: () => Promise<T>): Promise<T> {
  return taps.run(tap, run);
}

/** Whether the running command talks to a recording. */
export function isReplayed(): boolean {
  return taps.getStore()?.standsAlone === true;
}

/**
 * The folder of the recording that the command talks to; `undefined` if it talks to a server, or the
 * recording has no folder.
 */
export function replayedFolder(): string | undefined {
  return taps.getStore()?.folder;
}

/** The error to report for a failed command. */
export async function reasonOf(error: unknown): Promise<unknown> {
  return (await taps.getStore()?.reason?.()) ?? error;
}

/** Adds the tap to the options of a client. */
export function tapped(options: CodexClientOptions): CodexClientOptions {
  const tap = taps.getStore();
  if (!tap) return options;
  const { codexPath, command, codexHome, env, config, lease, maxLineBytes, transport, ...rest } = options;
  const start = { codexPath, command, codexHome, env, config, lease, maxLineBytes, cwd: options.cwd };
  const factory = transport ?? stdio(start);
  return { ...rest, transport: tap.wrap(factory) };
}

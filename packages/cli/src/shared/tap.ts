import { AsyncLocalStorage } from "node:async_hooks";
import { stdio, type CodexClientOptions, type TransportFactory } from "codexwright";

/** Puts itself in the way of a connection: a recorder, or a recording in place of a server. */
export interface Tap {
  wrap(factory: TransportFactory): TransportFactory;
  /** Nothing behind it is asked, so that no login is needed. */
  readonly standsAlone: boolean;
  /** The folder that was worked in, where it stands alone. */
  readonly folder?: string | undefined;
  /** Why a command failed, if it is the tap that knows; it is reported in place of the command's own error. */
  readonly reason?: () => Promise<unknown>;
}

const taps = new AsyncLocalStorage<Tap>();

/** Runs a command whose connections all go through this. */
export function withTap<T>(tap: Tap, run: () => Promise<T>): Promise<T> {
  return taps.run(tap, run);
}

/** Whether the command that runs now talks to a recording. */
export function isReplayed(): boolean {
  return taps.getStore()?.standsAlone === true;
}

/** The folder of the recording that the command talks to; `undefined` where it talks to none, or none is told. */
export function replayedFolder(): string | undefined {
  return taps.getStore()?.folder;
}

/** The error to report for a command that failed. */
export async function reasonOf(error: unknown): Promise<unknown> {
  return (await taps.getStore()?.reason?.()) ?? error;
}

/** The options of a client, with what was put in its way. */
export function tapped(options: CodexClientOptions): CodexClientOptions {
  const tap = taps.getStore();
  if (!tap) return options;
  const { codexPath, codexHome, env, config, transport, ...rest } = options;
  const factory = transport ?? stdio({ codexPath, codexHome, env, config, cwd: options.cwd });
  return { ...rest, transport: tap.wrap(factory) };
}

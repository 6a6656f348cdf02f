/**
 * Variables by which the loader of programs, the C library and bash load code or write files. A folder in
 * LD_LIBRARY_PATH can be in a writable root, and an empty one is the working folder.
 */
const LOADER = /^(?:LD_.*|BASH_.*|BASHOPTS|SHELLOPTS|ENV|PS4|GCONV_PATH|GLIBC_TUNABLES)$/;

type Changes = Readonly<Record<string, string | null>>;

/** An environment without the variables that only the command itself may get. */
export interface SplitEnvironment {
  /** For the programs that build the sandbox. */
  readonly outside: Changes;
  /** The variables that only the command gets, as `NAME=value`. */
  readonly inside: readonly string[];
}

export function splitEnvironment(env: Changes = {}): SplitEnvironment {
  const held = Object.entries(env).filter(([name]) => LOADER.test(name));
  return {
    outside: { ...env, ...Object.fromEntries(held.map(([name]) => [name, null])) },
    inside: held.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])),
  };
}

/** The environment of this process without these variables. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !LOADER.test(name)));
}

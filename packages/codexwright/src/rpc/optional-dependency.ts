import { MissingDependencyError } from "./errors.ts";
import { resourceExhausted } from "./resource-exhausted.ts";

/**
 * Loads an optional peer; `what` names the feature that needs it.
 *
 * The name is no literal, so that bundlers leave the import alone: whoever does not use the feature needs not
 * have the package.
 */
export async function loadOptional<T>(name: string, what: string): Promise<T> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as T;
  } catch (cause) {
    throw (
      resourceExhausted(`loading the package ${name}`, cause) ?? new MissingDependencyError(name, what, cause)
    );
  }
}

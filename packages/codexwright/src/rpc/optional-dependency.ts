import { MissingDependencyError } from "./errors.ts";
import { resourceExhausted } from "./resource-exhausted.ts";

/**
 * Loads an optional peer dependency. `what` names the feature that needs it.
 *
 * The name is not a literal, so that bundlers do not resolve the import: programs that do not use the feature do not
 * need the package.
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

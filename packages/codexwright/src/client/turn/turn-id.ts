import type { ServerEvent } from "../../protocol/index.ts";

/** The turn that an event is about. */
export function turnIdOf(event: ServerEvent): string | undefined {
  const { turnId, turn } = (event.params ?? {}) as { turnId?: string | null; turn?: { id?: string } };
  return turnId ?? turn?.id;
}

import type { Recording } from "codexwright/recording";

export type Said =
  | { readonly in: object | string; readonly connection?: number }
  | { readonly out: object | string; readonly connection?: number }
  | { readonly closed: "client" | "server"; readonly connection?: number; readonly exitCode?: number };

/** Makes a recording of these messages, all at the same time. */
export function recordingOf(...said: readonly Said[]): Recording {
  const header = {
    format: "codexwright-recording",
    version: 1,
    codexwright: "0.0.0",
    startedAt: "2026-01-01T00:00:00.000Z",
  } as const;
  return [
    header,
    ...said.map((each) => {
      const place = { connection: each.connection ?? 1, ms: 0 };
      if ("closed" in each) {
        const { exitCode } = each;
        const closed = { by: each.closed, message: "the end", ...(exitCode !== undefined && { exitCode }) };
        return { ...place, closed };
      }
      const [direction, body] = "in" in each ? (["in", each.in] as const) : (["out", each.out] as const);
      if (typeof body === "string") return { ...place, direction, text: body };
      return { ...place, direction, message: body as Record<string, unknown> };
    }),
  ];
}

import type * as Sdk from "@modelcontextprotocol/client";
import { McpError } from "./mcp-error.ts";

/** Loads the client of the protocol, with the first server. */
export async function loadSdk(): Promise<typeof Sdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    const problem = "MCP servers need the package @modelcontextprotocol/client, which could not be loaded";
    throw new McpError("package", problem, { cause });
  }
}

/** Accepts any result. The engine checks what it uses, and the rest reaches clients as the server sent it. */
export const ANY_RESULT: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Readonly<Record<string, unknown>> };
  };
} = {
  "~standard": {
    version: 1,
    vendor: "codexwright",
    validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }),
  },
};

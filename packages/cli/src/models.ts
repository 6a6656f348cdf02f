import { connect, type ConnectOptions } from "./shared/connect.ts";
import type { Invocation } from "./shared/invoke.ts";
import { table } from "./shared/table.ts";

export interface ModelsOptions extends ConnectOptions {
  readonly all?: boolean;
}

export async function models({ options, output, cwd }: Invocation<ModelsOptions>): Promise<void> {
  await using connection = await connect(options, cwd);
  const rows: string[][] = [];
  for await (const model of connection.codex.models({ includeHidden: options.all ?? false })) {
    output.json({ type: "model", model });
    const efforts = model.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort).join(" ");
    rows.push([model.isDefault ? "*" : " ", model.model, model.displayName, efforts, model.description]);
  }
  output.styled(table(["", "MODEL", "NAME", "EFFORTS", "DESCRIPTION"], rows, output));
}

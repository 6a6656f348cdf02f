// The checks of options, to be imported as a namespace: `import * as is from "codexwright/internal/options"`.
export * from "../rpc/options/check.ts";

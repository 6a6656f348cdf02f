// Checks for options. Import them as a namespace called `is`.
export * from "../rpc/options/check.ts";

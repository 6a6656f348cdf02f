// The checks of options. Import them as a namespace that is called `is`.
export * from "../rpc/options/check.ts";

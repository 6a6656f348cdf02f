// The part of `codexwright/internal` that finds secrets. It is large, so load it when it is needed.
export { SecretStore } from "../redact/secret-store.ts";

export type { Json } from "../domain/json.ts";

export { Cleaner } from "./cleaner.ts";

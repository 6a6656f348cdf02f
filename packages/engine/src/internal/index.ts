// What the other packages of this project share with the engine. They are released together, with the same exact
// version; nothing here is promised to anyone else, and a release may change any of it.
export { CURRENT_DIALECT } from "../core/current-dialect.ts";
export { pathOf } from "../core/records/record-path.ts";
export { joined } from "../core/shell-words.ts";

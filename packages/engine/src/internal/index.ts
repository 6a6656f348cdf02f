// Names for the other packages of this project. All packages are released together, with exactly the same version.
// These names are not public: any release may change them.
export { CURRENT_DIALECT } from "../core/current-dialect.ts";
export { pathOf } from "../core/records/record-path.ts";
export { joined } from "../core/shell-words.ts";

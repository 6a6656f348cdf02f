export { searchFiles, type SearchOptions } from "./search.ts";
export { openSearch, SearchSession, type SearchResults, type SearchSessionOptions } from "./session.ts";

import { COMPACTION } from "./cases/compaction.ts";

/** The cases with a compaction. */
export const COMPACTIONS = ["compact.turn", ...COMPACTION.map(({ id }) => id)];
/** The cases in which a compaction succeeds. */
export const COMPACTED = COMPACTIONS.filter((id) => !/\.(refused|interrupt)$/.test(id));

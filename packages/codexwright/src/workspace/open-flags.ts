import { constants } from "node:fs";

/** Opens for reading. A link that took the place of a file meanwhile is not followed, and a pipe is not waited for. */
export const READ: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

import { constants } from "node:fs";

/**
 * Opens for reading. If the file was replaced in the meantime, does not follow a link and does not block on a pipe.
 */
export const READ: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

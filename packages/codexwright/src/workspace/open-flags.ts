import { constants } from "node:fs";

/**
 * Flags to open a file for reading. If the file was replaced in the meantime, they do not follow a link and do not
 * block on a pipe.
 */
export const READ: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Version of this package, which clients report to servers. */
export const VERSION = "0.1.0";

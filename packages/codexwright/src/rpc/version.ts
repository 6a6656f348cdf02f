/** Version of this package, as told to servers. */
export const VERSION = "0.1.0";

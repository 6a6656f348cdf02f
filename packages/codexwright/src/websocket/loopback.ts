/**
 * Whether the host of a URL is this machine. Names that end in `.localhost` do not count: outside browsers, a name
 * server resolves them and may return any address.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || host === "::1") return true;
  // Matches 127.0.0.0/8, also if the address is embedded in an IPv6 address, in both notations.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(host);
}

/**
 * Whether a host of a URL is this machine itself. Names below `localhost` may not be: outside of browsers they are
 * asked of a name server, which can answer what it likes.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || host === "::1") return true;
  // 127.0.0.0/8, also as an IPv4 address inside an IPv6 one, in both of the ways that is written.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(host);
}

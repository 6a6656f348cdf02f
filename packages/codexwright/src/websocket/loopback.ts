/** Whether a host of a URL is this machine itself, whatever the resolver says. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
  // 127.0.0.0/8, also as an IPv4 address inside an IPv6 one, in both of the ways that is written.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(host) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(host);
}

import { perl, withRoot, type Attempt } from "./attempt.ts";

const FAMILIES: Readonly<Record<string, readonly [family: number, type: number]>> = {
  UNIX: [1, 1],
  INET: [2, 1],
  "INET (UDP)": [2, 2],
  "INET (raw)": [2, 3],
  INET6: [10, 1],
  AX25: [3, 5],
  IPX: [4, 2],
  APPLETALK: [5, 2],
  NETLINK: [16, 3],
  PACKET: [17, 3],
  RDS: [21, 5],
  PPPOX: [24, 1],
  CAN: [29, 3],
  TIPC: [30, 1],
  BLUETOOTH: [31, 3],
  ALG: [38, 5],
  VSOCK: [40, 1],
  KCM: [41, 2],
  QIPCRTR: [42, 2],
  SMC: [43, 1],
  XDP: [44, 3],
};

const NO_SUCH_FAMILY = [
  "EAFNOSUPPORT",
  "EPROTONOSUPPORT",
  "ESOCKTNOSUPPORT",
  "EPERM",
  "EACCES",
  "EINVAL",
  "ENODEV",
] as const;

export const NETWORK: readonly Attempt[] = [
  ...Object.entries(FAMILIES).map(([name, [family, type]]) =>
    perl(
      `opens a socket of the family ${name}`,
      `syscall(%socket%, ${family}, ${type}, ${family === 2 && type === 3 ? 1 : 0})`,
      {
        impossible: ["UNIX", "INET", "INET (UDP)", "INET6", "NETLINK"].includes(name)
          ? {}
          : withRoot(NO_SUCH_FAMILY),
      },
    ),
  ),
  perl(
    "connects to a server on loopback",
    "use Socket; socket(S, PF_INET, SOCK_STREAM, 0) && connect(S, sockaddr_in($ENV{PORT}, INADDR_LOOPBACK)) ? 0 : -1",
  ),
  perl(
    "listens on loopback",
    "use Socket; socket(S, PF_INET, SOCK_STREAM, 0) && bind(S, sockaddr_in(0, INADDR_LOOPBACK)) && listen(S, 1) ? 0 : -1",
  ),
  perl(
    "connects to a unix socket",
    "use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un($ENV{SOCKET})) ? 0 : -1",
  ),
  perl(
    "connects to an abstract socket",
    'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack("Sa*", 1, "\\0$ENV{TOKEN}")) || connect(S, pack("Sa108", 1, "\\0$ENV{TOKEN}")) ? 0 : -1',
  ),
  perl(
    "listens on a unix socket",
    'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) && bind(S, sockaddr_un("$ENV{ROOT}/socket")) && listen(S, 1) ? 0 : -1',
  ),
  perl(
    "makes a pair of datagram sockets, which can send to any receiver",
    'my $p = pack("ii", 0, 0); syscall(%socketpair%, 1, 2, 0, $p)',
  ),
];

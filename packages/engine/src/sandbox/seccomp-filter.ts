import { ALWAYS_DENIED, NETWORK_CALLS, NUMBERS, type Arch } from "./syscalls.ts";

/** How the filter answers a call. */
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const errno = (code: number): number => 0x0005_0000 | code;
const EPERM = errno(1);
const ENOSYS = errno(38);

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const AUDIT_ARCHES: Readonly<Record<Arch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Instructions of classic BPF. */
const LOAD = 0x20;
const EQUAL = 0x15;
const GREATER = 0x25;
const ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. Both supported machines are little-endian. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number): number => 16 + 8 * index;

/** The x32 calls of x64 have this bit. On arm64, no call has it. */
const X32_BIT = 0x4000_0000;
/** The newest call that the tables below were checked against (`file_setattr`). Newer calls do not exist. */
const NEWEST_CALL = 469;

/** CLONE_NEW* flags of `clone`: mnt, cgroup, uts, ipc, user, pid and net. */
const NEW_NAMESPACES = 0x7e02_0000;
const F_SETLEASE = 1024;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const SOCK_TYPE = 0xf;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** Returns the filter for `bwrap --seccomp`: an array of `struct sock_filter`. */
export function seccompFilter(arch: Arch, network: boolean): Uint8Array {
  const numbers = NUMBERS[arch];
  const number = (name: string): number => {
    const found = numbers[name];
    if (found === undefined) throw new TypeError(`${name} has no number on ${arch}`);
    return found;
  };
  const known = (names: readonly string[]): number[] =>
    names.filter((name) => numbers[name] !== undefined).map(number);
  return encoded([
    [LOAD, 0, 0, ARCH],
    [EQUAL, 1, 0, AUDIT_ARCHES[arch]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    [ANY_BIT, 0, 1, X32_BIT],
    [RETURN, 0, 0, KILL_PROCESS],
    [GREATER, 0, 1, NEWEST_CALL],
    [RETURN, 0, 0, ENOSYS],
    ...known(ALWAYS_DENIED).flatMap((call) => answered(call, EPERM)),
    // Its flags are in memory, which a filter cannot read. Without it, libraries use `clone`.
    ...answered(number("clone3"), ENOSYS),
    ...guarded(number("clone"), [
      [LOAD, 0, 0, argument(0)],
      [ANY_BIT, 0, 1, NEW_NAMESPACES],
      [RETURN, 0, 0, EPERM],
    ]),
    // With a lease on a file that it can only read, a command could keep every other program from opening the file.
    ...guarded(number("fcntl"), [
      [LOAD, 0, 0, argument(1)],
      [EQUAL, 0, 1, F_SETLEASE],
      [RETURN, 0, 0, EPERM],
    ]),
    ...guarded(number("ioctl"), [
      [LOAD, 0, 0, argument(1)],
      [EQUAL, 1, 0, TIOCSTI],
      [EQUAL, 0, 1, TIOCLINUX],
      [RETURN, 0, 0, EPERM],
    ]),
    ...(network
      ? [
          ...families(number("socket"), [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK]),
          ...families(number("socketpair"), [AF_UNIX]),
        ]
      : [...known(NETWORK_CALLS).flatMap((call) => answered(call, EPERM)), ...pairs(number("socketpair"))]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

function answered(call: number, answer: number): Instruction[] {
  return [
    [EQUAL, 0, 1, call],
    [RETURN, 0, 0, answer],
  ];
}

/** Runs the instructions for one call. If they do not return, the call is allowed. */
function guarded(call: number, body: readonly Instruction[]): Instruction[] {
  return [[EQUAL, 0, body.length + 1, call], ...body, [RETURN, 0, 0, ALLOW]];
}

function families(call: number, allowed: readonly number[]): Instruction[] {
  const tests = allowed.map((family, index): Instruction => [EQUAL, allowed.length - index, 0, family]);
  return guarded(call, [[LOAD, 0, 0, argument(0)], ...tests, [RETURN, 0, 0, EPERM]]);
}

/**
 * Without network, a program can only make connected pairs. Pairs of datagram sockets are refused, because each
 * message of such a socket can name another receiver on the host.
 */
function pairs(call: number): Instruction[] {
  return guarded(call, [
    [LOAD, 0, 0, argument(0)],
    [EQUAL, 1, 0, AF_UNIX],
    [RETURN, 0, 0, EPERM],
    [LOAD, 0, 0, argument(1)],
    [AND, 0, 0, SOCK_TYPE],
    [EQUAL, 2, 0, SOCK_STREAM],
    [EQUAL, 1, 0, SOCK_SEQPACKET],
    [RETURN, 0, 0, EPERM],
  ]);
}

function encoded(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value, true);
  }
  return bytes;
}

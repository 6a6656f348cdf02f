import { expect } from "vitest";
import { NUMBERS, seccompFilter } from "@codexwright/engine/internal";
import { verifies } from "@codexwright/test-support/verifies";

const ARCHES = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
type Arch = keyof typeof ARCHES;

const EPERM = 0x5_0001;
const ENOSYS = 0x5_0026;
const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;

/** Runs a filter as the kernel does, and returns its answer. */
function answer(filter: Uint8Array, arch: number, call: number, args: readonly number[] = []): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call, true);
  data.setUint32(4, arch, true);
  for (const [index, value] of args.entries())
    data.setBigUint64(16 + 8 * index, BigInt.asUintN(64, BigInt(value)), true);
  const code = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  let a = 0;
  for (let at = 0; at * 8 < filter.length; at++) {
    const [operation, yes, no, k] = [
      code.getUint16(at * 8, true),
      code.getUint8(at * 8 + 2),
      code.getUint8(at * 8 + 3),
      code.getUint32(at * 8 + 4, true),
    ];
    const jump = (isTrue: boolean): void => void (at += isTrue ? yes : no);
    if (operation === 0x20) a = data.getUint32(k, true);
    else if (operation === 0x15) jump(a === k);
    else if (operation === 0x25) jump(a > k);
    else if (operation === 0x45) jump((a & k) !== 0);
    else if (operation === 0x54) a = (a & k) >>> 0;
    else if (operation === 0x06) return k;
    else throw new Error(`unknown instruction ${operation.toString(16)}`);
  }
  throw new Error("the filter does not return");
}

function number(arch: Arch, name: string): number {
  const found = NUMBERS[arch][name];
  if (found === undefined) throw new Error(`${name} has no number on ${arch}`);
  return found;
}

verifies(
  ["engine.sandbox.filter", "security.s75"],
  "answers every call as its table says, on both machines",
  () => {
    for (const arch of ["x64", "arm64"] as const) {
      for (const network of [false, true]) {
        const filter = seccompFilter(arch, network);
        expect(filter.length / 8).toBeLessThan(4096);
        const ask = (call: number, ...args: readonly number[]): number =>
          answer(filter, ARCHES[arch], call, args);
        const special = ["clone", "clone3", "fcntl", "ioctl", "socket", "socketpair"];
        const calls = ["socket", "connect", "bind", "listen", "accept", "accept4"];
        const named = new Map(Object.entries(NUMBERS[arch]).map(([name, call]) => [call, name]));
        for (let call = 0; call <= 469; call++) {
          const name = named.get(call);
          if (name !== undefined && special.includes(name)) continue;
          const isDenied = name !== undefined && !(network && calls.includes(name));
          expect({ call, name, is: ask(call) }).toEqual({ call, name, is: isDenied ? EPERM : ALLOW });
        }
        for (const call of [470, 512, 547, 0x3fff_ffff]) expect(ask(call)).toBe(ENOSYS);
        // x32 and everything above it.
        for (const call of [0x4000_0000, 0x4000_0065, 0x4000_0200, 0xffff_ffff]) expect(ask(call)).toBe(KILL);
        for (const other of [0, 0x4000_0003, 0x4000_0028, ARCHES[arch === "x64" ? "arm64" : "x64"]]) {
          for (const call of [0, 1, 101, 425]) expect(answer(filter, other, call)).toBe(KILL);
        }
      }
    }
  },
);

verifies(
  ["engine.sandbox.filter", "security.s75"],
  "refuses new namespaces, leases and typing into terminals by the arguments",
  () => {
    for (const arch of ["x64", "arm64"] as const) {
      const filter = seccompFilter(arch, true);
      const ask = (name: string, ...args: readonly number[]): number =>
        answer(filter, ARCHES[arch], number(arch, name), args);
      expect(ask("clone", 0x01200011)).toBe(ALLOW);
      // A thread.
      expect(ask("clone", 0x003d_0f00)).toBe(ALLOW);
      for (const flag of [
        0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
      ]) {
        expect(ask("clone", flag + 17)).toBe(EPERM);
      }
      expect(ask("clone3")).toBe(ENOSYS);
      expect(ask("ioctl", 0, 0x5413)).toBe(ALLOW);
      expect(ask("ioctl", 0, 0x5412)).toBe(EPERM);
      expect(ask("ioctl", 0, 0x541c)).toBe(EPERM);
      for (const command of [0, 1, 2, 3, 4, 6, 7, 1025, 1026, 1030, 1031]) {
        expect(ask("fcntl", 0, command)).toBe(ALLOW);
      }
      expect(ask("fcntl", 0, 1024, 1)).toBe(EPERM);
      expect(ask("fcntl", 0, 0x1_0000_0400)).toBe(EPERM);
      // The kernel uses the lower half of this argument only.
      expect(ask("ioctl", 0, 0x1_0000_5412)).toBe(EPERM);
    }
  },
);

verifies(
  ["engine.sandbox.filter", "security.s74"],
  "allows no socket but connected pairs without network",
  () => {
    for (const arch of ["x64", "arm64"] as const) {
      const [offline, online] = [seccompFilter(arch, false), seccompFilter(arch, true)];
      const [socket, pair] = [number(arch, "socket"), number(arch, "socketpair")];
      for (let family = 0; family < 64; family++) {
        for (let type = 0; type < 8; type++) {
          for (const flags of [0, 0x800, 0x8_0000]) {
            expect(answer(offline, ARCHES[arch], socket, [family, type | flags])).toBe(EPERM);
            const isPair = family === 1 && (type === 1 || type === 5);
            expect(answer(offline, ARCHES[arch], pair, [family, type | flags])).toBe(isPair ? ALLOW : EPERM);
            const isOpen = [1, 2, 10, 16].includes(family);
            expect(answer(online, ARCHES[arch], socket, [family, type | flags])).toBe(isOpen ? ALLOW : EPERM);
          }
        }
      }
    }
  },
);

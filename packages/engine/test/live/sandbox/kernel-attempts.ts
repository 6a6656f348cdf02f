import { execFileSync } from "node:child_process";
import {
  EVERYWHERE,
  NOT_PERMITTED,
  OPTIONAL,
  opens,
  perl,
  removed,
  ROOT_ONLY,
  tokenOf,
  withRoot,
  writes,
  type Attempt,
} from "./attempt.ts";

const CLONE_NEWUSER = 0x1000_0000;

export const KERNEL: readonly Attempt[] = [
  writes(
    "writes a kernel setting",
    'f=/proc/sys/kernel/domainname; v=$(cat $f) && printf %s "$v" >$f && echo escaped',
    {
      impossible: { nobody: ["Permission denied"], self: ["Permission denied"] },
    },
  ),
  writes(
    "writes core_pattern",
    'f=/proc/sys/kernel/core_pattern; v=$(cat $f) && printf %s "$v" >$f && echo escaped',
    {
      impossible: { nobody: ["Permission denied"], self: ["Permission denied"] },
    },
  ),
  perl("opens /proc/sysrq-trigger", opens("/proc/sysrq-trigger"), {
    impossible: withRoot(["ENOENT", "EROFS"]),
  }),
  perl("opens a file of /sys", opens("/sys/kernel/mm/transparent_hugepage/enabled"), {
    impossible: withRoot(["ENOENT", "EROFS"]),
  }),
  writes(
    "makes a cgroup",
    `for d in /sys/fs/cgroup /sys/fs/cgroup/pids; do
      mkdir $d/codexwright-$$ && rmdir $d/codexwright-$$ && { echo escaped; break; }
    done`,
    {
      impossible: {
        root: ["Read-only file system", "Permission denied", "No such file or directory"],
        nobody: ["Permission denied", "Read-only file system", "No such file or directory"],
        self: ["Permission denied", "Read-only file system", "No such file or directory"],
      },
    },
  ),
  writes("writes to /dev/shm of the host", "echo x >/dev/shm/$TOKEN", {
    left: ({ base }) => removed(`/dev/shm/${tokenOf(base)}`),
  }),
  perl(
    "takes a lease on a file outside, so that no other program can open it",
    `open(F, "<", "$ENV{OUT}/victim") or die; syscall(%fcntl%, fileno(F), 1024, 1)`,
  ),
  perl("makes a device", `syscall(%mknodat%, -100, "$ENV{ROOT}/device", 0020666, 0x103)`, {
    impossible: { ...ROOT_ONLY, root: NOT_PERMITTED },
  }),
  perl("reads a device outside of /dev", `open(F, "<", "$ENV{ROOT}/zero") ? 0 : -1`, {
    prepare: ({ root }) => device(`${root}/zero`),
    users: ["root", "nobody"],
  }),
  perl("opens a service's FIFO in /run", `sysopen(F, "/run/$ENV{TOKEN}", 2) ? 0 : -1`, {
    prepare: ({ base }) => fifo(`/run/${tokenOf(base)}`),
    left: ({ base }) => removed(`/run/${tokenOf(base)}`) && false,
    users: ["root", "nobody"],
  }),
];

export const PROCESSES: readonly Attempt[] = [
  writes("kills a process of the host", "kill -KILL $VICTIM"),
  perl("traces itself", "syscall(%ptrace%, 0, 0, 0, 0)", { impossible: EVERYWHERE }),
  perl("traces a process of the host", "syscall(%ptrace%, 0x4206, $ENV{VICTIM}+0, 0, 0)", {
    impossible: EVERYWHERE,
  }),
  perl(
    "reads the memory of a process",
    'my $b = "x" x 8; my $i = pack("QQ", unpack("Q", pack("P", $b)), 8); syscall(%process_vm_readv%, $$+0, $i, 1, $i, 1, 0)',
    { impossible: EVERYWHERE },
  ),
  perl(
    "writes the memory of a process",
    'my $b = "x" x 8; my $i = pack("QQ", unpack("Q", pack("P", $b)), 8); syscall(%process_vm_writev%, $$+0, $i, 1, $i, 1, 0)',
    { impossible: EVERYWHERE },
  ),
  perl("opens an io_uring", 'my $p = "\\0" x 120; syscall(%io_uring_setup%, 4, $p)', {
    impossible: EVERYWHERE,
  }),
  perl("adds a key", 'syscall(%add_key%, my $t="user", my $d="d", my $v="v", 1, -3)', {
    impossible: withRoot(OPTIONAL),
  }),
  perl("reads a keyring", "syscall(%keyctl%, 0, -3, 0)", { impossible: withRoot([...OPTIONAL, "ENOKEY"]) }),
  perl("makes a BPF map", 'my $a = pack("LLLLL", 1, 4, 4, 1, 0) . "\\0" x 100; syscall(%bpf%, 0, $a, 72)', {
    impossible: EVERYWHERE,
  }),
  perl(
    "opens a performance counter",
    'my $a = pack("LL", 1, 112) . "\\0" x 104; syscall(%perf_event_open%, $a, 0, -1, -1, 0)',
    {
      impossible: withRoot([...OPTIONAL, "ENOENT", "EINVAL", "EOPNOTSUPP"]),
    },
  ),
  perl("handles page faults", "syscall(%userfaultfd%, 1)", { impossible: EVERYWHERE }),
  perl(
    "types into a terminal",
    `use Fcntl; sysopen(M, "/dev/ptmx", O_RDWR|O_NOCTTY) or exit 1;
    my $z = pack("i", 0); ioctl(M, 0x40045431, $z); my $n = pack("I", 0); ioctl(M, 0x80045430, $n);
    fork and do { wait; exit }; syscall(%setsid%); sysopen(S, "/dev/pts/" . unpack("I", $n), O_RDWR) or exit 1;
    ioctl(S, 0x540E, 0); ioctl(S, 0x5412, my $c = "x") ? 0 : -1`,
    { impossible: withRoot(["EIO", ...NOT_PERMITTED]) },
  ),
];

export const NAMESPACES: readonly Attempt[] = [
  perl("makes a user namespace", `syscall(%unshare%, ${CLONE_NEWUSER})`, { impossible: EVERYWHERE }),
  perl(
    "clones into a user namespace",
    `my $r = syscall(%clone%, ${CLONE_NEWUSER | 17}, 0, 0, 0, 0); exit if $r == 0; $r`,
    { impossible: EVERYWHERE },
  ),
  perl(
    "clones by clone3",
    `my $a = pack("Q*", ${CLONE_NEWUSER}, 0, 0, 0, 17, 0, 0, 0); my $r = syscall(%clone3%, $a, 64); exit if $r == 0; $r`,
    { impossible: EVERYWHERE },
  ),
  perl("makes a mount namespace", "syscall(%unshare%, 0x20000)", { impossible: ROOT_ONLY }),
  perl("enters a namespace", 'open(N, "<", "/proc/self/ns/uts") or exit 1; syscall(%setns%, fileno(N), 0)', {
    impossible: ROOT_ONLY,
  }),
  writes(
    "remounts in a new namespace",
    "unshare -Urm sh -c 'mount -o remount,rw,bind / && echo x >$OUT/escaped'",
    {
      impossible: withRoot(["Operation not permitted"]),
    },
  ),
  perl(
    "mounts a file system",
    unshared('syscall(%mount%, my $s="t", my $d=$ENV{ROOT}, my $t="tmpfs", 0, 0)'),
    { impossible: ROOT_ONLY },
  ),
  perl("unmounts", 'syscall(%umount2%, my $d="/nothing", 0) == -1 && $!{ENOENT} ? 0 : -1', {
    impossible: ROOT_ONLY,
  }),
  perl("changes its root", "syscall(%chroot%, my $d=$ENV{ROOT})", { impossible: ROOT_ONLY }),
  perl("opens a tree", 'syscall(%open_tree%, -100, my $d="/", 0)', { impossible: withRoot(["ENOSYS"]) }),
  perl("opens a file system", 'syscall(%fsopen%, my $t="tmpfs", 0)', {
    impossible: withRoot(["ENOSYS", ...NOT_PERMITTED]),
  }),
  perl(
    "names a file by a handle",
    'my $h = pack("Ii", 128, 0) . "\\0" x 128; my $m = pack("i", 0); syscall(%name_to_handle_at%, -100, my $f=$ENV{OUT}, $h, $m, 0)',
    {
      impossible: withRoot(["EOPNOTSUPP", ...NOT_PERMITTED]),
    },
  ),
];

/** Root first needs its own mount namespace, so that the attempt without the sandbox does not change this machine. */
function unshared(code: string): string {
  return `my $u = syscall(%unshare%, 0x20000); my $e = syscall(%mount%, my $n="none", my $r="/", 0, 0x44000, 0); ${code}`;
}

function device(file: string): void {
  execFileSync("mknod", ["-m", "666", file, "c", "1", "5"]);
}

function fifo(file: string): void {
  execFileSync("mkfifo", ["-m", "666", file]);
}

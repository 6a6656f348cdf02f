import type { Requirement } from "./requirement.ts";

export const COMMANDS = [
  {
    id: "exec.buffered",
    statement: "A command runs to its end and tells exit code, stdout and stderr, byte by byte as UTF-8.",
  },
  {
    id: "exec.streaming",
    statement:
      "The streams of a running command give every byte, in order, to each reader; a slow reader holds up nobody.",
  },
  {
    id: "exec.pty",
    statement: "A command can have a terminal, of a size that can be changed.",
  },
  {
    id: "exec.stdin",
    statement: "A command can be fed while it runs; writing to one that has ended rejects and never hangs.",
  },
  {
    id: "exec.kill",
    statement:
      "A command is killed by kill(), a signal or disposal, at any time; its handle settles whatever happens.",
  },
  {
    id: "exec.timeout",
    statement: "A command has no time limit but the one it is given, and tells that it ended by it.",
  },
  {
    id: "exec.caps",
    statement: "What is kept of output has a limit; whether something was left out is told exactly.",
  },
  {
    id: "exec.unsupported",
    statement:
      "On servers that cannot stream, commands run to their end, and what they cannot do is `unsupported`.",
  },
  {
    id: "fs.methods",
    statement: "Files and folders of the server's machine are read, written, listed, copied and removed.",
  },
  {
    id: "fs.paths",
    statement: "A path that is not absolute is refused before anything is sent.",
  },
  {
    id: "fs.watch",
    statement: "A watch tells what changes until it is closed or the connection ends, and loses nothing.",
  },
  {
    id: "client.supports",
    statement: "supports() tells which methods the connected server has, from its own list.",
  },
] as const satisfies readonly Requirement[];

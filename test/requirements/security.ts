import type { Requirement } from "./requirement.ts";

/** The claims of SECURITY.md, in its words, and what is checked of what we install and publish. */
export const SECURITY = [
  {
    id: "security.s1",
    statement:
      "Nothing that a server sends ends the client's process. A message of any shape is used, refused or skipped, and the connection goes on unless S2 or S48 applies. Every call settles with a value or a `CodexError`, whatever the server answers.",
  },
  {
    id: "security.s2",
    statement:
      "A line that never ends is cut off at 256 MiB and costs the connection, not the process; so does a websocket message that long, or in more than 16,384 fragments, a message of more than 4,194,304 values, and 16,384 pings in a row whose answers the server does not read.",
  },
  {
    id: "security.s3",
    statement: "A message nested 100,000 deep is handled like any other, or reported as a warning.",
  },
  {
    id: "security.s4",
    statement:
      "Members called `__proto__`, `constructor` or `prototype` are data: they change no object but the message's own.",
  },
  {
    id: "security.s5",
    statement:
      "An answer counts once, for the request with exactly its id. Other answers are ignored, also those to requests that were never sent.",
  },
  {
    id: "security.s6",
    statement:
      "A server request that is sent twice is handled and answered once. This holds while it is open and after its answer, until the server reports it as resolved, or 64 others or 4 MiB of others have been answered.",
  },
  {
    id: "security.s7",
    statement:
      "Events that a consumer has not read yet cost as much memory as their text: consecutive deltas are joined.",
  },
  {
    id: "security.s8",
    statement:
      "The client works on at most 16,384 server requests at once, and on at most 64 MiB of their text, not counting the last one. It refuses further ones immediately, and serves later ones again.",
  },
  {
    id: "security.s9",
    statement:
      "The client runs, opens and fetches nothing that a server names: its layers have no file system, no processes, no fetch and no evaluation of code.",
  },
  {
    id: "security.s10",
    statement:
      "A key or token that a server quotes when it refuses a login, a configuration write or a websocket is not in the error that the caller gets: not as it is, not in JSON, base64, hex or percent-encoding, and not in parts of 12 or more characters.",
  },
  {
    id: "security.s11",
    statement:
      "A websocket's token goes to this machine or over TLS only, in a header: never into a URL, never after a redirect.",
  },
  {
    id: "security.s12",
    statement:
      "A tool that was not offered is not run. Names are looked up exactly; names that every object has, such as `toString`, are not special.",
  },
  {
    id: "security.s13",
    statement:
      "Arguments that do not match a tool's schema never reach its function; the model is told what is wrong with them. A check by `jsonSchema()` works out each pair of a value and a schema once, and refuses what is nested deeper than 256 levels.",
  },
  {
    id: "security.s14",
    statement:
      "If a tool throws, hangs or returns something that cannot be sent, the call is answered with a failure; other calls and the turn go on.",
  },
  {
    id: "security.s15",
    statement:
      "Images and sounds of a tool's result are `data:` URLs of their kind: a path, `file:` or `http:` is refused before it is sent.",
  },
  {
    id: "security.s16",
    statement:
      "An answer that does not match its output schema is `output_invalid` and never the typed output, however it is nested or named, also 100,000 levels deep; the check of S13 is used.",
  },
  {
    id: "security.s17",
    statement:
      "Every pattern that meets foreign text takes time in proportion to it. Looking for learned secrets takes at most two steps for each character of a text in each of a few automata, whatever the secrets have in common; a learned character takes at most 64 bytes.",
  },
  {
    id: "security.s18",
    statement:
      "No control character, bidirectional mark or invisible character reaches the terminal from a text that the command shows, also not as an entity in Markdown. Unicode's properties decide, and texts of servers, files and the command line count alike: such characters are shown by their numbers, and escaped in JSON. Exceptions are our own colours, and joiners and selectors inside an emoji or a word of a script that needs them.",
  },
  {
    id: "security.s19",
    statement:
      "Without a handler, and with one that throws or returns nonsense, approvals are declined and nothing is granted. The one exception: without a handler, an approval is accepted if this client asked for policy `never` on that thread, by option or by its default, and the last policy that the server reported for it, if any, is `never`. The default does not replace what the caller chose for a thread, `null` included.",
  },
  {
    id: "security.s20",
    statement:
      "A thread is started with the sandbox `workspace-write` unless you say otherwise; full access has to be said.",
  },
  {
    id: "security.s21",
    statement:
      "A repository does not choose the program that is started for it: Codex and git are looked for in the absolute folders of PATH, Codex also beside the library and the program and where you say; relative and empty entries of PATH are skipped, for git and the programs it looks up, too.",
  },
  {
    id: "security.s22",
    statement:
      "No shell reads a name that you or a repository chose: spaces, quotes and `$(…)` in it are characters like others.",
  },
  {
    id: "security.s23",
    statement:
      "A workspace copies nothing from outside its allowed roots, whatever links, `..` and absolute paths say, and writes nothing outside its folder except the entry of a worktree in its repository (`worktrees` in the git folder). A workspace whose folder became a symbolic link is not read, compared or reverted.",
  },
  {
    id: "security.s24",
    statement:
      "Files of tools stay in their folder: a path that leads out of it or over a symbolic link is refused, on Linux even if a command swaps a folder for a link while the path is walked.",
  },
  {
    id: "security.s25",
    statement:
      "No git process that the library starts reads the configuration of a repository or of a workspace, so nothing that it names runs when a worktree is made or removed, when a checkpoint is taken, compared or reverted, or when changes are looked for (`hasChanges`, `codexwright review`): no filter, hook, monitor, driver, include or fetch. Filters of your own configuration do not run either.",
  },
  {
    id: "security.s26",
    statement: "The name of a file or a folder is one line of the prompt, whatever characters it has.",
  },
  {
    id: "security.s27",
    statement:
      "A recording from somebody else is data: reading and replaying it ends in a result or a typed error, and in time.",
  },
  {
    id: "security.s28",
    statement:
      "A file of a recording is its owner's alone, and the secrets that the protocol names are not in it: those of logins, headers, environments and answers to secret questions, wherever else they are quoted later.",
  },
  {
    id: "security.s29",
    statement:
      "A recording survives a message of any depth: what is nested more than 256 deep is not looked through, and a mark stands in its place. Lines wait for the end of a secret that may have begun before them: at most 2,048 of them, and 8 Mi characters in all.",
  },
  {
    id: "security.s30",
    statement:
      "Codex gets your environment with your changes, the CODEX_HOME you name, the folder of its own tools on PATH and a random mark (CODEXWRIGHT_GUARD), and nothing else; no key, token or answer stands on its command line.",
  },
  {
    id: "security.s31",
    statement:
      "API keys, tokens and secret answers that this side sends are in no error, no warning and no text of either, also if a server quotes them in an encoding that S10 names.",
  },
  {
    id: "security.s32",
    statement: "Of what Codex writes to stderr, errors hold the last 8 KiB and no more.",
  },
  {
    id: "security.s33",
    statement:
      "A client that does not show the token is not connected: tokens are compared as digests in constant time, and a signed one must be HS256, in time, whole, and in the one spelling that its bytes have.",
  },
  {
    id: "security.s34",
    statement: "A listener that other machines can reach does not start without authentication.",
  },
  {
    id: "security.s35",
    statement:
      "A page is connected only from an allowed origin, also if its name was rebound to this machine. A token in a URL does not count.",
  },
  {
    id: "security.s36",
    statement:
      "A socket has one request: requests that state their length twice, have too long a head, or upgrade with a body are refused, every answer but an upgrade closes the socket, and nothing that follows is read as another request.",
  },
  {
    id: "security.s37",
    statement:
      "A client that sends too long a message (64 MiB unless you say otherwise), or does not read what it asked for, is cut off; others notice nothing.",
  },
  {
    id: "security.s38",
    statement:
      "No params, id or nesting of a client's ends the server or another client's connection; a message of more than 4,194,304 values ends the client's own.",
  },
  {
    id: "security.s39",
    statement:
      "A socket file is its owner's alone from the moment it exists; in a worker thread, from the moment it has the name that you gave.",
  },
  {
    id: "security.s40",
    statement: "Clients do not see what a handler throws, unless it is an error made for clients.",
  },
  {
    id: "security.s41",
    statement:
      "When a server that we started, the process that owns it or both are killed with `kill -9`, at any moment from the first command on, no process is left that has the server's mark (CODEXWRIGHT_GUARD) in its environment or is in its session, also with full access, in a session of its own, or deaf to SIGTERM. The same holds after `disconnect()`, and when the guard was killed and the others after its replacement has started, which is usually within 200 ms and takes longer on an overloaded machine. On Linux, with `/bin/sh` and `grep`.",
  },
  {
    id: "security.s42",
    statement:
      "The guard kills only processes that have the server's mark in their environment and those in the server's session; it checks this right before each kill, so that a pid that is used again is not hit.",
  },
  {
    id: "security.s43",
    statement:
      "Disposing of a workspace removes everything that the system lets it remove, at any depth of folders, and follows no link; if something stays, it rejects with `folder_not_removed`, which lists up to 100 paths.",
  },
  {
    id: "security.s44",
    statement:
      "When the system has no descriptors, processes or memory left, a workspace, a checkpoint, files of tools, a listener, a connection and the program of a fake fail with `resource_exhausted`, which names the limit; a recording ends with `recording_failed`, which names it, too; the process goes on, and the same calls succeed when there is room again.",
  },
  {
    id: "security.s46",
    statement:
      "A worktree reads a repository inside the allowed roots only: a `.git` file or link, `commondir`, alternates, and linked objects, packs, references or settings that lead out are refused before they are read, and an index of packs (`multi-pack-index`) is not used. A repository of another user is refused unless your `safe.directory` setting names it.",
  },
  {
    id: "security.s47",
    statement:
      "The files of a worktree hold the bytes of their commit and stay in its folder: names such as `..` and `.git` are refused, links are made last and not followed, submodules stay empty, and an object that is missing is an error. A commit of more than 1,000,000 files and folders, or with more than 256 MiB of paths, is refused before a file is written.",
  },
  {
    id: "security.s48",
    statement:
      "A peer that asks and does not read the answers is cut off, a server by the client and a client by the endpoint, over pipes to a server, websockets and memory pairs: more than 256 MiB never wait for a server and more than 64 MiB never for a client, not counting the last message, where each message counts as its characters and 1 KiB.",
  },
  {
    id: "security.s49",
    statement:
      "Ids that a server makes up do not fill the memory: of threads that you do nothing on, 256 are followed at once, 1,024 reported policies and 128 rate limits are kept, and a run has 1,024 sub-agents at most; the oldest make room, and your own threads are not among them.",
  },
  {
    id: "security.s50",
    statement:
      "A line that is not finished yet, of a server, of a client on stdio or of a command's output, costs at most four times its size and 64 KiB, also if it comes byte by byte.",
  },
  {
    id: "security.s51",
    statement:
      "A recording forgets no secret that this side sent or was configured with, however many there are; of those that the peer sent it knows at least the newest 2,048 (or 256 Ki characters), and at most twice as many.",
  },
  {
    id: "security.s52",
    statement:
      "Of all kinds of secrets in one table (every rule of gitleaks, private keys, password hashes, headers, command lines, URLs, webhooks and files with passwords), and of 155 that were written down apart from it, a recording keeps at most 5 % in any one place, as they are and in JSON, base64, hex or percent-encoding; the same holds for 337 more as they are and in base64 or hex; ordinary source code and test output stay as they are.",
  },
  {
    id: "security.s53",
    statement:
      "A recording or a transcript nested more than 512 deep is refused with a typed error by everything that reads it: parsing, normalising, comparing, replaying and the command; a client that sends deeper messages to a replay gets a typed mismatch.",
  },
  {
    id: "security.s54",
    statement:
      "Sockets that have not become connections, whatever they send or do not send, cannot use up the descriptors of a listener: there are at most 256 of them, each for at most 5 s, and a new one pushes out the oldest of the address that has the most. A client with the token gets in and stays connected meanwhile, if fewer than 256 others come between its connection and its request.",
  },
  {
    id: "security.s55",
    statement:
      "A websocket message that is refused, because it is too long, not UTF-8, in more than 16,384 fragments, in packets of less than 1 KiB each (beyond 16,384 of them) or against the protocol, ends its connection at once with the reason: the end that refuses it knows the reason without waiting for the other end, the other end gets the code, and a peer that does not hang up is cut off after a second.",
  },
  {
    id: "supply.check",
    statement:
      "The check of the supply chain finds dependencies of the core, versions that are not pinned, a lockfile that does not agree, has no digests, leads elsewhere or runs scripts, and files that are not to be published.",
  },
  {
    id: "supply.engines",
    statement:
      "The check of the supply chain finds a package that one of ours requires, directly or through others, and that does not run on the oldest Node that ours names.",
  },
  {
    id: "supply.one-core",
    statement:
      "The check of the supply chain finds a published package that does not have `codexwright` as a required peer of exactly its own version, or that would install or bundle a copy of it.",
  },
] as const satisfies readonly Requirement[];

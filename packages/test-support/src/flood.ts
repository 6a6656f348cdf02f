import { connect, type NetConnectOpts, type Socket } from "node:net";
import { UPGRADE } from "./raw-http.ts";

const HEAD = "GET / HTTP/1.1\r\nHost: x\r\n";
const request = (...lines: string[]): string => [...lines, "", ""].join("\r\n");

/** The behaviour of a socket without a token. The returned function stops it. */
type Behaviour = (socket: Socket) => (() => void) | void;

const BEHAVIOURS: readonly Behaviour[] = [
  function silent() {},
  function halfAHead(socket) {
    socket.write(HEAD);
  },
  function oneByteAtATime(socket) {
    socket.write(`${HEAD}X: `);
    const timer = setInterval(() => socket.write("x"), 50);
    return () => clearInterval(timer);
  },
  function aBodyWithoutAnEnd(socket) {
    socket.write(request("POST /healthz HTTP/1.1", "Host: x", "Transfer-Encoding: chunked"));
    const timer = setInterval(() => socket.write("1\r\nx\r\n"), 50);
    return () => clearInterval(timer);
  },
  function refusedAndKeptOpen(socket) {
    socket.write(request("GET / HTTP/1.1", "Host: x", ...UPGRADE, "Content-Length: 1"));
  },
  function aProbeThatIsKeptAlive(socket) {
    socket.write(request("GET /healthz HTTP/1.1", "Host: x", "Connection: keep-alive"));
  },
  function aRefusalThatIsNotRead(socket) {
    socket.pause();
    socket.write(request("GET / HTTP/1.1", "Host: x"));
  },
];

export interface Flood extends Disposable {
  /** How many of the `looking` sockets the server has ended. */
  readonly ended: number;
  /** How many sockets check whether the server has ended them. */
  readonly looking: number;
  /** Opens this many more sockets, each with the next behaviour. */
  more(count: number): Promise<void>;
}

/** Sends a health probe, and waits until the server has closed its socket, with or without an answer. */
async function answered(target: NetConnectOpts): Promise<void> {
  const socket = connect(target);
  socket.on("error", () => {});
  socket.resume();
  socket.write(request("GET /healthz HTTP/1.1", "Host: x", "Connection: close"));
  await new Promise((resolve) => socket.once("close", resolve));
}

/** Opens sockets that send no token. Each keeps its side of the connection open for as long as it can. */
export function flood(target: NetConnectOpts): Flood {
  const sockets: Socket[] = [];
  const ends: (() => void)[] = [];
  let ended = 0;
  let looking = 0;
  const open = async (behaviour: Behaviour = () => {}): Promise<void> => {
    const socket = connect({ ...target, allowHalfOpen: true });
    sockets.push(socket);
    let isOver = false;
    const over = (): void => {
      if (!isOver) ended++;
      isOver = true;
    };
    socket.on("error", () => {});
    socket.on("end", over);
    socket.on("close", over);
    socket.resume();
    await new Promise<void>((resolve) => {
      socket.once("connect", resolve);
      socket.once("close", () => resolve());
    });
    const end = behaviour(socket);
    if (end) ends.push(end);
    if (!socket.isPaused()) looking++;
  };
  return {
    get ended() {
      return ended;
    },
    get looking() {
      return looking;
    },
    async more(count) {
      let opening: Promise<void>[] = [];
      for (let opened = 0; opened < count; opened++) {
        opening.push(open(BEHAVIOURS[sockets.length % BEHAVIOURS.length]));
        if (opening.length < 32 && opened < count - 1) continue;
        await Promise.all(opening);
        opening = [];
        // The system's backlog is short. An answer shows that all sockets before it were accepted.
        await answered(target);
      }
    },
    [Symbol.dispose]() {
      for (const end of ends) end();
      for (const socket of sockets) socket.destroy();
    },
  };
}

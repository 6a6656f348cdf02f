/**
 * The program behind a fake server's executable. It connects to the socket that its first argument names, and forwards
 * its stdin to the fake and the fake's answers to its stdout. It ends when either side ends.
 */
import { connect } from "node:net";

const [path = ""] = process.argv.slice(2);
const socket = connect(path);
socket.write(`${JSON.stringify({ cwd: process.cwd(), codexHome: process.env["CODEX_HOME"] })}\n`);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
let over = false;
process.stdin.once("end", () => (over = true));
// A server whose client has left exits normally. A server that ends first has crashed.
socket.once("close", () => process.stdout.write("", () => process.exit(over ? 0 : 1)));
socket.once("error", () => process.exit(1));

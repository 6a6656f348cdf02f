/**
 * The program behind a fake server's executable: passes on what its stdin says to the fake, at the socket named by
 * its first argument, and what the fake answers to its stdout. It ends when either does.
 */
import { connect } from "node:net";

const [path = ""] = process.argv.slice(2);
const socket = connect(path);
socket.write(`${JSON.stringify({ cwd: process.cwd(), codexHome: process.env["CODEX_HOME"] })}\n`);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
let over = false;
process.stdin.once("end", () => (over = true));
// A server whose client has gone ends well; one that goes first has crashed.
socket.once("close", () => process.stdout.write("", () => process.exit(over ? 0 : 1)));
socket.once("error", () => process.exit(1));

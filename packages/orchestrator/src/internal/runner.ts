export { RunStop } from "../runner/stop.ts";

/** The names of all commands. `npm start` runs them, and takes any other words as a task. A test checks the list. */
export const COMMAND_NAMES: readonly string[] = [
  "run",
  "review",
  "exec",
  "threads",
  "models",
  "login",
  "logout",
  "whoami",
  "doctor",
  "record",
  "replay",
  "inspect",
  "serve",
  "app-server",
  "completion",
  "help",
];

import { homedir, userInfo } from "node:os";

/** The user's home. An empty HOME means the home of the account: `.codex` of the working folder is not the user's own. */
export function userHome(): string {
  return homedir() || userInfo().homedir;
}

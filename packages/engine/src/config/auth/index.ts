export { readLogin, type Login } from "./auth-file.ts";
export { LoginFile } from "./login-file.ts";

export { readLogin, type Login } from "./auth-file.ts";
export { LoginFile, type LoginFileOptions } from "./login-file.ts";

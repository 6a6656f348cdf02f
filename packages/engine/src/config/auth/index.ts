export { readLogin, type Login } from "./auth-file.ts";

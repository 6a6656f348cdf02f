export { logout, readAccount } from "./account.ts";
export { KeptTokens } from "./kept-tokens.ts";
export { Login } from "./login.ts";
export { BrowserLogin, DeviceCodeLogin, PendingLogin } from "./pending-login.ts";
export { RateLimits } from "./rate-limits.ts";

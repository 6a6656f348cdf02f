export { logout, readAccount } from "./account.ts";
export { KeptTokens } from "./kept-tokens.ts";
export { Login, type BrowserLoginOptions } from "./login.ts";
export { BrowserLogin, DeviceCodeLogin, PendingLogin } from "./pending-login.ts";
export { RateLimits, type RateLimitOptions, type RateLimitState } from "./rate-limits.ts";

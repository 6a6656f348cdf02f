/** Logs in and out with a separate CODEX_HOME, so that your own login is not changed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthFailedError, CodexClient, type CodexError, type RefreshedTokens } from "codexwright";

// #region home
const codexHome = await mkdtemp(join(tmpdir(), "login-")); // Its own folder: your own login is not changed.
const key = process.env["SERVICE_KEY"] ?? "sk-not-a-real-key";
// #endregion home

await logInAndOut();
if (process.env["TOKEN_SERVICE"]) await logInByTokens();
await rm(codexHome, { recursive: true });

async function logInAndOut(): Promise<void> {
  // #region key
  await using codex = await CodexClient.connect({ codexHome });
  console.log((await codex.account()).account?.type ?? "not logged in");

  await codex.login.apiKey(key);
  console.log((await codex.account()).account?.type);

  await codex.logout();
  console.log((await codex.account()).account?.type ?? "logged out");
  // #endregion key

  // #region browser
  const login = await codex.login.chatgpt();
  console.log("open", new URL(login.authUrl).origin);

  const impatient = setTimeout(() => void login.cancel(), 200);
  try {
    await login.completed;
    console.log((await codex.account()).account);
  } catch (error) {
    if (!(error instanceof AuthFailedError)) throw error;
    console.log(error.code, error.cancelled ? "on purpose" : error.message);
  } finally {
    clearTimeout(impatient);
  }
  // #endregion browser

  // #region device
  try {
    await using device = await codex.login.deviceCode({ signal: AbortSignal.timeout(5_000) });
    console.log(`Enter ${device.userCode} at ${device.verificationUrl}`);
    await device.completed;
  } catch (error) {
    console.log("device code:", (error as CodexError).code);
  }
  // #endregion device

  // #region limits
  const stop = codex.rateLimits.subscribe(({ rateLimits }) => console.log(rateLimits.primary?.usedPercent));
  try {
    const { rateLimits } = await codex.rateLimits.read();
    console.log(`${rateLimits.primary?.usedPercent} % used, plan ${rateLimits.planType}`);
  } catch (error) {
    console.log((error as CodexError).message);
  }
  stop();
  // #endregion limits
}

async function logInByTokens(): Promise<void> {
  // #region tokens
  const service = process.env["TOKEN_SERVICE"] ?? "https://tokens.example.com"; // Your token service.

  async function fetchTokens(signal?: AbortSignal): Promise<RefreshedTokens> {
    const response = await fetch(service, { method: "POST", ...(signal && { signal }) });
    return (await response.json()) as RefreshedTokens; // { accessToken, chatgptAccountId }
  }

  await using codex = await CodexClient.connect({
    codexHome,
    refreshTokens: ({ signal }) => fetchTokens(signal),
  });
  await codex.login.tokens(await fetchTokens());
  // #endregion tokens
  console.log((await codex.account()).account?.type);
}

// #region code
import { CodexClient } from "codexwright";
import { turnsApp } from "./express-app.ts";

const codex = await CodexClient.connect();
turnsApp(codex).listen(3000, "127.0.0.1");
// #endregion code

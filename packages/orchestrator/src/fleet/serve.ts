import { newToken, publishEndpoint, withdrawEndpoint } from "../http/endpoint.ts";
import type { ServedFleet } from "../http/port.ts";
import { serveHttp } from "../http/serve.ts";

/** Serves the HTTP API, and publishes its address in the state folder. */
export async function serve(
  fleet: ServedFleet,
  {
    stateFolder,
    host,
    port,
    learnSecrets,
  }: {
    stateFolder: string;
    host: string;
    port: number;
    learnSecrets: (secrets: readonly string[]) => void;
  },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const token = await newToken(stateFolder);
  // An agent can read the file of the token, and print it.
  learnSecrets([token]);
  const server = await serveHttp({ fleet, host, port, token });
  const close = async (): Promise<void> => {
    await withdrawEndpoint(stateFolder);
    await server.close();
  };
  try {
    await publishEndpoint(stateFolder, server.url);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: server.url, close };
}

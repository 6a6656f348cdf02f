import { createRequire } from "node:module";
import path from "node:path";
import { ProxyTracerProvider, trace } from "@opentelemetry/api";
import { FleetError } from "../domain/errors.ts";

const SDK = "@opentelemetry/sdk-node";
const API = "@opentelemetry/api@1.10.0";
/** An exporter that does not answer must not keep the program alive. */
const END_MS = 5_000;

interface Sdk {
  start(): void;
  shutdown(): Promise<void>;
}

/**
 * Starts the OpenTelemetry SDK of the user, which takes its settings from the `OTEL_…` variables. Looks for it beside
 * this package, then in the folders. Returns a function that sends what is left, and ends the SDK. Rejects with
 * `missing_dependency`. Call it before the fleet is opened.
 */
export async function startOtlp(folders: readonly string[]): Promise<() => Promise<void>> {
  const { NodeSDK } = load(folders);
  const sdk = new NodeSDK({ serviceName: process.env["OTEL_SERVICE_NAME"] || "codexwright-fleet" });
  sdk.start();
  const end = async (): Promise<void> => {
    await Promise.race([sdk.shutdown().catch(() => {}), late()]);
  };
  const provider = trace.getTracerProvider();
  // The SDK has registered with another copy of the API, whose version does not match.
  if (provider instanceof ProxyTracerProvider && !hasDelegate(provider)) {
    await end();
    throw new FleetError(
      "missing_dependency",
      `The installed ${SDK} does not work with ${API}. Install fitting versions: npm install ${SDK} ${API}`,
    );
  }
  return end;
}

function load(folders: readonly string[]): { readonly NodeSDK: new (options: object) => Sdk } {
  for (const from of [import.meta.filename, ...folders.map((folder) => path.join(folder, "index.js"))]) {
    const require = createRequire(from);
    try {
      require.resolve(SDK);
    } catch {
      continue;
    }
    return require(SDK) as ReturnType<typeof load>;
  }
  throw new FleetError("missing_dependency", `OpenTelemetry needs its SDK: npm install ${SDK} ${API}`);
}

function hasDelegate(provider: ProxyTracerProvider): boolean {
  return provider.getDelegateTracer("codexwright.fleet") !== undefined;
}

async function late(): Promise<void> {
  await new Promise<void>((resolve) => void setTimeout(resolve, END_MS).unref());
}

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";
import { rolldown } from "rolldown";
import { expect } from "vitest";

const EXECUTABLE = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/**
 * Starts Debian's Chromium, without features that contact the vendor. The sandbox is always off, because Chromium does
 * not start as root with it. Chromium may leave files in its temporary folder, which is removed with the browser.
 */
export async function openBrowser(): Promise<AsyncDisposable & { readonly browser: Browser }> {
  const folder = await mkdtemp(path.join(tmpdir(), "chromium-"));
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
    env: { ...process.env, TMPDIR: folder },
  });
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Serves the page, bundled as a user would bundle it. */
export async function servePage(): Promise<AsyncDisposable & { readonly origin: string }> {
  await using bundle = await rolldown({
    input: path.join(import.meta.dirname, "page.ts"),
    platform: "browser",
  });
  const { output } = await bundle.generate({ format: "esm" });
  const files = new Map(output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : ""]));
  const server = createServer((request, response) => {
    const script = files.get(request.url ?? "");
    response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript");
    response.end(script ?? `<!doctype html><body><script type="module" src="/page.js"></script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function textOf(
  browser: Browser,
  address: string,
  selector: string,
  click?: string,
): Promise<string> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(address);
  if (click !== undefined) await page.click(click);
  const text = await page.textContent(`${selector}, #error`);
  expect(problems).toEqual([]);
  await page.close();
  return text ?? "";
}

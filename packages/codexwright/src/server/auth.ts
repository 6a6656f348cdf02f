import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { loadOptional } from "../rpc/optional-dependency.ts";
import { checkClaims } from "./claims.ts";
import * as is from "../rpc/options/check.ts";
import { needed, Variant, type Table } from "../rpc/options/table.ts";

/** How clients must authenticate before they are connected. */
export type ListenAuth =
  | {
      /**
       * One secret that all clients share. Pass the secret itself, a file that contains the secret, or the SHA-256 of
       * the secret in hex.
       */
      readonly capabilityToken:
        | { readonly token: string }
        | { readonly file: string }
        | { readonly sha256: string };
    }
  | { readonly signedBearer: SignedBearer };

/** Tokens signed with a shared secret (JWT, HS256), each with its own expiry. Needs the package `jose`. */
export type SignedBearer = ({ readonly secret: string } | { readonly secretFile: string }) & {
  /** The required `iss`. */
  readonly issuer?: string | undefined;
  /** The required `aud`. The `aud` of a token may be this value or a list that contains it. */
  readonly audience?: string | undefined;
  /** The allowed difference between the clocks of the two machines. Default: 30. */
  readonly maxClockSkewSeconds?: number | undefined;
};

type CapabilityToken = Extract<ListenAuth, { readonly capabilityToken: unknown }>["capabilityToken"];

const BEARER: Table<Omit<SignedBearer, "secret" | "secretFile">> = {
  issuer: is.text,
  audience: is.text,
  maxClockSkewSeconds: is.integer(0),
};

export const LISTEN_AUTH: is.Check<ListenAuth> = new Variant<ListenAuth>({
  capabilityToken: {
    capabilityToken: needed(
      new Variant<CapabilityToken>({
        token: { token: needed(is.text) },
        file: { file: needed(is.text) },
        sha256: { sha256: needed(is.text) },
      }),
    ),
  },
  signedBearer: {
    signedBearer: needed(
      new Variant<SignedBearer>({
        secret: { ...BEARER, secret: needed(is.text) },
        secretFile: { ...BEARER, secretFile: needed(is.text) },
      }),
    ),
  },
});

/**
 * Checks a token. Resolves with `undefined` if the token is valid, and otherwise with the reason for the refusal. Never
 * rejects.
 */
export type Verifier = (token: string) => Promise<string | undefined>;

/** The minimum length of a signing secret in bytes. */
const SECRET_BYTES = 32;

interface Jose {
  readonly compactVerify: (
    token: string,
    key: Uint8Array,
    options: { readonly algorithms: readonly string[] },
  ) => Promise<{ readonly payload: Uint8Array; readonly protectedHeader: { readonly typ?: unknown } }>;
}

/** Reads the secrets once. Rejects if they are empty or too short. */
export async function makeVerifier(auth: ListenAuth): Promise<Verifier> {
  return "capabilityToken" in auth
    ? capability(await digestOf(auth.capabilityToken))
    : await signedBearer(auth.signedBearer);
}

async function digestOf(
  given: { readonly token: string } | { readonly file: string } | { readonly sha256: string },
): Promise<Buffer> {
  if ("sha256" in given) {
    if (!/^[\da-f]{64}$/i.test(given.sha256)) {
      throw new InvalidArgumentError("capabilityToken.sha256 must be a SHA-256 digest of 64 hex digits");
    }
    return Buffer.from(given.sha256, "hex");
  }
  const token =
    "file" in given
      ? await readSecret("capabilityToken.file", given.file)
      : trimmed("capabilityToken.token", given.token);
  if (token === "") throw new InvalidArgumentError("the capability token must not be empty");
  return sha256(token);
}

/** Compares whole digests in constant time, so that timing reveals neither the length nor a prefix of the token. */
function capability(expected: Buffer): Verifier {
  return async (token) =>
    timingSafeEqual(sha256(token), expected) ? undefined : "invalid websocket bearer token";
}

async function signedBearer(options: SignedBearer): Promise<Verifier> {
  const { issuer, audience, maxClockSkewSeconds = 30 } = options;
  const secret =
    "secretFile" in options
      ? await readSecret("signedBearer.secretFile", options.secretFile)
      : trimmed("signedBearer.secret", options.secret);
  const key = Buffer.from(secret);
  if (key.length < SECRET_BYTES) {
    throw new InvalidArgumentError(`the secret of signedBearer must have at least ${SECRET_BYTES} bytes`);
  }
  const { compactVerify } = await loadOptional<Jose>("jose", "signedBearer");
  return async (token) => {
    // The library would also accept tokens in which the same bytes are spelled in another way.
    const parts = token.split(".");
    if (parts.length !== 3 || !parts.every(isCanonical)) return "invalid websocket jwt";
    try {
      const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ["HS256"] });
      if (!["undefined", "string"].includes(typeof protectedHeader.typ)) return "invalid websocket jwt";
      const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
      return checkClaims(claims, { issuer, audience, maxClockSkewSeconds }, Math.floor(Date.now() / 1000));
    } catch {
      return "invalid websocket jwt";
    }
  };
}

/** Whether base64url text is canonical: no padding, no other alphabet, no spaces, no unused bits. */
function isCanonical(text: string): boolean {
  return text !== "" && Buffer.from(text, "base64url").toString("base64url") === text;
}

/** Checks the type at run time, because a JavaScript program may pass an unset environment variable. */
function trimmed(option: string, secret: unknown): string {
  if (typeof secret !== "string") throw new InvalidArgumentError(`${option} must be a string`);
  return secret.trim();
}

/** Reads a secret from a file. Trims the content, because editors add a line feed at the end. */
async function readSecret(option: string, file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    throw new InvalidArgumentError(`${option} is ${file}, which cannot be read`, { cause });
  }
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

import { createHash, timingSafeEqual } from "node:crypto";
import { Refusal } from "./refusal.ts";

/** The rules for requests. */
export interface Door {
  readonly token: string;
  /** Whether the server listens on loopback only. */
  readonly isLoopback: boolean;
}

/** The parts of a request that decide whether it is answered. */
export interface Knock {
  readonly method: string;
  /** The path with its query, as sent. */
  readonly target: string;
  header(name: string): string | undefined;
}

const LONGEST_TARGET = 4096;

/**
 * Throws a {@link Refusal} unless the request may be answered.
 *
 * Any page that a user opens can send requests to loopback. So a request that changes something needs the token, no
 * request may come from a page of another origin, and the Host header must name this machine: otherwise a page could
 * give its own name our address, and read the answers.
 */
export function check(request: Knock, door: Door): void {
  if (request.target.length > LONGEST_TARGET) {
    throw new Refusal(414, "uri_too_long", `the URL is longer than ${LONGEST_TARGET} characters`);
  }
  const host = request.header("host") ?? "";
  if (door.isLoopback && !namesLoopback(host)) {
    throw new Refusal(403, "host_not_allowed", "the Host header must name a loopback address");
  }
  const origin = request.header("origin");
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw new Refusal(403, "origin_not_allowed", "requests from other origins are not answered");
  }
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (door.isLoopback && isRead) return;
  requireToken(request, door);
}

/** Throws a {@link Refusal} if the request does not have the token. */
export function requireToken(request: Pick<Knock, "header">, door: Door): void {
  if (!hasToken(request.header("authorization"), door.token)) {
    throw new Refusal(401, "unauthorized", "this request needs the header Authorization: Bearer <token>");
  }
}

/** Whether the value of a Host header is a loopback address or `localhost`, with or without a port. */
export function namesLoopback(host: string): boolean {
  const name = /^(\[[\da-f:.]+\]|[a-z\d.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  return name !== undefined && isLoopback(name.replace(/^\[(.*)\]$/, "$1"));
}

/** Whether this is a loopback address or `localhost`. */
export function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Digests have the same length, so the time of the comparison does not depend on the token that was sent. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const sent = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return sent !== undefined && timingSafeEqual(sha256(sent), sha256(token));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

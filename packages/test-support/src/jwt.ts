import { createHmac } from "node:crypto";

/** A token with these claims, signed by hand: the library that checks tokens is not what makes them. */
export function signed(
  claims: object | string,
  secret: string,
  header: object = { alg: "HS256", typ: "JWT" },
): string {
  const text = typeof claims === "string" ? claims : JSON.stringify(claims);
  const body = [JSON.stringify(header), text]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

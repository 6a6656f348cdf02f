import { InvalidArgumentError } from "codexwright/rpc";

/** Reads the base URL of an API. `call` names the function whose option it is. */
export function urlOf(call: string, baseUrl: string): URL {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new InvalidArgumentError(`${call}: baseUrl must be a URL such as https://api.openai.com/v1`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidArgumentError(`${call}: baseUrl must start with http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidArgumentError(`${call}: baseUrl must not contain a user name or password: use headers`);
  }
  url.hash = "";
  return url;
}

/** Measures how deep the JSON in the data of server-sent events is nested, without keeping it. */
export class EventDepth {
  readonly #most: number;
  #line = "";
  #place: "start" | "data" | "other" = "start";
  #afterCr = false;
  #first = true;
  #depth = 0;
  #string: "no" | "yes" | "escape" = "no";
  /** Whether the data of this event cannot be JSON any more. */
  #broken = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether all events up to the end of this text fit. */
  fits(text: string): boolean {
    for (const character of text) {
      const isSecond = this.#afterCr && character === "\n";
      this.#afterCr = character === "\r";
      if (isSecond) continue;
      if (character === "\n" || character === "\r") this.#end();
      else if (this.#place === "start") this.#begin(character);
      else if (this.#place === "data") this.#read(character);
      if (this.#depth > this.#most) return false;
    }
    return true;
  }

  #begin(character: string): void {
    // A byte order mark may come before the first line.
    if (this.#first && character === "\uFEFF") return;
    this.#first = false;
    this.#line += character;
    if (this.#line === "data:") this.#place = "data";
    else if (this.#line.length >= 5) this.#place = "other";
  }

  #end(): void {
    // An empty line ends the event.
    if (this.#place === "start" && this.#line === "") {
      this.#depth = 0;
      this.#string = "no";
      this.#broken = false;
    }
    // A string in JSON has no line end.
    if (this.#place === "data" && this.#string !== "no") this.#broken = true;
    this.#place = "start";
    this.#line = "";
    this.#first = false;
  }

  #read(character: string): void {
    if (this.#broken) return;
    if (this.#string === "escape") this.#string = "yes";
    else if (this.#string === "yes") {
      if (character === '"') this.#string = "no";
      else if (character === "\\") this.#string = "escape";
    } else if (character === '"') this.#string = "yes";
    else if (character === "[" || character === "{") this.#depth++;
    else if (character === "]" || character === "}") this.#depth--;
  }
}

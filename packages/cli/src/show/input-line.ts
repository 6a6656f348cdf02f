/** A key as Node's readline reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** The text after a key press. `submitted` is set if the key submitted the text. */
export interface Typed {
  readonly text: string;
  readonly submitted?: string;
}

/** A line of input that is edited at its end, which is enough for steering. */
export function typed(text: string, key: Key): Typed {
  if (key.name === "return" || key.name === "enter") {
    const submitted = text.trim();
    return submitted === "" ? { text: "" } : { text: "", submitted };
  }
  if (key.name === "backspace") return { text: text.replace(/\P{M}\p{M}*$/u, "") };
  if (key.ctrl && key.name === "u") return { text: "" };
  if (key.ctrl && key.name === "w") return { text: text.replace(/\S*\s*$/, "") };
  const { sequence = "" } = key;
  const isText = !key.ctrl && !key.meta && sequence !== "" && !/\p{Cc}/u.test(sequence);
  return { text: isText ? text + sequence : text };
}

/**
 * The colours of a picture. Each picture is written as a light and a dark file, and a page chooses between
 * the two.
 */
export interface Theme {
  readonly name: "light" | "dark";
  readonly background: string;
  /** The colour of boxes on the background. */
  readonly surface: string;
  readonly border: string;
  readonly text: string;
  readonly muted: string;
  /** The colour of this project in a comparison, and the first colour of a diagram. */
  readonly accent: string;
  /** The colour of a pale area behind text. */
  readonly accentSurface: string;
  /** More colours, which readers can distinguish from each other and from the accent. */
  readonly second: string;
  readonly third: string;
  readonly fourth: string;
  /** The colour of other projects in a comparison. */
  readonly neutral: string;
  readonly terminal: TerminalColours;
}

export interface TerminalColours {
  readonly background: string;
  readonly bar: string;
  readonly text: string;
  /** The 16 colours of a terminal: eight colours, then their bright variants. */
  readonly ansi: readonly string[];
}

function palette(...colours: readonly string[]): string[] {
  return colours.flatMap((eight) => eight.split(" "));
}

export const LIGHT: Theme = {
  name: "light",
  background: "#ffffff",
  surface: "#f6f8fa",
  border: "#d0d7de",
  text: "#1f2328",
  muted: "#59636e",
  accent: "#0969da",
  accentSurface: "#ddf4ff",
  second: "#8250df",
  third: "#1a7f37",
  fourth: "#bc4c00",
  neutral: "#8c959f",
  terminal: {
    background: "#ffffff",
    bar: "#f6f8fa",
    text: "#1f2328",
    ansi: palette(
      "#24292f #cf222e #116329 #7d4e00 #0969da #8250df #1b7c83 #6e7781",
      "#57606a #a40e26 #1a7f37 #633c01 #218bff #a475f9 #3192aa #8c959f",
    ),
  },
};

export const DARK: Theme = {
  name: "dark",
  background: "#0d1117",
  surface: "#161b22",
  border: "#3d444d",
  text: "#f0f6fc",
  muted: "#9198a1",
  accent: "#4493f8",
  accentSurface: "#12283f",
  second: "#ab7df8",
  third: "#3fb950",
  fourth: "#db6d28",
  neutral: "#6e7681",
  terminal: {
    background: "#0d1117",
    bar: "#161b22",
    text: "#e6edf3",
    ansi: palette(
      "#484f58 #ff7b72 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #b1bac4",
      "#6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #ffffff",
    ),
  },
};

export const THEMES: readonly Theme[] = [LIGHT, DARK];

export const SANS = `system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif`;
export const MONO = `ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace`;

/** Rules that diagrams and plots share. */
export function baseStyle({ text, muted, accent }: Theme): string {
  return [
    `text{font-family:${SANS};font-size:13px;fill:${text}}`,
    `.title{font-size:16px;font-weight:600}`,
    `.name{font-weight:600}`,
    `.mono{font-family:${MONO};font-size:12px}`,
    `.small{font-size:11px;fill:${muted}}`,
    `.muted{fill:${muted}}`,
    `.accent{fill:${accent}}`,
  ].join("");
}

/** The background of a picture, so that it can be read on a page of another colour. */
export function card({ background, border }: Theme, width: number, height: number): string {
  return `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${background}" stroke="${border}"/>`;
}

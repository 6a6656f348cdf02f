import type { TerminalColours } from "../../svg/theme.ts";
import type { Colour } from "./frames.ts";

/** The contrast that WCAG requires for small text. */
const LEAST_CONTRAST = 4.5;

/** Returns a colour in SVG notation. */
export function paint(colour: Colour, { ansi, background, text }: TerminalColours): string {
  if (colour === "background") return background;
  if (colour === "text") return text;
  if (typeof colour === "string") return colour;
  if (colour < 16) return ansi[colour] ?? text;
  // Colours from 16 on: the 216 colours of a cube, then 24 greys.
  if (colour >= 232) return hex([0, 0, 0].map(() => 8 + (colour - 232) * 10));
  const at = colour - 16;
  return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((n) => (n === 0 ? 0 : 55 + n * 40)));
}

/**
 * Returns the colour for text on this background: the given colour, or black or white if the contrast is too
 * low.
 */
export function readable(colour: string, background: string): string {
  if (contrast(colour, background) >= LEAST_CONTRAST) return colour;
  return contrast("#ffffff", background) > contrast("#000000", background) ? "#ffffff" : "#000000";
}

/** The contrast ratio as WCAG defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 1, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

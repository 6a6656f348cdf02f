declare module "marked-terminal" {
  import type { MarkedExtension } from "marked";

  export function markedTerminal(
    options?: {
      readonly width?: number;
      readonly reflowText?: boolean;
      readonly tab?: number;
      readonly showSectionPrefix?: boolean;
      readonly emoji?: boolean;
      readonly listitem?: (text: string) => string;
    },
    highlight?: { readonly ignoreIllegals?: boolean },
  ): MarkedExtension;
}

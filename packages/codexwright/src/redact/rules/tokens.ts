import { hasDigit, type Shape } from "./shape.ts";

const ALNUM = "[A-Za-z0-9]";

/** Tokens that are known by how they begin, also if they are shorter or longer than gitleaks expects. */
export const TOKENS: readonly Shape[] = [
  {
    kind: "key of OpenAI",
    keywords: ["sk-"],
    where: "text",
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{12,}/d,
    holds: ([whole]) => hasDigit(whole),
    samples: [`(sk-${ALNUM}{40})`, `(sk-proj-[A-Za-z0-9_-]{60}[0-9]{3})`],
  },
  {
    kind: "JSON web token",
    keywords: ["eyj"],
    where: "text",
    // From the beginning of a word only, and of one with a dot behind it: a text of many beginnings would otherwise be
    // read to its own end from each of them.
    pattern: /(?<![\w-])(?=[\w-]+\.)(?:[\w-]*?[_-])??(eyJ[\w-]{5,}(?:\.[\w-]*){1,4})/d,
    samples: [`(eyJhbGciOiJIUzI1NiJ9\\.eyJ[A-Za-z0-9]{40}\\.[A-Za-z0-9_-]{43})`],
  },
  {
    kind: "token with a vendor's prefix",
    keywords:
      "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox xapp- akia asia aiza ya29. sk_live_ sk_test_ rk_live_ rk_test_".split(
        " ",
      ),
    where: "text",
    pattern:
      /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|[sr]k_(?:live|test)_)[A-Za-z0-9_-]{12,}/d,
    samples: [
      `(gh[pousr]_${ALNUM}{36})`,
      `(AKIA[A-Z2-7]{16})`,
      `(ya29\\.${ALNUM}{60})`,
      `(rk_live_${ALNUM}{24})`,
    ],
  },
  {
    kind: "token of npm, Hugging Face or DigitalOcean",
    keywords: ["npm_", "hf_", "dop_v1_"],
    where: "text",
    pattern: /(?<![A-Za-z0-9])(?:npm|hf|dop_v1)_[A-Za-z0-9]{30,}/d,
    samples: [`((?:npm|hf)_${ALNUM}{36})`],
  },
  {
    kind: "hash of a password",
    keywords: [
      "$1$",
      "$2a$",
      "$2b$",
      "$2x$",
      "$2y$",
      "$5$",
      "$6$",
      "$7$",
      "$y$",
      "$gy$",
      "$apr1$",
      "$argon2",
    ],
    where: "at",
    pattern: /\$(?:1|2[abxy]|5|6|7|y|gy|apr1|argon2(?:id|i|d))\$[A-Za-z0-9./+$=,_-]{13,512}/d,
    samples: [
      `root:(\\$6\\$${ALNUM}{16}\\$[A-Za-z0-9./]{86}):19000:0:99999:7:::`,
      `(\\$2b\\$12\\$[A-Za-z0-9./]{53})`,
      `user:(\\$y\\$j9T\\$[A-Za-z0-9./]{22}\\$[A-Za-z0-9./]{43}):19000::::::`,
      `(\\$argon2id\\$v=19\\$m=65536,t=3,p=4\\$[A-Za-z0-9]{22}\\$[A-Za-z0-9]{43})`,
      `(\\$apr1\\$${ALNUM}{8}\\$[A-Za-z0-9./]{22})`,
    ],
  },
];

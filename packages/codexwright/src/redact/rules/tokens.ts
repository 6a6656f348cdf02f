import { latin1Of } from "../bytes.ts";
import { entropyOf, looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

const ALNUM = "[A-Za-z0-9]";

/** Prefixes of vendor tokens that gitleaks does not know, or knows only with one length. */
const PREFIXES =
  "GOCSPX- sq0csp- sq0atp- EAAA whsec_ dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dckr_pat_ dckr_oat_ sbp_ sb_secret_ gsk_ r8_ ATATT3 ATCTT3 ATBB hvs. hvb. hvr. ntn_ secret_ lin_api_ HRKU- figd_ glsa_ glc_ tskey- CCIPAT_ CCIPRJ_ PMAK- pscale_ sntryu_ sntrys_ shpat_ shpss_ shpca_ NRAK- NRAL- pplx- xai- nvapi- pcsk_ tvly- lsv2_pt_ lsv2_sk_ apify_api_ nfp_ rnd_ pul- phx_ rpa_ tgp_v1_ jina_ e2b_ GR1348941 gldt- glrt- glft- glcbt- glptt- glsoat- glagent- glimt- bkua_ sgp_ ops_ oy2 CFPAT- sk_ant_ cio_ LTAI rubygems_ doo_v1_ dor_v1_ SG. sha256~ tk-us-".split(
    " ",
  );

/** Matches tokens by their prefixes, including lengths that gitleaks does not expect. */
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
    // A match starts only at the beginning of a word that is followed by a dot. Without this rule, a text with many
    // possible starts would be read to its end from each of them.
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
    kind: "token with a rarer prefix",
    keywords: PREFIXES.map((prefix) => prefix.toLowerCase()),
    where: "at",
    pattern: new RegExp(
      `(?<![A-Za-z0-9])(?:${PREFIXES.map((prefix) => prefix.replaceAll(".", "\\.")).join("|")})([A-Za-z0-9_.=-]{18,512})`,
      "d",
    ),
    group: 0,
    // Excludes names such as `glc_context_create_2`.
    holds: ([whole, rest = ""]) =>
      (hasDigit(rest) || looksDrawn(rest)) && entropyOf(whole) > 3.2 && !/[a-z]{2,}_[a-z]{2,}_/.test(rest),
    samples: [
      `(GOCSPX-[A-Za-z0-9_-]{27}0)`,
      `(hvs\\.${ALNUM}{24}0)`,
      `(dckr_pat_[A-Za-z0-9_-]{26}0)`,
      `(dp\\.st\\.prd\\.${ALNUM}{42}0)`,
      `(sbp_[a-f0-9]{39}0)`,
      `(gsk_${ALNUM}{51}0)`,
      `(ATATT3xFfGF0[A-Za-z0-9_-]{171}=[A-F0-9]{8})`,
    ],
  },
  {
    // The first part is a base64-encoded number.
    kind: "token of a bot of Discord",
    keywords: ["."],
    where: "text",
    pattern: /(?<![\w.-])([MNO][A-Za-z0-9]{21,27})\.[\w-]{6}\.[\w-]{27,64}(?![\w.-])/d,
    group: 0,
    holds: ([, id = ""]) => /^\d{16,20}$/.test(latin1Of(id) ?? ""),
    samples: [`(MTIzNDU2Nzg5MDEyMzQ1Njc4\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{38})`],
  },
  {
    kind: "token of a bot of Telegram",
    keywords: [":aa"],
    where: "text",
    pattern: /(?<![\w:.])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/d,
    samples: [`([1-9][0-9]{9}:AA[A-Za-z0-9_-]{33})`],
  },
  {
    kind: "hash of a password of a framework or of Windows",
    keywords: ["pbkdf2", "scrypt:", "{ssha", "$p$", "$h$", ":::", "*"],
    where: "text",
    pattern:
      /(?<![\w$])(?:pbkdf2[_:]sha(?:1|256|512)[$:]\d{1,8}\$[\w./+=-]{1,64}\$[A-Za-z0-9+/=]{20,128}|scrypt:\d{1,8}:\d{1,4}:\d{1,4}\$[\w./+-]{1,64}\$[a-f0-9]{32,128}|\{SSHA(?:256|512)?\}[A-Za-z0-9+/=]{20,128}|\$[PH]\$[A-Za-z0-9./]{31})|(?<=:)[A-Fa-f0-9]{32}:[A-Fa-f0-9]{32}(?=:::)|(?<![\w*])\*[A-F0-9]{40}(?!\w)/d,
    samples: [
      `(pbkdf2_sha256\\$600000\\$${ALNUM}{22}\\$[A-Za-z0-9+/]{43}=)`,
      `(scrypt:32768:8:1\\$${ALNUM}{16}\\$[a-f0-9]{128})`,
      `Administrator:500:([a-f0-9]{32}:[a-f0-9]{32}):::`,
      `userPassword: (\\{SSHA\\}[A-Za-z0-9+/]{37}=)`,
    ],
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

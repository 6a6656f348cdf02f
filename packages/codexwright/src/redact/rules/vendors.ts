import { entropyOf, looksDrawn } from "./entropy.ts";
import { hasDigit, type Shape } from "./shape.ts";

const ALNUM = "[A-Za-z0-9]";
const UUID = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}";

/** Prefixes that are followed by hex or base32. Without the prefix, the rest could be the hash of a file. */
const BEFORE_HEX =
  "fc- key- live_ squ_ sqp_ sqa_ zpka_ napi_ NRJS- FLWSECK- FLWSECK_TEST- signkey-prod- signkey-test- hcaik_ hcxik_ hcalk_ hcamk_ hcaek_ sk_ pk_ api_key_ access_token_ tok_ key_".split(
    " ",
  );

/** Prefixes that are followed by a UUID. */
const BEFORE_UUID =
  "sdk- api- mob- access-production- access-development- access-sandbox- sk-lf- token-".split(" ");

/** Matches vendor tokens that gitleaks does not know, or knows only next to a name. */
export const VENDORS: readonly Shape[] = [
  {
    // Matches any vendor: `abc_`, `abc_live_` or `abc-`, followed by a long random word. Hashes and public Slack
    // invitations (`zt-`) are excluded.
    kind: "token with any prefix",
    keywords: ["_", "-", "."],
    where: "text",
    pattern:
      /(?<![A-Za-z0-9]|\bzt-)(?!sha\d|md5|zt-)(?:[A-Za-z][A-Za-z0-9]{0,9}[_.-]){1,3}?([A-Za-z0-9]{20,512})(?![A-Za-z0-9+=])/d,
    group: 0,
    holds: ([, rest = ""]) => /\d\D+\d/.test(rest) && looksDrawn(rest) && entropyOf(rest) > 3.6,
    samples: [
      `(vcp_${ALNUM}{55}0)`,
      `(fw_${ALNUM}{23}0)`,
      `(tr_prod_${ALNUM}{19}0)`,
      `(s\\.${ALNUM}{23}0)`,
      `(ddp_${ALNUM}{35}0)`,
    ],
  },
  {
    kind: "prefix before hex",
    keywords: BEFORE_HEX.map((prefix) => prefix.toLowerCase()),
    where: "at",
    pattern: new RegExp(
      `(?<![A-Za-z0-9])(?:${BEFORE_HEX.join("|")})(?:[a-f0-9]{32,128}|[a-z0-9]{48,96}|[a-f0-9]{19}(?![A-Za-z0-9]))`,
      "d",
    ),
    holds: ([whole]) => hasDigit(whole.slice(-19)) && entropyOf(whole) > 3,
    samples: [`(key-[a-f0-9]{31}0)`, `(squ_[a-f0-9]{39}0)`, `(napi_[a-z0-9]{63}0)`],
  },
  {
    kind: "prefix before a UUID",
    keywords: [...BEFORE_UUID, "pat-"],
    where: "at",
    pattern: new RegExp(`(?<![A-Za-z0-9])(?:${BEFORE_UUID.join("|")}|pat-[a-z]{2}\\d-)${UUID}`, "d"),
    samples: [`(pat-na1-${UUID})`, `(access-production-${UUID})`],
  },
  {
    kind: "prefix with marks",
    keywords:
      "cio snyk_uat. xoxd- xprv access_token$ rzp_live_ rzp_test_ igqv wpl_ap1. akid aqvn aklt y0_ tfp_ endr+ scw re_ aqe 1//0 aaaaaaaaaaaaaaaaaaaaa dnkey- ssws".split(
        " ",
      ),
    where: "at",
    pattern:
      /(?<![A-Za-z0-9])(?:cio[A-Za-z0-9]{32}|snyk_uat\.[a-f0-9]{8}\.[\w-]{20,512}|xoxd-[\w%+/=-]{20,512}|xprv[1-9A-HJ-NP-Za-km-z]{100,112}|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}|rzp_(?:live|test)_[A-Za-z0-9]{14}|IGQV[\w-]{60,512}|WPL_AP1\.[\w.+/=-]{16,128}|AKID[A-Za-z0-9]{32}|AQVN[\w-]{35,38}|AKLT[\w-]{40,64}|y[0-3]_[\w-]{50,60}|tfp_[\w.=-]{40,80}|endr\+[A-Za-z0-9-]{16}|SCW[A-Z0-9]{17}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}|AQE[A-Za-z0-9+/]{50,80}-[A-Za-z0-9+/=]{40,50}-\S{10,20}|1\/\/0[\w-]{40,256}|A{21}[A-Za-z0-9%]{40,128}|dnkey-[\w=-]{26}-[\w=-]{52}|SSWS 00[\w-]{40})/d,
    holds: ([whole]) => /\d/.test(whole.slice(4)) && entropyOf(whole.slice(3)) > 3.2,
    samples: [
      `(cio${ALNUM}{31}0)`,
      `(snyk_uat\\.[a-f0-9]{8}\\.[A-Za-z0-9_-]{59}0)`,
      `(rzp_live_${ALNUM}{13}0)`,
      `(AKID${ALNUM}{31}0)`,
      `(1//0[A-Za-z0-9_-]{59}0)`,
    ],
  },
  {
    kind: "token that is known by its end or its middle",
    keywords: ["azdo", "jqqj99", "nral", "-us", "q~"],
    where: "near",
    pattern:
      /(?<![A-Za-z0-9])(?:[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{20,32}|[a-f0-9]{36}NRAL|[a-f0-9]{32}-us\d{1,2}|[A-Za-z0-9]{3}\dQ~[\w.~-]{31,34})(?![A-Za-z0-9])/d,
    samples: [`(${ALNUM}{76}AZDO${ALNUM}{4})`, `([a-f0-9]{36}NRAL)`, `([a-f0-9]{32}-us1[0-9])`],
  },
  {
    kind: "numbers and a key",
    keywords: ["|", ":", "."],
    where: "text",
    pattern:
      /(?<![A-Za-z0-9.|:])(?:\d\/\d{13,20}\/\d{13,20}:[a-f0-9]{32}|\d{15,16}\|[\w-]{27}(?![\w-])|(?:prod|dev|preview):[\w:-]{4,64}\|[A-Za-z0-9+/=]{40,256}|st\.[a-f0-9]{24}\.[a-f0-9]{32}\.[a-f0-9]{32}|SCRAM-SHA-(?:1|256)\$\d{4,6}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{28,64}:[A-Za-z0-9+/=]{28,64})/d,
    samples: [`([1-9]/[0-9]{16}/[0-9]{16}:[a-f0-9]{32})`, `([1-9][0-9]{14}\\|[A-Za-z0-9_-]{27})`],
  },
  {
    kind: "two long words",
    keywords: ["_"],
    where: "text",
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{25,28}_[A-Za-z0-9]{20,22}(?![A-Za-z0-9])/d,
    holds: ([whole]) => looksDrawn(whole) && hasDigit(whole),
    samples: [`(2${ALNUM}{26}_[0-9]${ALNUM}[0-9]${ALNUM}{18})`],
  },
];

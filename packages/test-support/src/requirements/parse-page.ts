/** A behaviour that is promised to users. */
export interface Requirement {
  readonly id: string;
  readonly statement: string;
}

export interface SpecPage {
  /** Each of these needs a test. */
  readonly requirements: readonly Requirement[];
  /** Requirements that are met in another form, which the statement describes. No test names them. */
  readonly elsewhere: readonly Requirement[];
}

const ENTRY = /^- (\*\*|_)([A-Za-z\d]+(?:[.-][A-Za-z\d]+)*)\1 (\S.*)$/;
const CLAIM = /^- \*\*S(\d+)\*\* (\S.*)$/;

/**
 * Parses a page of docs/spec: `- **id** statement`, or `- _id_ where it is met` for a requirement that is met
 * elsewhere.
 */
export function parsePage(text: string): SpecPage {
  const requirements: Requirement[] = [];
  const elsewhere: Requirement[] = [];
  eachLine(text, (line) => {
    const [, mark, id = "", statement = ""] = ENTRY.exec(line) ?? [];
    if (mark === undefined && /^- (\*\*|_)/.test(line)) throw new Error(`not a requirement: ${line}`);
    if (mark !== undefined) (mark === "_" ? elsewhere : requirements).push({ id, statement });
    return mark !== undefined;
  });
  return { requirements, elsewhere };
}

/** Parses the numbered claims of SECURITY.md: `- **S1** statement` is the requirement `security.s1`. */
export function parseClaims(text: string): Requirement[] {
  const claims: Requirement[] = [];
  eachLine(text, (line) => {
    const [, number, statement = ""] = CLAIM.exec(line) ?? [];
    if (number === undefined && /^- \*\*S\d/.test(line)) throw new Error(`not a claim: ${line}`);
    if (number !== undefined) claims.push({ id: `security.s${number}`, statement });
    return number !== undefined;
  });
  return claims;
}

/** Throws if an entry continues on the next line, because its statement would be cut off there. */
function eachLine(text: string, isEntry: (line: string) => boolean): void {
  let wasEntry = false;
  for (const line of text.split("\n")) {
    if (wasEntry && line !== "" && !/^[-#]/.test(line))
      throw new Error(`a statement must be one line; this is a second line: ${line}`);
    wasEntry = isEntry(line);
  }
}

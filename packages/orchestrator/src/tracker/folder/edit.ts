import { FrontMatter, MalformedIssue, splitFile } from "./front-matter.ts";

/** A change of an issue by its agent. */
export interface IssueUpdate {
  readonly state?: string | undefined;
  readonly comment?: string | undefined;
}

/** Keys whose values must stay as they are. */
const OTHERS = ["title", "priority", "labels", "blocked_by", "branch_name", "created_at"] as const;

/** Returns the file with the update. Everything else stays as it is. */
export function edited(text: string, { state, comment }: IssueUpdate, now: Date): string {
  const changed = state === undefined ? text : withState(text, state);
  return comment === undefined ? changed : withComment(changed, comment, now);
}

function withState(text: string, state: string): string {
  const { head, yaml, rest } = splitFile(text);
  const before = new FrontMatter(yaml);
  const [start, end] = before.scalar("state")?.range ?? [];
  if (start === undefined || end === undefined) throw before.malformed("state must be a text", 0);
  // A text over several lines ends in a line break, which has to stay.
  const tail = /\r?\n$/.exec(yaml.slice(start, end))?.[0] ?? "";
  for (const value of [state, JSON.stringify(state)]) {
    const changed = `${yaml.slice(0, start)}${value}${tail}${yaml.slice(end)}`;
    if (isSameBut(before, changed, state)) return `${head}${changed}${rest}`;
  }
  throw before.malformed("the state cannot be replaced; write it on a line of its own", start);
}

/** Whether the changed front matter has this state and no other difference. */
function isSameBut(before: FrontMatter, changed: string, state: string): boolean {
  try {
    const after = new FrontMatter(changed);
    const others = (front: FrontMatter): string => JSON.stringify(OTHERS.map((key) => front.list(key)));
    return after.value("state") === state && others(after) === others(before) && after.size === before.size;
  } catch (error) {
    if (error instanceof MalformedIssue) return false;
    throw error;
  }
}

function withComment(text: string, comment: string, now: Date): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? newline : newline + newline;
  const lines = ["---", "", `Comment, ${now.toISOString()}:`, "", ...comment.split(/\r?\n/)];
  return `${text}${gap}${lines.join(newline)}${newline}`;
}

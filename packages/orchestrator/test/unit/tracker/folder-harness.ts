import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  folderKind,
  type SampleIssue,
  type Tracker,
  type TrackerHarness,
} from "@codexwright/orchestrator/tracker";
import { removeTree } from "codexwright/internal/node";

/** A folder of issues in a temporary place. */
export class FolderHarness implements TrackerHarness {
  readonly home: string = realpathSync(mkdtempSync(path.join(tmpdir(), "folder-tracker-")));
  readonly folder: string = path.join(this.home, "issues");
  readonly #issues = new Map<string, SampleIssue>();

  constructor() {
    mkdirSync(this.folder);
  }

  async open(config: Parameters<TrackerHarness["open"]>[0]): Promise<Tracker> {
    return await folderKind.open({ ...config, provider: {}, folder: this.home });
  }

  file(identifier: string): string {
    return path.join(this.folder, `${identifier}.md`);
  }

  /** Writes a file as it is. */
  write(identifier: string, text: string | Uint8Array): void {
    writeFileSync(this.file(identifier), text);
  }

  read(identifier: string): string {
    return readFileSync(this.file(identifier), "utf8");
  }

  create(issue: SampleIssue): Promise<string> {
    const id = `AB-${this.#issues.size + 1}`;
    this.#put(id, issue);
    return Promise.resolve(id);
  }

  change(id: string, change: Partial<SampleIssue>): Promise<void> {
    const issue = this.#issues.get(id);
    if (issue) this.#put(id, { ...issue, ...change });
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    rmSync(this.file(id));
    return Promise.resolve();
  }

  spoil(id: string): Promise<void> {
    this.write(id, "---\ntitle: [\n---\n");
    return Promise.resolve();
  }

  break(how: string): Promise<boolean> {
    if (how !== "unreachable") return Promise.resolve(false);
    renameSync(this.folder, `${this.folder}-away`);
    return Promise.resolve(true);
  }

  mend(): Promise<void> {
    renameSync(`${this.folder}-away`, this.folder);
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    chmodSync(this.home, 0o700);
    await removeTree(this.home);
  }

  #put(id: string, issue: SampleIssue): void {
    this.#issues.set(id, issue);
    const front = Object.entries({
      title: issue.title,
      state: issue.state,
      labels: issue.labels,
      priority: issue.priority,
      blocked_by: issue.blockedBy,
    }).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`]));
    this.write(id, `---\n${front.join("\n")}\n---\n\n${issue.description ?? ""}\n`);
  }
}

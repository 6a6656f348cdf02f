/** A small piece of work for a model, in a repository of its own. */
export interface Task {
  readonly name: string;
  /** The user's words. */
  readonly prompt: string;
  /** The repository when the model begins. Everything is committed. */
  readonly files: Readonly<Record<string, string>>;
  /** A shell script that changes the repository after the first commit. */
  readonly setup?: string;
  /** A program that fails unless the task is solved. The model does not see it. */
  readonly check: string;
  /** A shell script that solves the task. It shows that the task can be solved. */
  readonly solution: string;
}

const PACKAGE = '{ "name": "sample", "version": "1.2.3", "type": "module" }\n';

/** A task whose repository is a package for Node. */
export function task(work: Task): Task {
  return { ...work, files: { "package.json": PACKAGE, ...work.files } };
}

/** A shell script that writes a file. */
export function writes(file: string, text: string): string {
  return `mkdir -p "$(dirname '${file}')" && cat >'${file}' <<'END_OF_FILE'\n${text.replace(/\n?$/, "\n")}END_OF_FILE\n`;
}

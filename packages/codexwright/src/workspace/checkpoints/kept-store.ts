import { mkdir, open, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { READ } from "../open-flags.ts";
import { isInside } from "../roots.ts";

/** Contains the folder whose checkpoints are stored. Also shows that the store is ours. */
const OWNER = "workspace";
/** The ids of the checkpoints, one per line, the oldest first. */
const LIST = "checkpoints";
/** A temporary file of a process that was killed is removed after this time. */
const LEFT_BEHIND_MS = 3_600_000;
/** How often to wait for another process that is writing the owner's name. */
const TRIES = 50;

const ID = /^[0-9a-f]{64}$/;

/** Opens the folder in which the checkpoints of a workspace are kept, and creates it if it is missing. */
export async function openKeptStore(place: string, dir: string): Promise<KeptList> {
  const real = await realPlace(place);
  if (isInside(dir, real) || isInside(real, dir)) {
    throw new InvalidArgumentError(
      `checkpoints is ${JSON.stringify(place)}: it must be outside of the workspace ${JSON.stringify(dir)}, and must not contain it`,
    );
  }
  // The store has copies of all files, which may be secret.
  await mkdir(real, { recursive: true, mode: 0o700 });
  if ((await realpath(real)) !== real)
    throw new WorkspaceSecurityError(real, "was replaced by a symbolic link");
  const names = await readdir(real);
  if (names.length === 0) await claim(real, dir);
  const owner = await ownerOf(real);
  if (owner === undefined) {
    throw new InvalidArgumentError(
      `checkpoints is ${JSON.stringify(place)}, which has other files: it must be an empty folder, or one for checkpoints`,
    );
  }
  if (owner !== dir) {
    throw new InvalidArgumentError(
      `checkpoints is ${JSON.stringify(place)}, which has the checkpoints of another folder: ${JSON.stringify(owner)}`,
    );
  }
  await removeLeftBehind(real, names);
  return new KeptList(real);
}

/** The checkpoints in a store that outlives this process. */
export class KeptList {
  /** The folder of the store. */
  readonly place: string;

  constructor(place: string) {
    this.place = place;
  }

  async add(id: string): Promise<void> {
    if ((await this.ids()).has(id)) return;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const file = await open(path.join(this.place, LIST), flags, 0o600);
    try {
      // The first line feed ends the line of a process that was killed while it wrote.
      await file.appendFile(`\n${id}\n`);
    } finally {
      await file.close();
    }
  }

  /** The ids of all checkpoints, the oldest first. */
  async ids(): Promise<ReadonlySet<string>> {
    const text = await ifThere(readText(path.join(this.place, LIST)));
    return new Set((text ?? "").split("\n").filter((line) => ID.test(line)));
  }
}

/** Resolves the links in the part of the path that exists. */
async function realPlace(place: string): Promise<string> {
  const real = await ifThere(realpath(place));
  if (real !== undefined) {
    if (!(await stat(real)).isDirectory()) {
      throw new InvalidArgumentError(`checkpoints is ${JSON.stringify(place)}, which is not a folder`);
    }
    return real;
  }
  return path.join(await realPlace(path.dirname(place)), path.basename(place));
}

async function claim(place: string, dir: string): Promise<void> {
  try {
    await writeFile(path.join(place, OWNER), dir, { flag: "wx", mode: 0o600 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

async function ownerOf(place: string): Promise<string | undefined> {
  let owner = await ifThere(readText(path.join(place, OWNER)));
  for (let tries = 0; owner === "" && tries < TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    owner = await readText(path.join(place, OWNER));
  }
  return owner;
}

async function readText(file: string): Promise<string> {
  const handle = await open(file, READ);
  try {
    return await readFile(handle, "utf8");
  } finally {
    await handle.close();
  }
}

async function removeLeftBehind(place: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((each) => /^(new|diff)-/.test(each))) {
    const file = path.join(place, name);
    const found = await ifThere(stat(file));
    if (found && Date.now() - found.mtimeMs > LEFT_BEHIND_MS)
      await rm(file, { recursive: true, force: true });
  }
}

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzip, gzip } from "node:zlib";
import { promisify } from "node:util";

/*
 * Packs and unpacks the seed: a gzipped tar file in the `ustar` format, with folders and plain files only. Only our own
 * build writes such files.
 */

const BLOCK = 512;

export async function pack(folder: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .map((entry) => ({
      name: path.relative(folder, path.join(entry.parentPath, entry.name)),
      isFolder: entry.isDirectory(),
    }))
    // Folders come before their files.
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, isFolder } of names) {
    const content = isFolder ? Buffer.alloc(0) : await readFile(path.join(folder, name));
    blocks.push(
      header(isFolder ? `${name}/` : name, content.length, isFolder),
      content,
      padding(content.length),
    );
  }
  blocks.push(Buffer.alloc(2 * BLOCK));
  return await promisify(gzip)(Buffer.concat(blocks), { level: 9 });
}

export async function unpack(packed: Buffer, folder: string): Promise<void> {
  const tar = await promisify(gunzip)(packed);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const writing: Promise<void>[] = [];
  for (let at = 0; tar[at] !== undefined && tar[at] !== 0;) {
    const name = text(tar, at, 100);
    const size = Number.parseInt(text(tar, at + 124, 12), 8);
    const isFolder = text(tar, at + 156, 1) === "5";
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length !== size) throw new Error("The seed of the database ends too early.");
    const target = path.join(folder, name);
    if (isFolder) await mkdir(target, { mode: 0o700, recursive: true });
    else writing.push(writeFile(target, content, { mode: 0o600 }));
    at += BLOCK + size + padding(size).length;
  }
  await Promise.all(writing);
}

function header(name: string, size: number, isFolder: boolean): Buffer {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`The name is too long for the seed: ${name}`);
  block.write(name, 0);
  block.write(isFolder ? "0000700\0" : "0000600\0", 100);
  block.write("0000000\0", 108);
  block.write("0000000\0", 116);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0", 136);
  block.write("        ", 148);
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\x0000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

function text(tar: Buffer, at: number, length: number): string {
  const [value = ""] = tar.toString("latin1", at, at + length).split("\0");
  return value;
}

/** Returns an absolute path without `.`, `..` and empty parts. */
export function normal(file: string): string {
  const parts: string[] = [];
  for (const part of file.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function isAbsolute(file: string): boolean {
  return file.startsWith("/");
}

/** Whether a path is a folder or lies in it. Both paths must be normal. */
export function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder === "/" ? "/" : `${folder}/`);
}

export function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

export function folderOf(file: string): string {
  const end = file.lastIndexOf("/");
  return end <= 0 ? "/" : file.slice(0, end);
}

export function depthOf(file: string): number {
  return file === "/" ? 0 : file.split("/").length - 1;
}

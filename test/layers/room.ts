/** A folder. Every sub-folder of it is a room too. */
export interface Room {
  /** A description for ARCHITECTURE.md. */
  readonly is?: string;
  /** The sibling rooms that it may import. */
  readonly imports?: readonly string[];
  /** The files directly in this folder that its rooms may import. */
  readonly shared?: readonly string[];
  readonly rooms?: Readonly<Record<string, Room>>;
  /** The only file of this room that these sibling rooms may import. They use the room as public users do. */
  readonly face?: { readonly file: string; readonly for: readonly string[] };
  /** Only these sibling files may import this room. */
  readonly onlyFor?: readonly string[];
  /** True if the room uses Node. The other rooms of the library also run in browsers. */
  readonly node?: true;
  /** Third-party packages that it may import. */
  readonly dependencies?: readonly string[];
}

/** One of our packages, with the rooms of its `src`. */
export interface Package extends Room {
  readonly is: string;
  /** The entries of our other packages that it may import. */
  readonly entries: readonly string[];
  /** One of our packages that only some files load, so that commands that do not need it start without it. */
  readonly lazy?: Lazy;
}

export interface Lazy {
  readonly entry: string;
  /** Files and folders that import it statically. All other files import these with `import()` only. */
  readonly files: readonly string[];
  /** Files that import it with `import()`. */
  readonly dynamic: readonly string[];
}

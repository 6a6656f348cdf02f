/** Describes the machine, apart from its files. */
export interface Platform {
  readonly hostname: string;
  /** The name of the shell that runs the model's commands, such as "bash", which is the default. */
  readonly shell?: string | undefined;
  readonly paths: Paths;
  /** The folder for temporary files that commands see as TMPDIR. */
  readonly tmpdir?: string | undefined;
  /** The home of the user. Absent if clients cannot name it as `~`. */
  readonly userHome?: string | undefined;
  /** The files and folders of the running server. Neither commands nor patches may change them. */
  ownCode?(): readonly string[];
  /** Describes the process of the server, for operators. */
  process?(): { readonly id: number; readonly residentMemoryBytes: number };
  /** Returns the hash of the text's UTF-8 bytes, in hexadecimal. */
  digest(algorithm: "sha1" | "sha256", text: string): string;
}

/** The functions of Node's `path` that the engine uses. */
export interface Paths {
  readonly sep: string;
  resolve(...parts: string[]): string;
  relative(from: string, to: string): string;
  join(...parts: string[]): string;
  basename(file: string): string;
  isAbsolute(file: string): boolean;
}

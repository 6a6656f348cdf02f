/** The fields of a package.json that determine what is installed with it. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly bugs?: { readonly url: string };
  readonly private?: boolean;
  readonly workspaces?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly bundleDependencies?: boolean | readonly string[];
  readonly bundledDependencies?: boolean | readonly string[];
}

/**
 * The package that all our other packages use. There must be one copy: `instanceof CodexError` is false for errors of a
 * second copy.
 */
export const CORE = "codexwright";

/** One exact version, also under an alias: `1.2.3`, `npm:other@1.2.3`. */
const PIN = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Scripts that npm runs when a user installs the package. */
const INSTALLING = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];

/** Returns the problems of one package.json. */
export function manifestProblems(manifest: Manifest): string[] {
  const {
    name,
    license,
    engines,
    scripts = {},
    dependencies,
    devDependencies,
    optionalDependencies,
  } = manifest;
  const installed = { ...dependencies, ...devDependencies, ...optionalDependencies };
  return [
    ...Object.entries(installed)
      .filter(([, version]) => !PIN.test(version))
      .map(([dependency, version]) => `${name}: ${dependency} must be one exact version, not ${version}`),
    ...Object.keys(manifest.peerDependencies ?? {})
      // The one required peer has its own check.
      .filter((peer) => peer !== CORE && manifest.peerDependenciesMeta?.[peer]?.optional !== true)
      .map((peer) => `${name}: the peer ${peer} must be optional`),
    ...INSTALLING.filter((script) => script in scripts).map((script) => `${name}: has a script ${script}`),
    ...(license === "MIT" ? [] : [`${name}: license must be MIT`]),
    ...(engines?.["node"] === undefined ? [`${name}: engines must include node`] : []),
  ];
}

/** Checks that the core has no dependencies, because every user would install them with the core. */
export function coreProblems({ name, dependencies, optionalDependencies }: Manifest): string[] {
  const own = Object.keys({ ...dependencies, ...optionalDependencies });
  return own.length === 0 ? [] : [`${name}: has dependencies: ${own.join(", ")}`];
}

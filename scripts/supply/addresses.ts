import type { Manifest } from "./manifests.ts";

/** Addresses with a host that cannot exist (RFC 6761). A release must fill them in. */
const PLACEHOLDER = /^(?:git\+)?https:\/\/repository\.invalid\//;

/** The addresses of a published package. */
export interface Addresses {
  readonly homepage: string;
  readonly repository: { readonly type: "git"; readonly url: string; readonly directory: string };
  readonly bugs: { readonly url: string };
}

/** The addresses of the package in `directory`, for a repository such as `https://github.com/owner/name`. */
export function addressesOf(repository: string, directory: string, homepage: string): Addresses {
  return {
    homepage,
    repository: { type: "git", url: `git+${repository}.git`, directory },
    bugs: { url: `${repository}/issues` },
  };
}

/** A manifest with other addresses. Fields that it has keep their places. */
export function withAddresses(manifest: Manifest, addresses: Addresses): Manifest {
  return { ...manifest, ...addresses };
}

/** Reports problems with the addresses of a published package. */
export function addressProblems(manifest: Manifest, directory: string): string[] {
  const { name, repository } = manifest;
  return [
    ...entriesOf(manifest)
      .filter(([, url]) => url === undefined || !/^(?:git\+)?https:\/\//.test(url))
      .map(([field, url]) => `${name}: ${field} must be an https address, not ${url ?? "missing"}`),
    ...(repository?.directory === directory
      ? []
      : [`${name}: repository.directory must be ${directory}, not ${repository?.directory ?? "missing"}`]),
  ];
}

/** The addresses that a release must fill in, one sentence for each. */
export function placeholdersIn(manifest: Manifest): string[] {
  return entriesOf(manifest)
    .filter(([, url]) => url !== undefined && PLACEHOLDER.test(url))
    .map(([field, url]) => `${manifest.name}: ${field} is the placeholder ${url}`);
}

function entriesOf({ homepage, repository, bugs }: Manifest): [field: string, url: string | undefined][] {
  return [
    ["homepage", homepage],
    ["repository.url", repository?.url],
    ["bugs.url", bugs?.url],
  ];
}

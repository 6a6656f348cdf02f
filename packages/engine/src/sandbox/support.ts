/** Returns why this machine cannot have a sandbox of ours, or `undefined`. */
export function whyUnsupported(platform: string, arch: string): string | undefined {
  if (platform !== "linux") {
    return `commands can be confined on Linux only, and this is ${platform}. Run the server in a Linux container or virtual machine, or use Codex's own app-server.`;
  }
  if (arch !== "x64" && arch !== "arm64") {
    return `commands can be confined on x64 and arm64 only, and this is ${arch}.`;
  }
  return undefined;
}

/** Turns what bwrap prints when it fails into a reason and a remedy. */
export function explain(stderr: string): string {
  const last = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  if (/new namespace|uid map|gid map|namespaces|clone|unshare|Operation not permitted/i.test(stderr)) {
    return `${last || "it does not start"}. It needs user namespaces: sysctl kernel.unprivileged_userns_clone=1 (older Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04 and later), or user.max_user_namespaces above 0; in a container, --security-opt seccomp=unconfined.`;
  }
  return last || "it does not start, and prints no reason";
}

/** CPU milliseconds of this process since the call: all threads, so the garbage collector's too. */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}

/** Bytes that are really in use; needs `--expose-gc`. */
export function liveBytes(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  globalThis.gc(); // what buffers held is given back behind the first one
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The most memory this process has held so far. */
export function peakRssBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

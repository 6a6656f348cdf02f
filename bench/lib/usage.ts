/** CPU milliseconds of this process since the call, on all threads, including the garbage collector. */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}

/** Bytes that are in use after garbage collection; needs `--expose-gc`. */
export function liveBytes(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  globalThis.gc(); // The memory of buffers is released only after the first collection.
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The peak memory of this process so far. */
export function peakRssBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

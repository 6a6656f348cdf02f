/** Waits for the first of these promises, but not longer than `ms`. */
export async function within(ms: number, ...promises: Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([late, ...promises]);
  } finally {
    clearTimeout(timer);
  }
}

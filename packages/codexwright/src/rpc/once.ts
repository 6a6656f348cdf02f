/** Returns a function that calls `call` the first time only. */
export function once(call: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    call();
  };
}

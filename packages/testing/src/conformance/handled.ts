/** Marks a promise as handled: if an earlier step fails, it is never awaited. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

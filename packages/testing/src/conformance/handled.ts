/** A promise that may be left alone: where an earlier step fails, nobody comes to await it. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Marks a promise as handled. If an earlier step fails, the promise is never awaited, and its rejection would be
 * reported as unhandled.
 */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

const actions = new Set<() => void>();

function runAll(): void {
  for (const act of actions) act();
}

/**
 * Runs `act` when the process emits `exit`. Returns a function that cancels the action. All actions share one listener.
 */
export function atExit(act: () => void): () => void {
  if (actions.size === 0) process.on("exit", runAll);
  actions.add(act);
  return () => {
    if (actions.delete(act) && actions.size === 0) process.off("exit", runAll);
  };
}

const actions = new Set<() => void>();

function runAll(): void {
  for (const act of actions) act();
}

/** Has something done when the process ends by `exit`, unless it was taken back; one listener serves all. */
export function atExit(act: () => void): () => void {
  if (actions.size === 0) process.on("exit", runAll);
  actions.add(act);
  return () => {
    if (actions.delete(act) && actions.size === 0) process.off("exit", runAll);
  };
}

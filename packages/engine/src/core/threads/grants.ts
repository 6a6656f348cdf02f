/** Permissions that the user has granted beyond the sandbox policy. Paths are absolute and have no links. */
export interface GrantedPermissions {
  readonly writable: readonly string[];
  readonly network: boolean;
}

/** The granted permissions of a thread, for the session or for one turn. */
export class GrantedList {
  readonly #session: GrantedPermissions[] = [];
  #turn: { readonly id: string; readonly granted: GrantedPermissions[] } | undefined;

  grantForSession(granted: GrantedPermissions): void {
    this.#session.push(granted);
  }

  grantForTurn(id: string, granted: GrantedPermissions): void {
    if (this.#turn?.id !== id) this.#turn = { id, granted: [] };
    this.#turn.granted.push(granted);
  }

  /** The permissions that hold now, in the turn with this id. */
  current(turnId: string | undefined): GrantedPermissions {
    const ofTurn = turnId !== undefined && this.#turn?.id === turnId ? this.#turn.granted : [];
    const all = [...this.#session, ...ofTurn];
    return {
      writable: [...new Set(all.flatMap(({ writable }) => writable))],
      network: all.some(({ network }) => network),
    };
  }
}

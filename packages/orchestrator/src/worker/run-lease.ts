import type { ServerLease } from "codexwright/stdio";
import type { Clock } from "../time/clock.ts";

/** The worker ends an agent this long before its lease is over. */
export const FENCE_MS = 5_000;
/** The guard beside the app-server does so this long before, also if the worker is stopped. */
export const GUARD_MS = 3_000;

/**
 * The lease of a run, counted from before a request was sent. So it ends here before it ends in the database, and the
 * clocks of two machines are never compared.
 */
export class RunLease<L extends Pick<ServerLease, "renew"> = ServerLease> {
  readonly server: L;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #fence: () => void;
  #endsAt: number;
  #cancel: () => void = () => {};
  #isOver = false;

  constructor(
    leaseMs: number,
    sentAt: number,
    { clock, newServerLease, fence }: { clock: Clock; newServerLease: (ms: number) => L; fence: () => void },
  ) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#fence = fence;
    this.#endsAt = sentAt + leaseMs;
    this.server = newServerLease(Math.max(this.#leftMs(GUARD_MS), 1));
    this.#arm();
  }

  /** The request that was sent at `sentAt` has succeeded. An answer that is older than the last one changes nothing. */
  renewed(sentAt: number): void {
    const endsAt = sentAt + this.#leaseMs;
    if (this.#isOver || endsAt <= this.#endsAt) return;
    this.#endsAt = endsAt;
    const left = this.#leftMs(GUARD_MS);
    if (left > 0) this.server.renew(left);
    this.#arm();
  }

  /** Whether the agent must have ended. This can be true before the timer fires, for example after a SIGSTOP. */
  get isDue(): boolean {
    return this.#leftMs(FENCE_MS) <= 0;
  }

  end(): void {
    this.#isOver = true;
    this.#cancel();
  }

  #leftMs(before: number): number {
    return this.#endsAt - before - this.#clock.monotonic();
  }

  #arm(): void {
    this.#cancel();
    this.#cancel = this.#clock.after(Math.max(this.#leftMs(FENCE_MS), 0), () => {
      this.end();
      this.#fence();
    });
  }
}

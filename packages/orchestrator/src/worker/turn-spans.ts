import type { NewFleetEvent } from "../domain/events.ts";
import type { Telemetry } from "../observe/telemetry.ts";

type Span = ReturnType<Telemetry["begin"]>;

const BEGINS = { "turn.started": "turn", "hook.started": "hook" } as const;
const ENDS = { "turn.completed": "turn", "hook.ended": "hook" } as const;

/** Makes the spans of turns and hooks from the events of a run. */
export class TurnSpans {
  readonly #telemetry: Telemetry;
  readonly #open = new Map<string, Span>();

  constructor(telemetry: Telemetry) {
    this.#telemetry = telemetry;
  }

  event({ event }: NewFleetEvent): void {
    if (event in BEGINS) {
      const name = BEGINS[event as keyof typeof BEGINS];
      this.#open.get(name)?.end();
      this.#open.set(name, this.#telemetry.begin(name, {}));
    } else if (event in ENDS) {
      const name = ENDS[event as keyof typeof ENDS];
      this.#open.get(name)?.end();
      this.#open.delete(name);
    }
  }

  /** Ends the spans that are open. */
  end(): void {
    for (const span of this.#open.values()) span.end();
    this.#open.clear();
  }
}

import type { GrowthCase } from "./case.ts";

/** Something that grows, its range of sizes, and work whose cost should be proportional to the size. */
export interface Growth {
  readonly title: string;
  /** The smallest size. Its work must outweigh all fixed costs. */
  readonly from: number;
  readonly to: number;
  /** Loaded lazily, so that each sample loads only the code that it measures. */
  readonly load: () => Promise<GrowthCase>;
}

export const GROWTHS: Readonly<Record<string, Growth>> = {
  threads: {
    title: "threads with a turn each, at once",
    from: 64,
    to: 1_024,
    load: async () => (await import("./threads.ts")).threads,
  },
  turns: {
    title: "turns of a thread",
    from: 64,
    to: 1_024,
    load: async () => (await import("./threads.ts")).turns,
  },
  items: {
    title: "items of a turn",
    from: 256,
    to: 4_096,
    load: async () => (await import("./threads.ts")).items,
  },
  "watched-items": {
    title: "items of a turn, state looked at every event",
    // Each access copies the list of the turn's items. The cost of this copy becomes noticeable beyond a thousand
    // items.
    from: 64,
    to: 1_024,
    load: async () => (await import("./threads.ts")).watchedItems,
  },
  resumed: {
    title: "items of a resumed thread",
    from: 2_048,
    to: 32_768,
    load: async () => (await import("./threads.ts")).resumed,
  },
  deltas: {
    title: "deltas of an item, for await",
    from: 2_048,
    to: 32_768,
    load: async () => (await import("./threads.ts")).deltas,
  },
  "watched-deltas": {
    title: "deltas of an item, state looked at every event",
    from: 2_048,
    to: 32_768,
    load: async () => (await import("./threads.ts")).watchedDeltas,
  },
  "message-size": {
    title: "KiB of a message",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./threads.ts")).messageSize,
  },
  "stalled-items": {
    title: "events that a consumer has yet to take",
    from: 2_048,
    to: 32_768,
    load: async () => (await import("./threads.ts")).stalledItems,
  },
  "stalled-deltas": {
    title: "deltas that a consumer has yet to take",
    from: 2_048,
    to: 32_768,
    load: async () => (await import("./threads.ts")).stalledDeltas,
  },
  "in-flight": {
    title: "requests in flight",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./requests.ts")).inFlight,
  },
  waiting: {
    title: "requests that wait for 64 in flight",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./requests.ts")).waiting,
  },
  approvals: {
    title: "approvals asked at once",
    from: 256,
    to: 4_096,
    load: async () => (await import("./requests.ts")).approvals,
  },
  listeners: {
    title: "listeners of a notification",
    from: 512,
    to: 8_192,
    load: async () => (await import("./requests.ts")).listeners,
  },
  "session-events": {
    title: "events of an agent's session",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./session.ts")).events,
  },
  "session-snapshots": {
    title: "snapshots of a session, taken and restored",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./session.ts")).snapshots,
  },
  "session-stored": {
    title: "events of a session that is stored and read",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./session.ts")).stored,
  },
  "session-replayed": {
    title: "events of a journal that is replayed",
    from: 1_024,
    to: 16_384,
    load: async () => (await import("./session.ts")).replayed,
  },
  clients: {
    title: "clients of an endpoint",
    from: 64,
    to: 1_024,
    load: async () => (await import("./endpoint.ts")).clients,
  },
};

import type { Thread as WireThread } from "../../protocol/index.ts";
import type { ThreadRoute } from "./thread-route.ts";

type Field<K extends keyof WireThread> = WireThread[K] | undefined;

/** The wire fields of a thread, as last reported by the server; `undefined` if the server has not reported them. */
export abstract class ThreadFields {
  readonly id: string;
  protected readonly route: ThreadRoute;

  protected constructor(route: ThreadRoute) {
    this.id = route.threadId;
    this.route = route;
  }

  get name(): Field<"name"> {
    return this.route.info?.name;
  }
  get preview(): Field<"preview"> {
    return this.route.info?.preview;
  }
  get status(): Field<"status"> {
    return this.route.fold.state.status ?? this.route.info?.status;
  }
  get cwd(): Field<"cwd"> {
    return this.route.info?.cwd;
  }
  get path(): Field<"path"> {
    return this.route.info?.path;
  }
  get model(): Field<"model"> {
    return this.route.info?.model;
  }
  get modelProvider(): Field<"modelProvider"> {
    return this.route.info?.modelProvider;
  }
  get reasoningEffort(): Field<"reasoningEffort"> {
    return this.route.info?.reasoningEffort;
  }
  get ephemeral(): Field<"ephemeral"> {
    return this.route.info?.ephemeral;
  }
  get historyMode(): Field<"historyMode"> {
    return this.route.info?.historyMode;
  }
  get createdAt(): Field<"createdAt"> {
    return this.route.info?.createdAt;
  }
  get updatedAt(): Field<"updatedAt"> {
    return this.route.info?.updatedAt;
  }
  get cliVersion(): Field<"cliVersion"> {
    return this.route.info?.cliVersion;
  }
  get source(): Field<"source"> {
    return this.route.info?.source;
  }
  get gitInfo(): Field<"gitInfo"> {
    return this.route.info?.gitInfo;
  }
  get forkedFromId(): Field<"forkedFromId"> {
    return this.route.info?.forkedFromId;
  }
  get parentThreadId(): Field<"parentThreadId"> {
    return this.route.info?.parentThreadId;
  }
  get agentNickname(): Field<"agentNickname"> {
    return this.route.info?.agentNickname;
  }
  get agentRole(): Field<"agentRole"> {
    return this.route.info?.agentRole;
  }

  /** Everything that the server has reported about the thread, including fields that have no getter here. */
  get wire(): WireThread | undefined {
    return this.route.info;
  }
}

import { row, type AbsentRow, type Row, type Table } from "../lib/report.ts";
import { sampleAll, sampleSome, type Absent, type Figures, type Subject } from "../lib/sample.ts";
import { installPeer } from "../peers/install.ts";
import { PEERS } from "../peers/list.ts";
import { openWorld } from "../real/world.ts";

const SDK = "@openai/codex-sdk";
const RAW = "raw: spawn, JSON lines";
const OURS = "ours";
const TURNS = 20;
const CONCURRENT = 50;
const REQUESTS = 2_000;
/** Numbers of concurrent requests. The real server can queue 128 requests. */
const LEVELS = [1, 10, 100];
const FLOOD = 1_000;

const WHY =
  "`codex exec` gets its one prompt when it starts. An app-server must perform the handshake, open a thread and run a turn, one after the other, with any client.";

/** Measures a real Codex, with a model that answers immediately. */
export async function realServer(): Promise<Table[]> {
  const sdk = await installedSdk();
  await using world = await openWorld();
  const bench = new Bench(world.file, sdk);
  // The first server in a new CODEX_HOME creates its databases, so this run is not counted.
  bench.sample("raw", "start");
  return [
    ...bench.start(),
    ...bench.turns(),
    ...bench.concurrent(),
    ...bench.requests(),
    ...bench.recovery(),
  ];
}

/** The folder of the installed SDK, or the reason why it is missing. */
async function installedSdk(): Promise<string | Absent> {
  const info = PEERS.find((peer) => peer.package === SDK);
  if (!info) return { absent: "is not among the peers" };
  try {
    return await installPeer(info);
  } catch (error) {
    return { absent: `could not be installed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

type Samples = readonly Figures[];

class Bench {
  readonly #world: string;
  readonly #sdk: string | Absent;

  constructor(world: string, sdk: string | Absent) {
    this.#world = world;
    this.#sdk = sdk;
  }

  start(): Table[] {
    const parties = ["raw", "ours"].map((party) => this.#subject(party, "connect", []));
    const [rawConnects = [], connects = []] = sampleAll(parties, 12);
    const connect = row(RAW, rawConnects, "connectMs");
    const [raw, ours, sdk] = this.#all("start", [], { times: 5, sdkTimes: 3 });
    return [
      {
        title: "Spawn to the end of the handshake",
        unit: "ms",
        rows: [
          { ...connect, of: "bound" },
          { ...row(OURS, connects, "connectMs", { baseline: connect, target: 1.2 }), of: "ours" },
          absent("a `codex exec` for each turn has no handshake"),
        ],
      },
      this.#table("Spawn to the first text of a first turn", "ms", "firstTextMs", { raw, ours, sdk }),
    ];
  }

  turns(): Table[] {
    const [raw, ours, sdk] = this.#all("turns", [TURNS], { times: 3, sdkTimes: 2, sdkArgs: [TURNS / 4] });
    return [
      this.#table("A trivial turn", "ms", "turnMs", { raw, ours, sdk }),
      this.#table("A trivial turn, client's process", "CPU ms", "turnCpuMs", { raw, ours, sdk }),
    ];
  }

  concurrent(): Table[] {
    const [raw, ours, sdk] = this.#all("concurrent", [CONCURRENT], { times: 2, sdkTimes: 1 });
    const title = `${CONCURRENT} turns at once`;
    return [
      this.#table(title, "ms", "allMs", { raw, ours, sdk }),
      this.#table(`${title}, client's process`, "CPU ms", "allCpuMs", { raw, ours, sdk }),
    ];
  }

  requests(): Table[] {
    const args = [REQUESTS, ...LEVELS];
    const [raw = [], ours = []] = sampleAll(
      [this.#subject("raw", "rate", args), this.#subject("ours", "rate", [...args, FLOOD])],
      3,
    );
    const [flood = {}] = this.sample("raw", "rate", [REQUESTS, FLOOD]);
    const table = (what: string, unit: string, figure: string): Table => ({
      title: `A request, by how many are asked at once${what}`,
      unit,
      rows: [
        ...LEVELS.flatMap((level) => {
          const baseline = row(`${level} at once, ${RAW}`, raw, `${figure}${level}`);
          const own = row(`${level} at once, ours`, ours, `${figure}${level}`, { baseline });
          return [{ ...baseline, of: "bound" as const }, own];
        }),
        {
          name: `${FLOOD} at once, ${RAW}`,
          absent: `the server left ${flood[`unanswered${FLOOD}`]} of ${REQUESTS} without any answer`,
        },
        row(`${FLOOD} at once, ours`, ours, `${figure}${FLOOD}`),
        absent("no requests"),
      ],
    });
    return [table("", "µs", "us"), table(", client's process", "CPU µs", "cpuUs")];
  }

  recovery(): Table[] {
    const [raw, ours, sdk] = this.#all("recovery", [], { times: 4, sdkTimes: 2 });
    return [
      this.#table("`kill -9` in a turn to the first text of the next", "ms", "recoveredMs", {
        raw,
        ours,
        sdk,
      }),
    ];
  }

  sample(party: string, task: string, args: readonly number[] = []): Samples {
    const [samples = []] = sampleAll([this.#subject(party, task, args)], 1);
    return samples;
  }

  /** Samples of the raw client, of our client and of the SDK. The SDK is slower and gets fewer samples. */
  #all(
    task: string,
    args: readonly number[],
    { times, sdkTimes, sdkArgs = args }: { times: number; sdkTimes: number; sdkArgs?: readonly number[] },
  ): [raw: Samples, ours: Samples, sdk: Samples | Absent] {
    const [raw = [], ours = []] = sampleAll(
      ["raw", "ours"].map((party) => this.#subject(party, task, args)),
      times,
    );
    if (typeof this.#sdk !== "string") return [raw, ours, this.#sdk];
    const [sdk = []] = sampleSome([{ ...this.#subject("sdk", task, sdkArgs), optional: true }], sdkTimes);
    return [raw, ours, sdk];
  }

  #subject(party: string, task: string, args: readonly number[]): Subject {
    const installed = typeof this.#sdk === "string" ? this.#sdk : "";
    const words = [party, this.#world, installed, task, ...args.map(String)];
    return { name: `${task}, ${party}`, program: "real", args: words };
  }

  #table(
    title: string,
    unit: string,
    figure: string,
    { raw, ours, sdk }: { raw: Samples; ours: Samples; sdk: Samples | Absent },
  ): Table {
    const baseline = row(RAW, raw, figure);
    const rows: (Row | AbsentRow)[] = [
      { ...baseline, of: "bound" },
      { ...row(OURS, ours, figure, { baseline }), of: "ours" },
    ];
    if ("absent" in sdk) rows.push(absent(sdk.absent));
    else rows.push({ ...row(SDK, sdk, figure, { baseline }), of: "peer", rival: OURS, why: WHY });
    return { title, unit, rows };
  }
}

function absent(why: string): AbsentRow {
  return { name: SDK, of: "peer", absent: why };
}

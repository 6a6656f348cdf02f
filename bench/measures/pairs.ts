import { TRANSPORTS } from "../lib/listening.ts";
import { row, type AbsentRow, type Row } from "../lib/report.ts";
import { sampleSome, type Absent, type Figures, type Subject } from "../lib/sample.ts";
import type { ServerPrograms } from "../lib/server-program.ts";
import { field, rowsOf, subjectsOf, type Entry } from "../peers/field.ts";
import type { Task } from "../peers/list.ts";

/** The raw client and ours over each transport, and each peer over its own transports. */
export class Pairs {
  readonly #peers: readonly Entry[];
  readonly #own: readonly Subject[];
  readonly #outcomes: readonly (readonly Figures[] | Absent)[];

  private constructor(peers: readonly Entry[], own: readonly Subject[], times: number) {
    this.#peers = peers;
    this.#own = own;
    this.#outcomes = sampleSome([...own, ...subjectsOf(peers)], times);
  }

  /** @param program gets the subject (`raw`, `ours`), the transport, the server, and `args` */
  static async sample(
    servers: ServerPrograms,
    program: string,
    args: readonly string[],
    forPeers: { readonly task: Task; readonly server: readonly string[]; readonly args: readonly string[] },
  ): Promise<Pairs> {
    const peers = await field(servers, {
      task: forPeers.task,
      server: () => forPeers.server,
      args: () => forPeers.args,
      limitMs: 60_000,
    });
    const server = servers.make(...forPeers.server);
    const own = TRANSPORTS.flatMap((transport) =>
      ["raw", "ours"].map((who) => ({
        name: `${who}, ${transport}`,
        program,
        args: [who, transport, server, ...args],
        nodeFlags: ["--expose-gc"],
      })),
    );
    return new Pairs(peers, own, 2);
  }

  /** @param why is printed if a peer needs less than ours */
  rows(figure: string, why: string): (Row | AbsentRow)[] {
    const own = this.#own.map(({ name }, at): Row => {
      const told = this.#row(name, at, figure);
      return at % 2 === 0
        ? { ...told, of: "bound" }
        : { ...told, of: "ours", ratio: told.min / this.#row(name, at - 1, figure).min };
    });
    const [baseline] = own;
    if (!baseline) return [];
    const rivals = (): string => "ours, stdio";
    const others = this.#outcomes.slice(own.length);
    return [...own, ...rowsOf(this.#peers, others, figure, { baseline, rivals, why })];
  }

  #row(name: string, at: number, figure: string): Row {
    return row(name, this.#outcomes[at] as readonly Figures[], figure);
  }
}

import {
  record,
  type RecordedTransport,
  type RecordingLine,
  type RecordOptions,
} from "codexwright/recording";
import type { CloseReason, Transport, TransportSink } from "codexwright/rpc";

/** A transport whose other end is controlled by the test. */
export class TestWire implements Transport {
  readonly sent: string[] = [];
  #sink: TransportSink | undefined;

  open(sink: TransportSink): void {
    this.#sink = sink;
  }

  async send(text: string): Promise<void> {
    this.sent.push(text);
  }

  async close(): Promise<void> {
    this.end({ message: "closed by the client" });
  }

  say(...messages: (object | string)[]): void {
    for (const each of messages) this.#sink?.line(typeof each === "string" ? each : JSON.stringify(each));
  }

  end(reason: CloseReason): void {
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.closed(reason);
  }
}

export interface Taped {
  readonly transport: RecordedTransport;
  readonly wire: TestWire;
  readonly channel: Transport;
  readonly lines: RecordingLine[];
  /** The lines that reached the client. */
  readonly heard: string[];
}

/** Records a connection in memory. */
export async function taped(options: RecordOptions = {}): Promise<Taped> {
  const lines: RecordingLine[] = [];
  const heard: string[] = [];
  const wire = new TestWire();
  const transport = record(
    () => wire,
    (line) => lines.push(line),
    options,
  );
  const channel = await transport(new AbortController().signal);
  channel.open({
    line: (text) => heard.push(text),
    closed: (reason) => heard.push(`closed: ${reason.message}`),
  });
  return { transport, wire, channel, lines, heard };
}

/** Returns the lines of a recording after its header. */
export function bodies(lines: readonly RecordingLine[]): unknown[] {
  return lines.slice(1).map((line) => {
    if ("message" in line) return line.message;
    if ("text" in line) return line.text;
    return "closed" in line ? line.closed : line;
  });
}

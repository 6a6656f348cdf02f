import type { Requirement } from "./requirement.ts";

export const TOOLS = [
  {
    id: "tools.schemas",
    statement:
      "Zod, ArkType, wrapped Valibot and jsonSchema() are schemas; anything else is refused with the fix.",
  },
  {
    id: "tools.arguments",
    statement: "Arguments are validated before a tool runs; the model is told what is wrong, path by path.",
  },
  {
    id: "tools.results",
    statement:
      "A tool gives text, JSON or content items; a throw is success: false with its message; parallel calls run in parallel.",
  },
  {
    id: "tools.deadline",
    statement: "A tool that runs out of time is success: false at once, and its signal aborts.",
  },
  {
    id: "tools.names",
    statement:
      "Names the server would refuse, or take for its own tools, are refused before thread/start, all at once.",
  },
  {
    id: "tools.unknown",
    statement: "An unknown tool is success: false with a text that names it and lists the known ones.",
  },
  {
    id: "tools.namespaces",
    statement: "Tools of a namespace are told as one group; deferLoading works there and only there.",
  },
  {
    id: "output.strict",
    statement:
      "An output schema is made strict: closed, all required, optional as nullable; other shapes are refused when the call is made.",
  },
  {
    id: "output.parse",
    statement: "The final answer is parsed, freed of nulls that stand for absent properties, and validated.",
  },
  {
    id: "output.embedded",
    statement:
      "JSON between sentences and in fences is read: the first value that matches, never a part of another one, in time that grows with the text, and with at most 32 validations.",
  },
  {
    id: "output.invalid",
    statement: "An answer that does not match is `output_invalid` with the raw text and the issues.",
  },
  {
    id: "turn.reconciled",
    statement: "A turn whose terminal event never comes is read back and marked `reconciled`.",
  },
  {
    id: "turn.spec-001",
    statement: "turn/failed, turn/cancelled and turn/completed without params are terminal events.",
  },
  {
    id: "turn.send",
    statement: "send() steers, queues or interrupts, and tells exactly what became of the message.",
  },
  {
    id: "turn.unsolicited",
    statement: "Turns and threads nobody asked for are surfaced and never mixed into another turn.",
  },
  {
    id: "turn.phantom",
    statement: "A second turn/start during a turn ends well, whatever id the server answers with.",
  },
  {
    id: "turn.table",
    statement: "Every way a turn can end settles result and iterator exactly once, alike.",
  },
  {
    id: "tools.once",
    statement: "No call is run twice, also when the server asks for it again after a lost connection.",
  },
] as const satisfies readonly Requirement[];

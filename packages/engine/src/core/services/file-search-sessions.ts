import { offAbort, onAbort } from "codexwright/internal";
import type { ClientConnection, Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import type { EngineHost } from "../host.ts";
import { findFiles } from "./file-search.ts";

/** Each search of a session reads folders. */
const MOST_SESSIONS = 64;

interface Session {
  readonly roots: readonly string[];
  /** The query that is searched next. */
  wanted: string | undefined;
  searching: boolean;
  readonly close: () => void;
}

/** Searches for files whose query changes while a user types. A session ends with the client that started it. */
export function fileSearchSessions(host: EngineHost): Handlers {
  const sessions = new Map<string, Session>();
  const keyOf = (connection: ClientConnection, id: string): string => `${connection.id} ${id}`;
  return {
    "fuzzyFileSearch/sessionStart": ({ sessionId, roots }, { connection, signal }) => {
      if (sessionId === "") throw new ResponseError(-32600, "sessionId must not be empty");
      if (roots.length === 0) throw failed("at least one search directory is required");
      const key = keyOf(connection, sessionId);
      sessions.get(key)?.close();
      if (sessions.size >= MOST_SESSIONS) throw failed(`there are ${MOST_SESSIONS} sessions already`);
      const session: Session = {
        roots,
        wanted: undefined,
        searching: false,
        close: () => {
          sessions.delete(key);
          offAbort(signal, session.close);
        },
      };
      sessions.set(key, session);
      onAbort(signal, session.close);
      return {};
    },
    "fuzzyFileSearch/sessionUpdate": ({ sessionId, query }, { connection, afterAnswer }) => {
      const key = keyOf(connection, sessionId);
      const session = sessions.get(key);
      if (!session) throw new ResponseError(-32600, `fuzzy file search session not found: ${sessionId}`);
      session.wanted = query;
      const isOpen = (): boolean => sessions.get(key) === session;
      afterAnswer(() => {
        if (!session.searching) host.endpoint.hold(search(host, session, connection, sessionId, isOpen));
      });
      return {};
    },
    "fuzzyFileSearch/sessionStop": ({ sessionId }, { connection }) => {
      sessions.get(keyOf(connection, sessionId))?.close();
      return {};
    },
  };
}

/** Searches until the query no longer changes. Queries that were replaced before their search began are left out. */
async function search(
  host: EngineHost,
  session: Session,
  connection: ClientConnection,
  sessionId: string,
  isOpen: () => boolean,
): Promise<void> {
  session.searching = true;
  try {
    for (let query = session.wanted; query !== undefined; query = session.wanted) {
      session.wanted = undefined;
      const files = query === "" ? [] : await findFiles(host.files, query, session.roots);
      if (!isOpen()) return;
      connection.notify("fuzzyFileSearch/sessionUpdated", { sessionId, query, files });
    }
    connection.notify("fuzzyFileSearch/sessionCompleted", { sessionId });
  } catch (error) {
    host.failed(error);
  } finally {
    session.searching = false;
  }
}

function failed(why: string): ResponseError {
  return new ResponseError(-32603, `failed to start fuzzy file search session: ${why}`);
}

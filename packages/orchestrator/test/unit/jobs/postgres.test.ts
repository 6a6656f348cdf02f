import { describe } from "vitest";
import { postgresPlace, type Place } from "../../support/job-store.ts";
import { noPostgres, startPostgres } from "../../support/postgres.ts";
import { conformance } from "./conformance/all.ts";

describe.skipIf(noPostgres !== false)(
  `PostgreSQL${noPostgres === false ? "" : ` (skipped: ${noPostgres})`}`,
  () => {
    conformance("PostgreSQL", async (): Promise<Place> => {
      const server = await startPostgres();
      const place = await postgresPlace(server);
      return {
        ...place,
        async [Symbol.asyncDispose]() {
          await place[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    });
  },
);

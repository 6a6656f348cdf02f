import { afterAll, beforeAll, describe } from "vitest";
import type { Place } from "../../../support/job-store.ts";
import { Bench } from "./bench.ts";
import { claimTests } from "./claims.ts";
import { leaseTests } from "./leases.ts";
import { modelTests } from "./model.ts";
import { orderTests } from "./orders.ts";
import { sharedTests } from "./shared.ts";

/** The tests that hold for every database. All run on one database, each in a scope of its own. */
export function conformance(name: string, open: () => Promise<Place>): void {
  describe(`the job store on ${name}`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await Bench.open(await open());
    }, 120_000);
    afterAll(async () => {
      await bench[Symbol.asyncDispose]();
    });
    claimTests(() => bench);
    leaseTests(() => bench);
    orderTests(() => bench);
    sharedTests(() => bench);
    modelTests(() => bench);
  });
}

import { expect, test } from "vitest";
import * as endpoint from "codexwright/endpoint";
import * as rpc from "codexwright/rpc";
import * as server from "codexwright/server";

test("the server entries export the error that handlers throw for clients", () => {
  expect(server.ResponseError).toBe(rpc.ResponseError);
  expect(endpoint.ResponseError).toBe(rpc.ResponseError);
});

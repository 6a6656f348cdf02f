import type * as services from "./services.ts";

/** The module of the services, as whoever loads it holds it. */
export type ServicesModule = typeof services;

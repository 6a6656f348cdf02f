#!/usr/bin/env node
import { run } from "./program.ts";
import { VERSION } from "./version.ts";

process.exitCode = await run(process.argv.slice(2), VERSION);

// Runs the test that docs/guide/first-test.md shows.
await import("../../../examples/greet.test.ts");

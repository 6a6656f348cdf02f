/** Runs a built example: `npm run example -- recipes/github-bot`. */
const [name = ""] = process.argv.splice(2, 1);
if (!/^[\w-]+(?:\/[\w-]+)*$/.test(name))
  throw new Error("name an example: npm run example -- recipes/github-bot");
await import(new URL(`../examples/${name}.js`, import.meta.url).href);

// A process of its own, because several of them write the same file. Writes `writer_<n>.key_<i>` for each i below `count`.
const [, , dist, home, n, count] = process.argv;
const { configFiles } = await import(dist);
const files = configFiles({ home, cwd: home, overrides: [], systemFile: `${home}/none.toml` });
for (let i = 0; i < Number(count); i++) {
  const edit = { keyPath: `writer_${n}.key_${i}`, value: i, mergeStrategy: "replace" };
  await files.write([edit], {});
  process.stdout.write(`${i}\n`);
}

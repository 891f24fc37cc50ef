// Bundles the extension into dist/, or with --tests its unit tests, which node runs then.
import { readdirSync } from "node:fs";

import { build } from "esbuild";

const tests = process.argv.includes("--tests");
const unit = "test/unit";
await build({
  entryPoints: tests
    ? readdirSync(unit)
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => `${unit}/${name}`)
    : ["src/extension.ts"],
  outdir: tests ? "dist/unit" : "dist",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  minify: !tests,
  legalComments: "none",
});

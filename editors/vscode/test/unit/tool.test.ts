import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { findTool, isSame, type Interpreter, type Search } from "../../src/tool";

const folder = mkdtempSync(join(tmpdir(), "jitlint-"));
const file = (name: string): string => {
  writeFileSync(join(folder, name), "");
  return join(folder, name);
};
const command = file("jitlint");
const python = file("python");
const nothing: Search = {
  path: [],
  interpreter: [],
  selected: undefined,
  folder,
  searchPath: [join(folder, "none")],
};
const asked: string[] = [];
const answers =
  (hasJitlint: boolean) =>
  (interpreter: string): Promise<Interpreter> => {
    asked.push(interpreter);
    return Promise.resolve({ version: "3.13.1", hasJitlint });
  };

test("the named command comes first, relative to the folder", async () => {
  const search = { ...nothing, path: ["missing", "jitlint"], selected: python };
  const { tool, misses } = await findTool(search, answers(true));
  assert.deepEqual(tool, { command, args: [], origin: "jitlint.path" });
  assert.deepEqual(misses, [`jitlint.path: there is no file ${join(folder, "missing")}`]);
});

test("the selected interpreter's jitlint comes before the PATH's", async () => {
  const search = { ...nothing, selected: python, searchPath: [folder] };
  const { tool } = await findTool(search, answers(true));
  assert.deepEqual(tool, {
    command: python,
    args: ["-P", "-m", "jitlint"],
    origin: "selected interpreter",
  });
});

test("a named interpreter takes the place of the selected one", async () => {
  const mine = file("mine");
  asked.length = 0;
  const { tool } = await findTool({ ...nothing, interpreter: [mine], selected: python }, answers(true));
  assert.equal(tool?.origin, "jitlint.interpreter");
  assert.deepEqual(asked, [mine]);
});

test("an environment without jitlint leaves it to the PATH", { skip: process.platform === "win32" }, async () => {
  const search = { ...nothing, selected: python, searchPath: [folder] };
  const { tool, misses } = await findTool(search, answers(false));
  assert.deepEqual(tool, { command, args: [], origin: "PATH" });
  assert.deepEqual(misses, [`selected interpreter: ${python} (Python 3.13.1) has no jitlint`]);
});

test("what was looked at in vain is said", async () => {
  const { tool, misses } = await findTool({ ...nothing, selected: python }, () =>
    Promise.reject(new Error("not executable")),
  );
  assert.equal(tool, undefined);
  assert.deepEqual(misses, [
    `selected interpreter: ${python} does not run: not executable`,
    "PATH: no folder on it has jitlint",
  ]);
});

test("a real interpreter is asked, whatever lies in the working directory", async (context) => {
  const real = process.env.PYTHON ?? "/usr/bin/python3";
  const found = await findTool({ ...nothing, selected: real });
  if (found.misses.some((miss) => /no file|does not run/.test(miss))) {
    context.skip(found.misses.join("; "));
    return;
  }
  assert.ok(found.tool !== undefined || /\(Python 3[.\d]+\S*\) has no jitlint/.test(found.misses[0] ?? ""));
});

test("tools that run the same are the same", () => {
  const one = { command: "a", args: ["b"], origin: "PATH" };
  assert.ok(isSame(one, { ...one, origin: "jitlint.path" }));
  assert.ok(!isSame(one, { ...one, args: [] }));
  assert.ok(!isSame(one, undefined));
  assert.ok(isSame(undefined, undefined));
});

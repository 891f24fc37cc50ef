import assert from "node:assert/strict";
import test from "node:test";

import { substituted } from "../../src/variables";

const known = { folder: "/work/a", home: "/home/me", environment: { VENV: "/envs/$&" } };

test("variables and a leading tilde are replaced", () => {
  assert.equal(substituted("${workspaceFolder}/.venv/bin/python", known), "/work/a/.venv/bin/python");
  assert.equal(substituted("${env:VENV}/bin", known), "/envs/$&/bin");
  assert.equal(substituted("~/bin:${userHome}", known), "/home/me/bin:/home/me");
});

test("what means nothing stays, and an unset variable is empty", () => {
  assert.equal(substituted("${file}/a~b", known), "${file}/a~b");
  assert.equal(substituted("${env:NONE}/bin", known), "/bin");
  assert.equal(substituted("${workspaceFolder}", { ...known, folder: undefined }), "${workspaceFolder}");
});

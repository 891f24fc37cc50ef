import js from "@eslint/js";
import { globalIgnores } from "eslint/config";
import ts from "typescript-eslint";

export default ts.config(
  globalIgnores(["dist/", "test/vscode/python-stand-in/"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // node:test's functions return promises that it awaits by itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] },
      ],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: Object.fromEntries(
        ["URL", "console", "document", "fetch", "NodeFilter", "process"].map((name) => [
          name,
          "readonly",
        ]),
      ),
    },
  },
);

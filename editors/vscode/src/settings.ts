import * as os from "node:os";

import * as vscode from "vscode";

import { substituted, type Variables } from "./variables";

export const SECTION = "jitlint";

/** What the server reads; `jitlint/integrations/server/settings.py` says what each means. */
export const SERVER_SETTINGS = [
  "select",
  "extendSelect",
  "ignore",
  "minSeverity",
  "configuration",
  "lintOnChange",
  "workspaceDiagnostics",
] as const;

/** Where to look for jitlint, as the user said it. */
export interface Places {
  /** Paths of `jitlint` commands. */
  readonly path: readonly string[];
  /** Paths of Python interpreters. */
  readonly interpreter: readonly string[];
}

/** The places that hold for a folder. */
export function places(folder: vscode.WorkspaceFolder | undefined): Places {
  const section = vscode.workspace.getConfiguration(SECTION, folder ?? null);
  const known = variables(folder);
  const paths = (name: string): string[] =>
    section.get<string[]>(name, []).map((path) => substituted(path, known));
  return { path: paths("path"), interpreter: paths("interpreter") };
}

/** The settings of the server that hold for a file or folder. */
export function serverSettings(scope: vscode.Uri | undefined): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  const folder =
    scope === undefined
      ? vscode.workspace.workspaceFolders?.[0]
      : vscode.workspace.getWorkspaceFolder(scope);
  const known = variables(folder);
  return Object.fromEntries(
    SERVER_SETTINGS.map((name) => {
      const value: unknown = section.get(name);
      return [name, typeof value === "string" ? substituted(value, known) : value];
    }),
  );
}

/** Whether unsaved text of a document is linted. */
export function lintsOnChange(document: vscode.TextDocument): boolean {
  return vscode.workspace.getConfiguration(SECTION, document.uri).get("lintOnChange", true);
}

/** The folder whose environment has jitlint: one server serves all folders. */
export function mainFolder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.[0];
}

function variables(folder: vscode.WorkspaceFolder | undefined): Variables {
  return { folder: folder?.uri.fsPath, home: os.homedir(), environment: process.env };
}

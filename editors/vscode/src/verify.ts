import * as path from "node:path";

import * as vscode from "vscode";

import { activeFile } from "./activeTab";
import type { Tool } from "./tool";

/** Proves the reports on the active file under real JAX, in a terminal, once the user agrees. */
export async function verifyFile(tool: Tool | undefined): Promise<void> {
  const uri = activeFile();
  if (tool === undefined || uri?.scheme !== "file") {
    void vscode.window.showErrorMessage(
      tool === undefined ? "jitlint was not found." : "Save the file first: jitlint verifies files.",
    );
    return;
  }
  const name = path.basename(uri.fsPath);
  const run = "Run Its Code";
  const answer = await vscode.window.showWarningMessage(
    `Run the code of ${name}?`,
    {
      modal: true,
      detail:
        "jitlint verify runs this file, and what it imports, in a copy of the project, " +
        "to show under real JAX which reports are right. Unsaved changes are saved first.",
    },
    run,
  );
  if (answer !== run || !(await saved(uri))) {
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const task = new vscode.Task(
    { type: "process", task: "jitlint verify" },
    folder ?? vscode.TaskScope.Workspace,
    `verify ${name}`,
    "jitlint",
    new vscode.ProcessExecution(tool.command, [...tool.args, "verify", uri.fsPath], {
      cwd: folder?.uri.fsPath ?? path.dirname(uri.fsPath),
    }),
    [],
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: true, clear: true };
  await vscode.tasks.executeTask(task);
}

async function saved(uri: vscode.Uri): Promise<boolean> {
  const isThis = (item: { readonly uri: vscode.Uri }): boolean => item.uri.toString() === uri.toString();
  const open =
    vscode.workspace.notebookDocuments.find(isThis) ?? vscode.workspace.textDocuments.find(isThis);
  return open?.isDirty !== true || open.save();
}

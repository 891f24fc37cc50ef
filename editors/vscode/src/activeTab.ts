import * as vscode from "vscode";

/**
 * The file in the active tab. `window.activeTextEditor` is the output where that was clicked last, and
 * no notebook.
 */
export function activeFile(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook
    ? input.uri
    : undefined;
}

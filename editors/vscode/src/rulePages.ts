import * as vscode from "vscode";

import { activeFile } from "./activeTab";
import { runTool, type Tool } from "./tool";

export const RULE_SCHEME = "jitlint-rule";

interface Rule {
  readonly code: string;
  readonly name: string;
  readonly summary: string;
}

/** Shows what `jitlint explain` says, as documents that nobody can change. */
export class RulePages implements vscode.TextDocumentContentProvider {
  constructor(private readonly tool: () => Tool | undefined) {}

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return this.ask(["explain", uri.path.replace(/\.md$/, "")]);
  }

  /** Asks for a rule, those at the cursor first, and shows its page. */
  async choose(): Promise<void> {
    const rules = JSON.parse(await this.ask(["rules", "--output-format", "json"])) as Rule[];
    const here = codesAtCursor();
    const items = [
      ...rules.filter((rule) => here.has(rule.code)),
      ...rules.filter((rule) => !here.has(rule.code)),
    ].map((rule) => ({
      label: rule.code,
      description: here.has(rule.code) ? `${rule.name} (reported here)` : rule.name,
      detail: rule.summary,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: "Explain a rule of jitlint",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (chosen !== undefined) {
      const page = vscode.Uri.from({ scheme: RULE_SCHEME, path: `${chosen.label}.md` });
      await vscode.commands.executeCommand("markdown.showPreview", page);
    }
  }

  private async ask(args: readonly string[]): Promise<string> {
    const tool = this.tool();
    if (tool === undefined) {
      throw new Error("jitlint was not found");
    }
    return runTool(tool, args);
  }
}

/** The codes of what jitlint reports where the cursor is. */
function codesAtCursor(): Set<string> {
  const file = activeFile()?.toString();
  const editor = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === file);
  if (editor === undefined) {
    return new Set();
  }
  const codes = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((item) => item.source === "jitlint" && item.range.intersection(editor.selection))
    .map((item) => (typeof item.code === "object" ? item.code.value : item.code));
  return new Set(codes.map(String));
}

import * as vscode from "vscode";

import { SELECTOR } from "./server";

/** What the status bar says of jitlint, behind the braces beside the language. */
export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor() {
    this.item = vscode.languages.createLanguageStatusItem("jitlint", SELECTOR);
    this.item.name = "jitlint";
    this.item.command = { title: "Show Output", command: "jitlint.showOutput" };
    this.starting();
  }

  starting(): void {
    this.show("jitlint", "starting", vscode.LanguageStatusSeverity.Information, true);
  }

  running(version: string | undefined, origin: string): void {
    const text = version === undefined ? "jitlint" : `jitlint ${version}`;
    this.show(text, origin, vscode.LanguageStatusSeverity.Information);
  }

  failed(why: string): void {
    this.show("jitlint", why, vscode.LanguageStatusSeverity.Error);
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(
    text: string,
    detail: string,
    severity: vscode.LanguageStatusSeverity,
    busy = false,
  ): void {
    this.item.text = text;
    this.item.detail = detail;
    this.item.severity = severity;
    this.item.busy = busy;
  }
}

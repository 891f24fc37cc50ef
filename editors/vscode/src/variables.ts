/** What stands for the variables of a setting. */
export interface Variables {
  readonly folder: string | undefined;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A setting with `${workspaceFolder}`, `${userHome}`, `${env:NAME}` and a leading `~` replaced. */
export function substituted(text: string, known: Variables): string {
  return text
    .replace(/^~(?=$|[/\\])/, () => known.home)
    .replace(/\$\{(workspaceFolder|userHome|env:([^}]*))\}/g, (whole, name: string, variable?: string) => {
      if (variable !== undefined) {
        return known.environment[variable] ?? "";
      }
      return (name === "userHome" ? known.home : known.folder) ?? whole;
    });
}

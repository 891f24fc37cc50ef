// A window of VS Code in a browser, and what a user does and sees there.
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE = 60_000;

/** Waits until a question has an answer that is not false, undefined or null. */
export async function until(what, ask, patience = PATIENCE) {
  const end = Date.now() + patience;
  let last;
  for (;;) {
    try {
      last = await ask();
      if (last) {
        return last;
      }
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${what}; last: ${last}`);
    }
    await sleep(150);
  }
}

export class Editor {
  constructor(page) {
    this.page = page;
  }

  async open(address) {
    await this.page.goto(address, { waitUntil: "domcontentloaded" });
    await this.page.waitForSelector(".monaco-workbench .statusbar-item", { timeout: 120_000 });
  }

  async press(...keys) {
    for (const key of keys.slice(0, -1)) {
      await this.page.keyboard.down(key);
    }
    await this.page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) {
      await this.page.keyboard.up(key);
    }
  }

  /** The rows of the box for commands and files. */
  choices() {
    return this.texts(".quick-input-widget:not([style*='display: none']) .monaco-list-row .label-name");
  }

  texts(selector) {
    return this.page.$$eval(selector, (found) =>
      found.map((item) => item.textContent.replaceAll("\u00a0", " ").trim()),
    );
  }

  /** Types into the box and takes the row that reads so. */
  async choose(typed, row) {
    await this.page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
    await this.page.keyboard.type(typed);
    await until(`the choice ${row}`, async () => (await this.choices())[0]?.includes(row));
    await this.press("Enter");
  }

  async command(title) {
    await this.press("F1");
    await this.choose(title, title);
  }

  async file(name) {
    await this.press("Control", "KeyP");
    await this.choose(name, name);
    await until(`the tab ${name}`, async () =>
      (await this.texts(".tab.active .label-name")).includes(name),
    );
  }

  async line(row, column = 1) {
    await this.press("Control", "KeyG");
    await this.page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
    await this.page.keyboard.type(`${row}:${column}`);
    await this.press("Enter");
    await this.cursor(`Ln ${row}, Col ${column}`);
  }

  /** Waits until the status bar says that the cursor is at a place. */
  cursor(place) {
    return until(`the cursor at ${place}`, async () =>
      (await this.texts("#status\\.editor\\.selection")).some((text) => text.startsWith(place)),
    );
  }

  /** Saves what is unsaved. */
  async save() {
    const unsaved = () => this.page.$(".tab.active.dirty");
    await until("something to save", unsaved);
    await this.press("Control", "KeyS");
    await until("the file to be saved", async () => (await unsaved()) === null);
  }

  /**
   * What is drawn below the text of the active editor: for each wave of a kind (error, warning, info)
   * the text above it, which the browser lays out with the widths that the characters really have.
   */
  squiggles(kind) {
    return this.page.evaluate((name) => {
      const editors = [...document.querySelectorAll(".editor-instance .monaco-editor, .cell .monaco-editor")];
      const found = [];
      for (const editor of editors) {
        const characters = [];
        for (const line of editor.querySelectorAll(".view-lines .view-line")) {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const text = walker.currentNode;
            let at = 0;
            for (const character of text.data) {
              const range = document.createRange();
              range.setStart(text, at);
              range.setEnd(text, (at += character.length));
              characters.push([character, range.getBoundingClientRect()]);
            }
          }
        }
        for (const wave of editor.querySelectorAll(`.view-overlays .squiggly-${name}`)) {
          const box = wave.getBoundingClientRect();
          const above = characters.filter(([, at]) => {
            const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
            return box.left < x && x < box.right && box.top - 2 < y && y < box.bottom + 2;
          });
          const text = above.map(([character]) => character).join("").replaceAll("\u00a0", " ");
          found.push([box.top, box.left, text]);
        }
      }
      found.sort(([top, left], [other, right]) => top - other || left - right);
      return found.map(([, , text]) => text);
    }, kind);
  }

  /** The middle of the first wave of a kind. */
  async wave(kind) {
    const handle = await until(`a wave of ${kind}`, () => this.page.$(`.view-overlays .squiggly-${kind}`));
    const box = await handle.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** The rows of the panel of problems, as it reads them to those who do not see them. */
  problems() {
    return this.page.$$eval(".markers-panel .monaco-list-row", (rows) =>
      rows.map((row) => row.getAttribute("aria-label") ?? row.textContent),
    );
  }

  /** The lines of the terminal. */
  async terminal() {
    return (await this.texts(".terminal-wrapper.active .xterm-rows > div")).join("\n");
  }

  async notices() {
    return this.texts(".notification-list-item-message");
  }

  async closeAll() {
    await this.command("View: Close All Editors");
  }

  picture(path) {
    return this.page.screenshot({ path });
  }
}

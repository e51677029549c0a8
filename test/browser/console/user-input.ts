import type { Locator, Page } from 'playwright-core';
import { ONLY_SAMPLE } from '../browser.ts';

/** How a user works with a page. */
export interface UserInput {
  /** Presses a button, or follows a link. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(target: Locator, text: string): Promise<void>;
  /** Enters a time without a zone, for example 2026-02-01T09:00. */
  typeTime(target: Locator, time: string): Promise<void>;
  /** Moves a slider to its start. */
  moveToStart(slider: Locator): Promise<void>;
  /** Opens the tab of a page. */
  openTab(name: string): Promise<void>;
}

export type CreateInput = (page: Page) => UserInput;

export class Mouse implements UserInput {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  press(target: Locator): Promise<void> {
    return target.click();
  }

  type(target: Locator, text: string): Promise<void> {
    return target.fill(text);
  }

  typeTime(target: Locator, time: string): Promise<void> {
    return target.fill(time);
  }

  async moveToStart(slider: Locator): Promise<void> {
    await slider.focus();
    await this.page.keyboard.press('Home');
  }

  openTab(name: string): Promise<void> {
    return this.page.getByRole('tab', { name }).click();
  }
}

/** More elements than any page of the tests has. */
const STEPS_MAX = 400;
/** A longer text is pasted. */
const TYPED_MAX = 100;
/** Reaches everything with Tab, and uses it with Enter, arrows and letters. */
export class Keyboard implements UserInput {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(target: Locator): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('Enter');
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.focus(target);
    await this.page.keyboard.press('ControlOrMeta+A');
    if (text.length > TYPED_MAX) await this.page.keyboard.insertText(text);
    else await this.page.keyboard.type(text);
  }

  /** The field has a part for the month, the day, the year, the hour, the minute, and AM or PM. */
  async typeTime(target: Locator, time: string): Promise<void> {
    const [, year, month, day, hour, minute] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(time)!;
    await this.focus(target);
    await this.page.keyboard.type(`${month}${day}${year}`);
    await this.page.keyboard.press('ArrowRight');
    const hourOfHalf = String(Number(hour) % 12 || 12).padStart(2, '0');
    await this.page.keyboard.type(`${hourOfHalf}${minute}${Number(hour) < 12 ? 'AM' : 'PM'}`);
  }

  async moveToStart(slider: Locator): Promise<void> {
    await this.focus(slider);
    await this.page.keyboard.press('Home');
  }

  /** Tab reaches only the open tab of a list; arrows reach the others. */
  async openTab(name: string): Promise<void> {
    const target = this.page.getByRole('tab', { name });
    await target.waitFor();
    await this.focus(this.page.getByRole('tab', { selected: true }));
    for (let step = 0; step < STEPS_MAX && !(await isFocused(target)); step++)
      await this.page.keyboard.press('ArrowRight');
  }

  /** Moves the focus until the element has it and shows it. A dialog may move the focus once more after it has opened. */
  async focus(target: Locator): Promise<void> {
    await target.waitFor();
    const key = (await isBeforeFocus(target)) ? 'Shift+Tab' : 'Tab';
    for (let step = 0; !(await isFocused(target)) || !(await hasOutline(target)); step++) {
      if (step === STEPS_MAX) throw new Error(`${key} does not reach ${String(target)}, or its focus is not visible`);
      await this.page.keyboard.press(key);
    }
  }
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}

function isBeforeFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const focused = element.ownerDocument.activeElement!;
    return (focused.compareDocumentPosition(element) & element.DOCUMENT_POSITION_PRECEDING) !== 0;
  });
}

function hasOutline(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = element.ownerDocument.defaultView!.getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });
}

const createMouse: CreateInput = (page) => new Mouse(page);
const createKeyboard: CreateInput = (page) => new Keyboard(page);

/** Each journey passes by each of these alone. A short run uses the keyboard, which finds more. */
export const INPUTS: readonly (readonly [string, CreateInput])[] = [
  ['with the keyboard alone', createKeyboard],
  ...(ONLY_SAMPLE ? [] : [['with the mouse', createMouse] as const]),
];

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const WIDTHS = [390, 768, 1280, 1920] as const;
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 900;
const SCRIPT = readFileSync(join(import.meta.dirname, 'find-layout-faults.js'), 'utf8');

/**
 * Returns a sentence for each fault in the visible part of the page: texts that are too narrow, words broken in two,
 * texts that overlap, a page that scrolls sideways.
 */
export function readLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SCRIPT);
}

/** Does the same at four widths and in both themes. */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await waitForDrawing(page);
      faults.push(...(await readLayoutFaults(page)).map((fault) => `${width} px, ${colorScheme}: ${fault}`));
    }
  }
  return faults;
}

/** Waits until the page is drawn after a change. */
export function waitForDrawing(page: Page): Promise<void> {
  return page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
}

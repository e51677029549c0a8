import type { BrowserContextOptions, Page } from 'playwright-core';
import { findViolations } from '../browser.ts';
import { readLayoutFaults, waitForDrawing } from '../layout.ts';

/** The two ways in which every page is looked at. */
const VIEWS = {
  'wide and light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'narrow and dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>;

type View = (typeof VIEWS)[keyof typeof VIEWS];

export const WIDE = VIEWS['wide and light'];

/**
 * Returns what is wrong with the page in each view, with its address. The page is not loaded again, and stays wide.
 * @param checksRules false: only its layout, because another page of the same form is checked
 */
export async function findFaultsInViews(page: Page, checksRules = true): Promise<string[]> {
  const found: string[] = [];
  for (const [name, view] of Object.entries(VIEWS).reverse()) {
    await showAs(page, view);
    const faults = [...(checksRules ? await findViolations(page) : []), ...(await readLayoutFaults(page))];
    found.push(...faults.map((fault) => `${name}: ${fault}`));
  }
  const { pathname, search } = new URL(page.url());
  return found.map((fault) => `${pathname}${search}: ${fault}`);
}

/** Changes the window and the theme, and waits until the page is drawn. */
async function showAs(page: Page, { viewport, colorScheme }: View): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await waitForDrawing(page);
}

import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { runOps } from '../../support/ops.js';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { ONLY_SAMPLE, startBrowser } from '../browser.js';
import { goTo, openWithToken, waitUntilLoaded } from './console.js';
import { findFaultsInViews } from './views.js';

const SEED = ['seed', '--demo', '--days', '35', '--last-day', '2026-11-24'];
/** The tabs whose content is not a list of the same form as the other pages. */
const SPECIAL_TABS = ['Details', 'History'];
/** All pages of a long run, and the first page of each area in a short one. */
const PAGES_MAX = ONLY_SAMPLE ? 1 : Infinity;

let service: Service;
let browser: Browser;
let dataDir: string;
beforeAll(async () => {
  dataDir = await createTempFolder();
  await runOps(dataDir, ...SEED);
  service = await startService({ DATA_DIR: dataDir });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('The console', () => {
  it.each([
    ['Webhooks', 'test'],
    ['Commerce', 'test'],
    ['Community', 'live'],
    ['History', 'test'],
  ] as const)('shows the pages of an area, and the first item of each list: %s', async (area, mode) => {
    const token = await service.signToken('owner', { reviewer: true });
    const { page, faults } = await openWithToken(browser, service.url, token, { mode });
    const found: string[] = [];
    for (const title of (await listPages(page, area)).slice(0, PAGES_MAX)) {
      await goTo(page, area, title);
      found.push(...(await findFaults(page)));
      if (await openFirstItem(page)) found.push(...(await findFaultsOfTabs(page)));
    }

    expect([found, faults]).toEqual([[], []]);
    await page.context().close();
  });
});

/** Returns the lists with columns that a page of 1280 px does not show. */
async function findCutLists(page: Page): Promise<string[]> {
  // A list in a field of a resource has half of the width.
  const lists = page.locator('main .table-scroll:not(.fields *)');
  const cut = await lists.evaluateAll((found) =>
    found.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ ariaLabel }) => ariaLabel),
  );
  return cut.map((label) => `${label}: a column is cut`);
}

/** Returns the titles of the pages of an area. */
function listPages(page: Page, area: string): Promise<readonly string[]> {
  return page.locator(`nav[aria-label="Areas"] section[aria-label="${area}"] a`).allTextContents();
}

/** Opens the first item of a list, if the items have pages. */
async function openFirstItem(page: Page): Promise<boolean> {
  const link = page.locator('main tbody tr:first-child td:first-child a').first();
  if ((await link.count()) === 0) return false;
  await link.click();
  await page.waitForURL(/console\/\w+\/[\w-]+\/./);
  await waitUntilLoaded(page);
  return true;
}

async function findFaultsOfTabs(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await waitUntilLoaded(page);
    found.push(...(await findFaults(page, SPECIAL_TABS.includes(await tab.innerText()))));
  }
  return found;
}

async function findFaults(page: Page, checksRules = true): Promise<readonly string[]> {
  const faults = await findFaultsInViews(page, checksRules);
  return [...faults, ...(await findCutLists(page)), ...(await page.getByRole('alert').allInnerTexts())];
}

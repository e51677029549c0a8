import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { runOps } from '../../support/ops.js';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { findViolations, startBrowser } from '../browser.js';
import { excessWidth, goTo, openWithToken, VIEWS, waitUntilLoaded } from './console.js';

const DAYS = '35';
/** The tabs whose content is not a list of the same form as the other pages. */
const SPECIAL_TABS = ['Details', 'History'];

let service: Service;
let browser: Browser;
let dataDir: string;
beforeAll(async () => {
  dataDir = await createTempFolder();
  await runOps(dataDir, 'seed', '--demo', '--days', DAYS);
  service = await startService({ DATA_DIR: dataDir });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const AREAS = [
  ['Webhooks', 'test'],
  ['Commerce', 'test'],
  ['Community', 'live'],
  ['History', 'test'],
] as const;

describe.each(Object.entries(VIEWS))('The console, %s', (_, view) => {
  it.each(AREAS)('shows every page of an area, and the first item of each list: %s', async (area, mode) => {
    const token = await service.signToken('owner', { reviewer: true });
    const { page, faults } = await openWithToken(browser, service.url, token, { ...view, mode });
    const found: string[] = [];
    for (const title of await listPages(page, area)) {
      await goTo(page, area, title);
      found.push(...(await inspect(page)));
      if (await openFirstItem(page)) found.push(...(await inspectTabs(page)));
    }

    expect([found, faults]).toEqual([[], []]);
    await page.context().close();
  });
});

/** Returns the titles of the pages of an area. The live view needs the event stream. */
async function listPages(page: Page, area: string): Promise<readonly string[]> {
  const titles = await page.locator(`nav[aria-label="Areas"] section[aria-label="${area}"] a`).allTextContents();
  const { body } = await service.createApi().get('/openapi.json');
  const hasStream = '/v1/webhooks/events/stream' in body.paths;
  return titles.filter((title) => title !== 'Live events' || hasStream);
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

async function inspectTabs(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await waitUntilLoaded(page);
    found.push(...(await inspect(page, SPECIAL_TABS.includes(await tab.innerText()))));
  }
  return found;
}

/** Returns what is wrong with the page as it is shown, each with its address. */
async function inspect(page: Page, isNewForm = true): Promise<string[]> {
  const { pathname, search } = new URL(page.url());
  const alerts = await page.getByRole('alert').allInnerTexts();
  const found = [...(isNewForm ? await findViolations(page) : []), ...(await excessWidth(page)), ...alerts];
  return found.map((fault) => `${pathname}${search}: ${fault}`);
}

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { goTo, openFirst, openWithKey, openWithToken, waitUntilLoaded } from '../console/console.ts';
import type { Demo } from './demo.ts';

type TakePicture = (browser: Browser, demo: Demo, options: BrowserContextOptions) => Promise<Page>;

/** Each opens what its picture shows. */
export const PICTURES: Readonly<Record<string, TakePicture>> = {
  delivery: async (browser, demo, options) => {
    const page = await openArea(browser, demo, options, 'Webhooks', 'Deliveries');
    await page
      .getByRole('row', { name: /Failed/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('region', { name: 'Response: body' }).waitFor();
    return settle(page);
  },
  history: async (browser, demo, options) => {
    const page = await openArea(browser, demo, options, 'Commerce', 'Orders');
    await openHistory(page);
    return settle(page);
  },
  correlation: async (browser, demo, options) => {
    const page = await openArea(browser, demo, options, 'Commerce', 'Orders');
    await openHistory(page);
    await page.getByRole('link', { name: 'What the request caused' }).first().click();
    await page.getByRole('link', { name: 'Order completed' }).first().waitFor();
    return settle(page);
  },
  projections: async (browser, { opsUrl, opsToken }, options) => {
    const { page } = await openWithKey(browser, opsUrl, opsToken, options);
    await goTo(page, 'Operators', 'Projections');
    return settle(page);
  },
};

async function openArea(
  browser: Browser,
  { url, token }: Demo,
  options: BrowserContextOptions,
  area: string,
  title: string,
): Promise<Page> {
  const { page } = await openWithToken(browser, url, token, { ...options, mode: 'test' });
  await goTo(page, area, title);
  return page;
}

async function openHistory(page: Page): Promise<void> {
  await openFirst(page);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('slider', { name: 'Entry of the history' }).waitFor();
}

/** Shows the top of a page that is loaded, with the pointer away from it. */
async function settle(page: Page): Promise<Page> {
  await waitUntilLoaded(page);
  await page.mouse.move(0, 0);
  await page.evaluate('window.scrollTo(0, 0)');
  return page;
}

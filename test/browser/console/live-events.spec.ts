import type { Browser } from 'playwright-core';
import { requireData } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openWithKey } from './console.js';

const STREAM = /\/v1\/webhooks\/events\/stream/;

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('The page of live events', () => {
  it('shows events as they are published, and after a pause those that it missed', async () => {
    const key = await service.createKey(await service.createBusiness());
    const publish = async (name: string) =>
      requireData(await service.createApi(key).post('/v1/commerce/products', { name }));
    const { page, faults } = await openWithKey(browser, service.url, key);
    const connected = page.waitForResponse(STREAM);
    await goTo(page, 'Webhooks', 'Live events');
    await connected;
    const events = page.getByRole('main').getByText('product.review_requested');

    await publish('A course');
    await events.first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await publish('A book');
    await page.getByRole('button', { name: 'Continue' }).click();
    await events.nth(1).waitFor();

    expect(await events.count()).toBe(2);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

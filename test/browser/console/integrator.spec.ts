import type { Browser, Page } from 'playwright-core';
import { ONCE } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openWithKey, waitUntilLoaded } from './console.js';

let service: Service;
let browser: Browser;
let receiver: Receiver;
let business: TestBusiness;
beforeAll(async () => {
  [service, receiver, browser] = await Promise.all([startService(), Receiver.start(), startBrowser()]);
  business = await service.createBusiness();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
});

describe('An integrator', () => {
  it('sees why a receiver fails, mends it, and replays one delivery and then a time window', async () => {
    receiver.setResponses('/hook', respondWith(500, {}, 'out of order'));
    const key = await service.createKey(business, { mode: 'test' });
    const { page, faults } = await openWithKey(browser, service.url, key);
    await createEndpoint(page, receiver.url('/hook'));
    // A product is published, unlike a test event, which has one attempt.
    requireData(await service.createApi(key).post('/v1/commerce/products', { name: 'A course', plans: [ONCE] }));
    await receiver.waitForRequests('/hook');

    await openFirstDelivery(page);
    await page.getByText(/Your address failed with 500\. Look into the log of your receiver\./).waitFor();
    await page.getByRole('region', { name: 'Response: body' }).getByText('out of order').waitFor();

    receiver.setResponses('/hook', respondWith(200));
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('dialog').getByRole('link').click();
    await page.getByRole('main').getByText('Success').first().waitFor();

    await replayWindow(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

async function createEndpoint(page: Page, url: string): Promise<void> {
  await goTo(page, 'Webhooks', 'Endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(/Address/).fill(url);
  await form.getByRole('button', { name: 'New endpoint' }).click();
  await form
    .getByRole('region', { name: 'Signing secret' })
    .getByText(/^whsec_/)
    .waitFor();
  await form.getByRole('button', { name: 'Done' }).click();
}

async function openFirstDelivery(page: Page): Promise<void> {
  await goTo(page, 'Webhooks', 'Deliveries');
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'product.review_requested' }).waitFor();
  await waitUntilLoaded(page);
}

/** Counts the deliveries of a window, and then replays them. */
async function replayWindow(page: Page): Promise<void> {
  await goTo(page, 'Webhooks', 'Replay jobs');
  await page.getByRole('button', { name: 'Count first' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(/Events from/).fill(anHourAgo());
  await form.getByRole('button', { name: 'Count first' }).click();
  await form.getByText(/\d+ deliveries fit/).waitFor();
  await form.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'New replay job' }).click();
  await form.getByLabel(/Events from/).fill(anHourAgo());
  await form.getByRole('button', { name: 'New replay job' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('Completed').first().waitFor();
}

/** A value of an input of the type `datetime-local` in the zone of this process, which the browser shares. */
function anHourAgo(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000 - 3_600_000).toISOString().slice(0, 16);
}

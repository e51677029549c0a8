import type { Browser, Page } from 'playwright-core';
import { ONCE } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openWithKey, waitUntilLoaded } from './console.js';
import { INPUTS, type UserInput } from './user-input.js';

let service: Service;
let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver, browser] = await Promise.all([startService(), Receiver.start(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
});

describe('An integrator', () => {
  it.each(INPUTS)(
    'sees why a receiver fails, and replays one delivery and then a window, %s',
    async (_, createInput) => {
      const business = await service.createBusiness();
      receiver.setResponses('/hook', respondWith(500, {}, 'out of order'));
      const key = await service.createKey(business, { mode: 'test' });
      const { page, faults } = await openWithKey(browser, service.url, key, { createInput, locale: 'en-US' });
      const input = createInput(page);
      await createEndpoint(page, input, receiver.url('/hook'));
      // A product is published, unlike a test event, which has one attempt.
      requireData(await service.createApi(key).post('/v1/commerce/products', { name: 'A course', plans: [ONCE] }));
      await receiver.waitForRequests('/hook');

      await openFirstDelivery(page, input);
      await page.getByText(/Your address failed with 500\. Look into the log of your receiver\./).waitFor();
      await page.getByRole('region', { name: 'Response: body' }).getByText('out of order').waitFor();

      receiver.setResponses('/hook', respondWith(200));
      await input.press(page.getByRole('button', { name: 'Replay' }));
      await input.press(page.getByRole('dialog').getByRole('button', { name: 'Replay' }));
      await input.press(page.getByRole('dialog').getByRole('link'));
      await page.getByRole('main').getByText('Success').first().waitFor();

      await replayWindow(page, input);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});

async function createEndpoint(page: Page, input: UserInput, url: string): Promise<void> {
  await goTo(page, 'Webhooks', 'Endpoints', input);
  await input.press(page.getByRole('button', { name: 'New endpoint' }));
  const form = page.getByRole('dialog');
  await input.type(form.getByLabel(/Address/), url);
  await input.press(form.getByRole('button', { name: 'New endpoint' }));
  await form
    .getByRole('region', { name: 'Signing secret' })
    .getByText(/^whsec_/)
    .waitFor();
  await input.press(form.getByRole('button', { name: 'Done' }));
}

async function openFirstDelivery(page: Page, input: UserInput): Promise<void> {
  await goTo(page, 'Webhooks', 'Deliveries', input);
  await input.press(page.getByRole('main').getByRole('link').first());
  await page.getByRole('heading', { level: 1, name: 'product.review_requested' }).waitFor();
  await waitUntilLoaded(page);
}

/** Counts the deliveries of a window, and then replays them. */
async function replayWindow(page: Page, input: UserInput): Promise<void> {
  await goTo(page, 'Webhooks', 'Replay jobs', input);
  await input.press(page.getByRole('button', { name: 'Count first' }));
  const form = page.getByRole('dialog');
  await input.typeTime(form.getByLabel(/Events from/), anHourAgo());
  await input.press(form.getByRole('button', { name: 'Count first' }));
  await form.getByText(/\d+ deliveries fit/).waitFor();
  await input.press(form.getByRole('button', { name: 'Done' }));

  await input.press(page.getByRole('button', { name: 'New replay job' }));
  await input.typeTime(form.getByLabel(/Events from/), anHourAgo());
  await input.press(form.getByRole('button', { name: 'New replay job' }));
  await form.waitFor({ state: 'detached' });
  await page.getByRole('main').getByText('Completed').first().waitFor();
}

/** A value of an input of the type `datetime-local` in the zone of this process, which the browser shares. */
function anHourAgo(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000 - 3_600_000).toISOString().slice(0, 16);
}

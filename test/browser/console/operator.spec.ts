import type { Browser } from 'playwright-core';
import { EventStore } from '../../../src/kernel/event-store.js';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { createEvent } from '../../support/jar.js';
import { startBrowser } from '../browser.js';
import { goTo, openWithKey } from './console.js';
import { findFaultsInViews } from './views.js';

const OPS_TOKEN = 'the-token-of-the-operators-0123456789';
/** A product without its required fields, which the projection of products cannot fold. */
const UNFOLDABLE = createEvent('bad', 'ProductCreated', { productId: 'prod_bad' });

let commerce: CommerceFixture;
let browser: Browser;
beforeAll(async () => {
  [commerce, browser] = await Promise.all([CommerceFixture.start({ OPS_TOKEN }), startBrowser()]);
  await commerce.createOrder([await commerce.createApprovedProduct()]);
});
afterAll(async () => {
  await browser.close();
  await commerce.service.stop();
});

const openConsole = () => openWithKey(browser, commerce.service.running.opsUrl, OPS_TOKEN);

describe('An operator', () => {
  it('rebuilds a projection while its list is read', async () => {
    const { page, faults } = await openConsole();
    await goTo(page, 'Operators', 'Projections');
    const row = page.getByRole('row').filter({ hasText: 'orders' }).first();
    await row.getByRole('button', { name: 'Rebuild' }).click();
    const reading = new AbortController();
    const statuses = readOrdersUntil(reading.signal);
    await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
    await row.getByText(/^completed: \d+ events/).waitFor();
    reading.abort();

    expect([[...new Set(await statuses)], faults]).toEqual([[200], []]);
    await page.context().close();
  });

  it('sees why an event is a dead letter, retries it, and skips it with a reason', async () => {
    await commerce.service.get(EventStore).append('product-prod_bad', 'none', [UNFOLDABLE]);
    const { page, faults } = await openConsole();
    await goTo(page, 'Operators', 'Dead letters');
    const row = page.getByRole('row').filter({ hasText: 'ProductCreated at product-prod_bad' });
    const form = page.getByRole('dialog');
    await row.getByRole('button', { name: 'Retry' }).click();
    expect(await findFaultsInViews(page)).toEqual([]);
    await form.getByRole('button', { name: 'Retry' }).click();
    await form.getByText(/failed again/).waitFor();
    await form.getByRole('button', { name: 'Back' }).click();

    await row.getByRole('button', { name: 'Skip' }).click();
    await form.getByLabel(/Reason/).fill('A product without fields');
    await form.getByLabel('Type ProductCreated to confirm').fill('ProductCreated');
    await form.getByRole('button', { name: 'Skip' }).click();
    await page.getByText('There are no dead letters.').waitFor();
    // The retry that failed again.
    expect(faults).toEqual([expect.stringContaining('409')]);
    await page.context().close();
  });

  it('opens every page', async () => {
    const { page, faults } = await openConsole();
    const found: string[] = [];
    for (const title of ['Health', 'Projections', 'Dead letters', 'Jobs']) {
      await goTo(page, 'Operators', title);
      found.push(...(await findFaultsInViews(page)));
    }

    expect([found, faults]).toEqual([[], []]);
    await page.context().close();
  });
});

async function readOrdersUntil(signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) statuses.push((await commerce.list('orders')).status);
  return statuses;
}

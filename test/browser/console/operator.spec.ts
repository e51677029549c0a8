import type { Browser } from 'playwright-core';
import { EventStore } from '../../../src/kernel/event-store.js';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { createEvent } from '../../support/jar.js';
import { startBrowser } from '../browser.js';
import { goTo, openWithKey } from './console.js';
import { type CreateInput, INPUTS } from './user-input.js';
import { findFaultsInViews } from './views.js';

const OPS_TOKEN = 'the-token-of-the-operators-0123456789';
/** A product without its required fields, which the projection of products cannot fold. */
const createUnfoldable = (product: string) => createEvent(product, 'ProductCreated', { productId: product });

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

const openConsole = (createInput?: CreateInput) =>
  openWithKey(browser, commerce.service.running.opsUrl, OPS_TOKEN, createInput === undefined ? {} : { createInput });

describe('An operator', () => {
  it.each(INPUTS)('rebuilds a projection while its list is read, %s', async (_, createInput) => {
    const { page, faults } = await openConsole(createInput);
    const input = createInput(page);
    await goTo(page, 'Operators', 'Projections', input);
    const row = page.getByRole('row').filter({ hasText: 'orders' }).first();
    await input.press(row.getByRole('button', { name: 'Rebuild' }));
    const reading = new AbortController();
    const statuses = readOrdersUntil(reading.signal);
    await input.press(page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }));
    await row.getByText(/^completed: \d+ events/).waitFor();
    reading.abort();

    expect([[...new Set(await statuses)], faults]).toEqual([[200], []]);
    await page.context().close();
  });

  it.each(INPUTS)('sees why an event is a dead letter, retries it, and skips it, %s', async (name, createInput) => {
    const product = name.replaceAll(' ', '_');
    await commerce.service.get(EventStore).append(`product-${product}`, 'none', [createUnfoldable(product)]);
    const { page, faults } = await openConsole(createInput);
    const input = createInput(page);
    await goTo(page, 'Operators', 'Dead letters', input);
    const row = page.getByRole('row').filter({ hasText: `ProductCreated at product-${product}` });
    const form = page.getByRole('dialog');
    await input.press(row.getByRole('button', { name: 'Retry' }));
    await form.waitFor();
    expect(await findFaultsInViews(page)).toEqual([]);
    await input.press(form.getByRole('button', { name: 'Retry' }));
    await form.getByText(/failed again/).waitFor();
    await input.press(form.getByRole('button', { name: 'Back' }));

    await input.press(row.getByRole('button', { name: 'Skip' }));
    await input.type(form.getByLabel(/Reason/), 'A product without fields');
    await input.type(form.getByLabel('Type ProductCreated to confirm'), 'ProductCreated');
    await input.press(form.getByRole('button', { name: 'Skip' }));
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

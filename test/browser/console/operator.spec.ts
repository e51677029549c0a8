import type { Browser, Page } from 'playwright-core';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { findViolations, startBrowser } from '../browser.js';
import { excessWidth, goTo, openWithKey, VIEWS } from './console.js';

const OPS_TOKEN = 'the-token-of-the-operators-0123456789';

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

describe('An operator', () => {
  it('rebuilds a projection while its list is read', async () => {
    const { page, faults } = await openWithKey(browser, commerce.service.running.opsUrl, OPS_TOKEN);
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

  it.each(Object.entries(VIEWS))('opens every page: %s', async (_, view) => {
    const { page, faults } = await openWithKey(browser, commerce.service.running.opsUrl, OPS_TOKEN, view);
    for (const title of ['Health', 'Projections', 'Dead letters', 'Jobs']) {
      await goTo(page, 'Operators', title);
      expect([title, await listFaults(page)]).toEqual([title, []]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

async function listFaults(page: Page): Promise<readonly string[]> {
  return [...(await findViolations(page)), ...(await excessWidth(page))];
}

async function readOrdersUntil(signal: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!signal.aborted) statuses.push((await commerce.list('orders')).status);
  return statuses;
}

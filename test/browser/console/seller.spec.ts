import type { Browser, Page } from 'playwright-core';
import { CommerceFixture, MONTHLY } from '../../commerce/commerce-fixture.js';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithKey } from './console.js';
import { WIDE } from './views.js';

const YEARLY = { ...MONTHLY, amount_cents: 49_000, interval: 'year', name: 'Yearly' };
const DAY_MS = 86_400_000;

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('A seller', () => {
  it('refunds half of a payment, and plans a change of plan that the test clock applies', async () => {
    const { key, yearly } = await sellSubscription();
    const { page, faults } = await openWithKey(browser, service.url, key, { ...WIDE, timezoneId: 'UTC' });
    await refundHalf(page);

    await goTo(page, 'Commerce', 'Subscriptions');
    await openFirst(page);
    await submit(page, 'Change plan', /Plan id/, yearly);
    await moveClock(page, 40);

    await goTo(page, 'Commerce', 'Subscriptions');
    await openFirst(page);
    await page.getByRole('tab', { name: 'Plan changes' }).click();
    await page.getByRole('row', { name: /Applied/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('sees a refusal beside the field that caused it', async () => {
    const { key } = await sellSubscription();
    const { page } = await openWithKey(browser, service.url, key);
    await goTo(page, 'Commerce', 'Payments');
    await openFirst(page);
    await page.getByRole('button', { name: 'Refund' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(/Amount/).fill('999999');
    await form.getByRole('button', { name: 'Refund' }).click();

    const field = form.getByLabel(/Amount/);
    await form.getByRole('alert').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });
});

/** Sells a monthly plan of a new business in test mode. */
async function sellSubscription(): Promise<{ readonly key: string; readonly yearly: string }> {
  const business = await service.createBusiness();
  const key = await service.createKey(business, { mode: 'test' });
  const commerce = await CommerceFixture.createFor(service, business.id, key);
  const product = await commerce.createApprovedProduct({ plans: [MONTHLY, YEARLY] });
  const [monthly, yearly] = product.plans as readonly { readonly id: string }[];
  const cart = await commerce.createCart();
  await commerce.addLine(cart.id, { product_id: product.id, plan_id: monthly!.id });
  await commerce.checkOut(cart.id);
  return { key, yearly: yearly!.id };
}

async function refundHalf(page: Page): Promise<void> {
  await goTo(page, 'Commerce', 'Payments');
  await openFirst(page);
  await submit(page, 'Refund', /Amount/, '2450');
  await goTo(page, 'Commerce', 'Refunds');
  await page.getByRole('row', { name: /€24\.50/ }).waitFor();
}

async function moveClock(page: Page, days: number): Promise<void> {
  await goTo(page, 'Commerce', 'Test clock');
  const now = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);
  await submit(page, 'Move the clock', /New time/, now);
}

/** Opens the form of an action, fills one field and sends it. */
async function submit(page: Page, action: string, label: RegExp, value: string): Promise<void> {
  await page.getByRole('button', { name: action }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: action }).click();
  await form.waitFor({ state: 'detached' });
}

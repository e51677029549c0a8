import type { Browser, Locator, Page } from 'playwright-core';
import { CommerceFixture, MONTHLY } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithKey } from './console.js';
import { INPUTS, Mouse, type UserInput } from './user-input.js';

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
  it.each(INPUTS)(
    'refunds half of a payment, and plans a change of plan that the test clock applies, %s',
    async (_, createInput) => {
      const { key, yearly } = await sellSubscription();
      const options = { createInput, timezoneId: 'UTC', locale: 'en-US' };
      const { page, faults } = await openWithKey(browser, service.url, key, options);
      const input = createInput(page);
      await refundHalf(page, input);

      await goTo(page, 'Commerce', 'Subscriptions', input);
      await openFirst(page, input);
      await submit(page, input, 'Change plan', (form) => input.type(form.getByLabel(/Plan id/), yearly));
      await moveClock(page, input, 40);

      await goTo(page, 'Commerce', 'Subscriptions', input);
      await openFirst(page, input);
      await input.openTab('Plan changes');
      await page.getByRole('row', { name: /Applied/ }).waitFor();
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

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

/** Opens the payment of a new sale, and records the keys under which refunds are requested. */
async function openPayment() {
  const { key } = await sellSubscription();
  const { page } = await openWithKey(browser, service.url, key);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/refunds')) keys.push(request.headers()['idempotency-key']);
  });
  await goTo(page, 'Commerce', 'Payments');
  await openFirst(page);
  const refund = async (amount: string) => {
    await page.getByRole('button', { name: 'Refund' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel(/Amount/).fill(amount);
    await form.getByRole('button', { name: 'Refund' }).click();
    return form;
  };
  return { page, keys, refund };
}

describe('A dispute', () => {
  it('is decided on its page in test mode, and its status has the colour of its meaning', async () => {
    const { key } = await sellSubscription('tok_disputed');
    const { page } = await openWithKey(browser, service.url, key);
    const input = new Mouse(page);
    await moveClock(page, input, 2);
    await goTo(page, 'Commerce', 'Disputes');
    await openFirst(page);

    await submit(page, input, 'Decide', async (form) => void (await form.getByLabel(/Outcome/).selectOption('won')));
    await page.getByRole('button', { name: 'Decide' }).waitFor({ state: 'detached' });
    const status = page.getByRole('main').getByText('Won', { exact: true }).first();
    expect(await status.getAttribute('data-tone')).toBe('good');
    await page.context().close();
  });
});

describe('The refund of a payment', () => {
  it('has a new key after each correction', async () => {
    const { page, keys, refund } = await openPayment();
    const form = await refund('999999');
    await form.getByRole('alert').waitFor();
    await form.getByLabel(/Amount/).fill('100');
    await form.getByRole('button', { name: 'Refund' }).click();
    await form.waitFor({ state: 'detached' });

    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
    await page.context().close();
  });

  it('has the same key when it is sent again after a lost response, and another one the next time', async () => {
    const { page, keys, refund } = await openPayment();
    await page.route('**/refunds', (route) => route.abort());
    const form = await refund('100');
    await form.getByRole('alert').waitFor();
    await page.unroute('**/refunds');
    await form.getByRole('button', { name: 'Refund' }).click();
    await form.waitFor({ state: 'detached' });
    expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);

    await (await refund('100')).waitFor({ state: 'detached' });
    expect(new Set(keys).size).toBe(2);
    await page.context().close();
  });

  it('is offered only while something is left to refund', async () => {
    const { page, refund } = await openPayment();
    await (await refund('100')).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(1);

    await (await refund('4800')).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refund' }).waitFor({ state: 'detached' });
    await page.context().close();
  });
});

describe('A subscription that will end', () => {
  it.each([
    ['paused', ['pause', 'cancel']],
    ['active', ['cancel']],
  ])('can be kept while it is %s', async (status, actions) => {
    const { page, read } = await openSubscription(actions);

    await submit(page, new Mouse(page), 'Keep subscription', () => Promise.resolve());
    await page.getByRole('button', { name: 'Keep subscription' }).waitFor({ state: 'detached' });

    expect(await read()).toMatchObject({ status, cancel_at: null });
    await page.context().close();
  });
});

describe('A subscription that will not end', () => {
  it.each([
    ['pause', 'Resume'],
    ['resume', 'Pause'],
  ])('has nothing to keep (%s)', async (action, offered) => {
    const { page } = await openSubscription(action === 'pause' ? ['pause'] : ['pause', 'resume']);

    await page.getByRole('button', { name: offered }).waitFor();
    expect(await page.getByRole('button', { name: 'Keep subscription' }).count()).toBe(0);
    await page.context().close();
  });
});

/** Opens the page of a subscription after these actions on it. */
async function openSubscription(actions: readonly string[]) {
  const { key } = await sellSubscription();
  const api = service.createApi(key);
  const [{ id }] = requireData(await api.get('/v1/commerce/subscriptions'));
  const path = `/v1/commerce/subscriptions/${id}`;
  for (const action of actions) requireData(await api.post(`${path}/${action}`, {}));
  const { page } = await openWithKey(browser, service.url, key);
  await goTo(page, 'Commerce', 'Subscriptions');
  await openFirst(page);
  return { page, read: async () => requireData(await api.get(path)) };
}

/** Sells a monthly plan of a new business in test mode. */
async function sellSubscription(token = 'tok_ok'): Promise<{ readonly key: string; readonly yearly: string }> {
  const business = await service.createBusiness();
  const key = await service.createKey(business, { mode: 'test' });
  const commerce = await CommerceFixture.createFor(service, business.id, key);
  const product = await commerce.createApprovedProduct({ plans: [MONTHLY, YEARLY] });
  const [monthly, yearly] = product.plans as readonly { readonly id: string }[];
  const cart = await commerce.createCart();
  await commerce.addLine(cart.id, { product_id: product.id, plan_id: monthly!.id });
  await commerce.checkOut(cart.id, token);
  return { key, yearly: yearly!.id };
}

async function refundHalf(page: Page, input: UserInput): Promise<void> {
  await goTo(page, 'Commerce', 'Payments', input);
  await openFirst(page, input);
  await submit(page, input, 'Refund', (form) => input.type(form.getByLabel(/Amount/), '2450'));
  await goTo(page, 'Commerce', 'Refunds', input);
  await page.getByRole('row', { name: /€24\.50/ }).waitFor();
}

async function moveClock(page: Page, input: UserInput, days: number): Promise<void> {
  await goTo(page, 'Commerce', 'Test clock', input);
  const time = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16);
  await submit(page, input, 'Move the clock', (form) => input.typeTime(form.getByLabel(/New time/), time));
}

/** Opens the form of an action, fills it in and sends it. */
async function submit(
  page: Page,
  input: UserInput,
  action: string,
  fillIn: (form: Locator) => Promise<void>,
): Promise<void> {
  await input.press(page.getByRole('button', { name: action }));
  const form = page.getByRole('dialog');
  await fillIn(form);
  await input.press(form.getByRole('button', { name: action }));
  await form.waitFor({ state: 'detached' });
}

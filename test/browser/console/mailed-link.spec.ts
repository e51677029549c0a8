import type { Browser, Page } from 'playwright-core';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { openPage, startBrowser } from '../browser.js';
import { openWithKey, openWithToken, signIn, waitUntilLoaded } from './console.js';
import { WIDE } from './views.js';

let service: Service;
let browser: Browser;
let receiver: Receiver;
let second: TestBusiness;
let endpointUrl: string;
let link: string;
let endpointPath: string;
let key: string;
beforeAll(async () => {
  [service, receiver, browser] = await Promise.all([startService(), Receiver.start(), startBrowser()]);
  await service.createBusiness('First shop');
  second = await service.createBusiness('Second shop');
  key = await service.createKey(second, { mode: 'test' });
  endpointUrl = receiver.url('/hook');
  const { id } = requireData(await service.createApi(key).post('/v1/webhooks/endpoints', { url: endpointUrl }));
  endpointPath = `/v1/webhooks/endpoints/${id}`;
  link = `${service.url}/console/webhooks/endpoints/${id}#business=${second.id}&mode=test`;
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
});

/** Expects the page of the endpoint, in its business and mode. */
async function expectEndpointPage(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: endpointUrl }).waitFor();
  expect([await page.getByLabel('Business').inputValue(), await page.getByLabel('Mode').inputValue()]).toEqual([
    second.id,
    'test',
  ]);
  expect(page.url()).toBe(link.slice(0, link.indexOf('#')));
}

describe('The link of a mail about an endpoint', () => {
  it('opens its page after the owner has signed in, also at the second try', async () => {
    const { page } = await openPage(browser, link, WIDE);
    await page.locator('input[type=password]').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await signIn(page, await service.signToken(second.ownerSubject));
    await expectEndpointPage(page);
    await page.context().close();
  });

  it('opens its page in the session of another tab, which stays where it is', async () => {
    const token = await service.signToken(second.ownerSubject);
    const { page, faults } = await openWithToken(browser, service.url, token);
    const tab = await page.context().newPage();
    await tab.goto(link);
    await expectEndpointPage(tab);
    expect(await page.getByLabel('Mode').inputValue()).toBe('live');
    await tab.reload();
    await expectEndpointPage(tab);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('signs nobody out whose session does not own the business', async () => {
    const otherShop = await service.createBusiness('Other shop', 'other-owner');
    const { page } = await openWithToken(browser, service.url, await service.signToken(otherShop.ownerSubject));
    const tab = await page.context().newPage();
    await tab.goto(link);
    await tab.getByRole('alert').waitFor();
    expect(await tab.getByLabel('Business').inputValue()).toBe(otherShop.id);
    await page.context().close();
  });
});

describe('The form of an endpoint', () => {
  it('sets the addresses of its mails, and removes them', async () => {
    const { page, faults } = await openWithKey(browser, service.url, key);
    await page.getByRole('main').getByRole('link', { name: endpointUrl }).click();
    await page.getByRole('heading', { level: 1, name: endpointUrl }).waitFor();
    for (const [typed, emails] of [
      ['oncall@example.com\nben@example.com', ['oncall@example.com', 'ben@example.com']],
      ['', []],
    ] as const) {
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel(/Send mails to/).fill(typed);
      await form.getByRole('button', { name: 'Change' }).click();
      await form.waitFor({ state: 'detached' });
      await waitUntilLoaded(page);
      const endpoint = requireData(await service.createApi(key).get(endpointPath));
      expect([endpoint.notification_emails, endpoint.event_types]).toEqual([emails, ['*']]);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

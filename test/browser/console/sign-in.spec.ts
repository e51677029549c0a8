import type { Browser } from 'playwright-core';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { openPage, startBrowser } from '../browser.js';
import { goTo, openWithKey, openWithToken, signIn, WIDE } from './console.js';

let service: Service;
let browser: Browser;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser();
  business = await service.createBusiness();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('Signing in to the console', () => {
  it('takes a secret key, and shows its business, its mode and the actions', async () => {
    const key = await service.createKey(business, { mode: 'test' });
    const { page, faults } = await openWithKey(browser, service.url, key);
    await goTo(page, 'Webhooks', 'Endpoints');

    await page.getByText(business.id).waitFor();
    await page.getByText('Test mode').waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows no action to a read-only key', async () => {
    const key = await service.createKey(business, { access: 'read_only' });
    const { page, faults } = await openWithKey(browser, service.url, key);
    await goTo(page, 'Webhooks', 'Endpoints');
    await page.getByText('Read-only').waitFor();

    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /^New|Change|Delete/ })
        .count(),
    ).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows why a wrong key is refused', async () => {
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    await page.locator('input[type=password]').fill('sk_live_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page
      .getByRole('alert')
      .getByText(/request/)
      .waitFor();
    await page.context().close();
  });

  it('takes the token of a link, and removes it from the address', async () => {
    const token = await service.signToken(business.ownerSubject);
    const { page, faults } = await openWithToken(browser, service.url, token, { mode: 'test' });

    expect(page.url()).not.toContain(token);
    expect(await page.getByLabel('Mode').inputValue()).toBe('test');
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(token);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('keeps the credential across a reload only when the user chooses that', async () => {
    const key = await service.createKey(business);
    const { page } = await openWithKey(browser, service.url, key);
    await page.reload();
    await signIn(page, key, true);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.context().close();
  });

  it('deletes the credential on signing out', async () => {
    const key = await service.createKey(business);
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    await signIn(page, key, true);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain(key);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();

    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(key);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.context().close();
  });
});

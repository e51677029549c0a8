import type { Browser, Page } from 'playwright-core';
import { requireData } from '../../support/api.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { findViolations, openPage, startBrowser, type WatchedPage } from '../browser.js';
import { goTo, openWithKey, openWithToken, signIn } from './console.js';
import { WIDE } from './views.js';

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
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')).not.toContain(token);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('says that a link has expired, and how to make a new one', async () => {
    const { page } = await openLink(await service.signToken(business.ownerSubject, { expiresInSeconds: -600 }));

    await page.getByRole('alert').getByText('This sign-in link has expired').waitFor();
    await page.getByRole('alert').getByText('npm run ops -- console open').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('says that a link is not one of this service', async () => {
    const { page } = await openLink('eyJhbGciOiJFUzI1NiJ9.e30.signature');

    await page.getByRole('alert').getByText('The service does not accept this sign-in link').waitFor();
    await page.context().close();
  });

  it('keeps the session of a link after a reload and in a new tab, until it is signed out', async () => {
    const token = await service.signToken(business.ownerSubject);
    const { page, faults } = await openWithToken(browser, service.url, token, { mode: 'test' });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const tab = await openTab(page);
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    expect([tab.url().includes(token), await tab.getByLabel('Mode').inputValue()]).toEqual([false, 'test']);
    await tab.getByRole('button', { name: 'Sign out' }).click();

    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('says that the session of a link has ended when the page is loaded after its hour', async () => {
    const token = await service.signToken(business.ownerSubject);
    const expired = await service.signToken(business.ownerSubject, { expiresInSeconds: -600 });
    const { page } = await openWithToken(browser, service.url, token);
    await page.evaluate(
      `sessionStorage.setItem('console-session', sessionStorage.getItem('console-session').replace('${token}', '${expired}'))`,
    );
    await page.reload();

    await page.getByRole('alert').getByText('Your sign-in has ended').waitFor();
    await page.context().close();
  });

  it('gives a new tab no key that is not to stay, and keeps that tab when another session signs out', async () => {
    const { page } = await openWithKey(browser, service.url, await service.createKey(business));
    const tab = await openTab(page);
    await tab.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(tab, await service.createKey(business), true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();

    await tab.reload();
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.context().close();
  });

  it('takes no API key from a link', async () => {
    const { page } = await openLink(await service.createKey(business));

    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.context().close();
  });

  it('asks before a link replaces a session that stays signed in', async () => {
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    const key = await service.createKey(business);
    await signIn(page, key, true);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto('about:blank');
    await page.goto(`${service.url}/console/#token=${await service.signToken('mallory')}&mode=live`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();

    expect(asked).toEqual(['Sign out, and sign in with the token of this link?']);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain(key);
    await page.context().close();
  });

  it('says that the credential has ended when the service rejects it, and opens the same page again', async () => {
    const key = await service.createKey(business);
    const { page } = await openWithKey(browser, service.url, key);
    await revoke(key);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('alert').getByText('Your sign-in has ended').waitFor();
    await signIn(page, await service.createKey(business));

    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
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

/** Opens the console by the link of `console open`. */
function openLink(token: string): Promise<WatchedPage> {
  return openPage(browser, `${service.url}/console/#token=${token}&mode=live`, WIDE);
}

/** Opens the console in a new tab of the same browser, without a link. */
async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/console/`);
  return tab;
}

/** Revokes a key as the owner of the business. */
async function revoke(key: string): Promise<void> {
  const owner = service
    .createApi(await service.signToken(business.ownerSubject))
    .withHeaders({ 'x-service-business-id': business.id });
  const keys: readonly { id: string; last4: string }[] = requireData(await owner.get('/v1/auth/api-keys'));
  const { id } = keys.find(({ last4 }) => key.endsWith(last4))!;
  requireData(await owner.delete(`/v1/auth/api-keys/${id}`));
}

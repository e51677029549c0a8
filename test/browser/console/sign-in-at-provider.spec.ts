import type { Browser, Page } from 'playwright-core';
import { type Service, startService } from '../../support/service.js';
import { openPage, startBrowser } from '../browser.js';
import { goTo } from './console.js';
import { IdentityProvider, signInAtProvider } from './identity-provider.js';
import { WIDE } from './views.js';

const USER = 'ann';

let provider: IdentityProvider;
let service: Service;
let browser: Browser;
beforeAll(async () => {
  [provider, browser] = await Promise.all([IdentityProvider.start(), startBrowser()]);
  service = await startService(provider.environment);
  provider.registerConsole(service.url);
  await service.createBusiness('A shop', USER);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await provider.stop();
});

describe('Signing in at an identity provider', () => {
  it('returns to the wanted page with the token in memory alone', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/console/webhooks/deliveries?status=failed`, WIDE);
    await signIn(page);
    await signInAtProvider(page, USER);
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await page.getByRole('option', { name: 'A shop' }).waitFor({ state: 'attached' });

    expect(page.url()).toBe(`${service.url}/console/webhooks/deliveries?status=failed`);
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toMatch(/eyJ/);
    // The pages of the provider load fonts from elsewhere.
    const before = faults.length;
    await goTo(page, 'Webhooks', 'Endpoints');
    expect(faults.slice(before)).toEqual([]);
    await page.context().close();
  });

  it('opens the business and the mode that the link of a mail names', async () => {
    const shop = await service.createBusiness('Second shop', USER);
    const path = `${service.url}/console/webhooks/deliveries`;
    const { page } = await openPage(browser, `${path}#business=${shop.id}&mode=test`, WIDE);
    await signIn(page);
    await signInAtProvider(page, USER);
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();

    const place = [await page.getByLabel('Business').inputValue(), await page.getByLabel('Mode').inputValue()];
    expect([...place, page.url()]).toEqual([shop.id, 'test', path]);
    await page.context().close();
  });

  it('uses a code once', async () => {
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    await signIn(page);
    const returned = page.waitForRequest(/\/console\/signed-in\?/);
    await signInAtProvider(page, USER);
    const address = (await returned).url();
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    expect(new URL(address).searchParams.get('code')).toMatch(/./);
    await page.goto(address);

    await page.getByRole('alert').getByText('This sign-in has been finished already').waitFor();
    await page.getByRole('link', { name: 'Sign in again' }).waitFor();
    await page.context().close();
  });

  it('goes on at the same page after the token has expired', async () => {
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    provider.tokenSeconds = 1;
    await signIn(page);
    await signInAtProvider(page, USER);
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    await goTo(page, 'Webhooks', 'Deliveries');
    // The service accepts a token for some seconds after its end. The list reads itself again.
    await page.getByRole('alert').getByText('Your sign-in has ended').waitFor();

    provider.tokenSeconds = 3_600;
    await signIn(page);
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await page.context().close();
  });

  it('deletes the token on signing out', async () => {
    const { page } = await openPage(browser, `${service.url}/console/`, WIDE);
    await signIn(page);
    await signInAtProvider(page, USER);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();

    await page.getByRole('button', { name: /^Sign in with/ }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });
});

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
}

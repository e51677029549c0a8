import type { Browser, Page } from 'playwright-core';
import { GUIDES } from '../../src/http/docs/guide-list.js';
import { type Service, startService } from '../support/service.js';
import { findViolations, ONLY_SAMPLE, openPage, startBrowser } from './browser.js';
import { findLayoutFaults } from './layout.js';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };
const GUIDE_PATHS = Object.keys(GUIDES).map((name) => `/docs/guides/${name}`);
/** The pages besides the reference. All guides have one form. */
const PATHS = [
  '/',
  '/problems',
  '/problems/idempotency_key_conflict',
  '/docs/guides',
  ...(ONLY_SAMPLE ? GUIDE_PATHS.slice(0, 1) : GUIDE_PATHS),
];
/** Rules that Scalar breaks and that no setting repairs. */
const VIOLATIONS_OF_SCALAR = ['button-name', 'link-name', 'scrollable-region-focusable'];

let service: Service;
let browser: Browser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('The page of the API reference', () => {
  // It takes seconds to load, so all tests use one.
  let page: Page;
  let faults: readonly string[];
  beforeAll(async () => {
    ({ page, faults } = await openPage(browser, `${service.url}/docs`, { viewport: WIDE }));
    await page.getByRole('heading', { name: 'event-sourced-api' }).waitFor();
  });
  afterAll(() => page.context().close());

  it.each(['light', 'dark'] as const)('has no further serious violation of accessibility rules: %s', async (scheme) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`body.${scheme}-mode`).waitFor();
    const rules = (await findViolations(page)).map((violation) => violation.split(':')[0]!);

    expect(rules.filter((rule) => !VIOLATIONS_OF_SCALAR.includes(rule))).toEqual([]);
  });

  it('is readable at every width', async () => {
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.setViewportSize(WIDE);
  });

  it('finds an operation by its name', async () => {
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('combobox').fill('Rotate the secret');
    await page.getByRole('dialog').getByText('Rotate the secret of an endpoint').first().click();
    await page.getByRole('heading', { name: 'Rotate the secret of an endpoint' }).waitFor();

    expect(faults).toEqual([]);
  });

  it('shows an operation, without errors and without requests to other origins', async () => {
    await page.getByRole('link', { name: 'Retrieve the caller' }).click();
    await page.getByRole('heading', { name: 'Retrieve the caller' }).waitFor();
    await page.waitForURL(/retrieve-?the-?caller|auth\/me/i);

    expect(faults).toEqual([]);
  });

  it('sends a request to the service itself', async () => {
    await page.getByRole('button', { name: /Test Request.*\/v1\/auth\/me/ }).click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === `${service.url}/v1/auth/me`),
      page.getByRole('button', { name: 'Send get request' }).click(),
    ]);

    expect(answer.status()).toBe(401);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });
});

describe('The other pages', () => {
  it.each(PATHS)('have no serious violation of accessibility rules: %s', async (path) => {
    const { page, faults } = await openPage(browser, service.url + path, { viewport: WIDE, colorScheme: 'light' });
    const light = await findViolations(page);
    await page.setViewportSize(NARROW);
    await page.emulateMedia({ colorScheme: 'dark' });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');

    expect([light, await findViolations(page), faults]).toEqual([[], [], []]);
    expect(width).toBeLessThanOrEqual(NARROW.width);
    await page.context().close();
  });

  it.each(PATHS)('are readable at every width: %s', async (path) => {
    const { page } = await openPage(browser, service.url + path, { viewport: WIDE });
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('lead from the base address to a problem code', async () => {
    const { page, faults } = await openPage(browser, service.url);
    await page.getByRole('main').getByRole('link', { name: 'Problems' }).click();
    await page.getByRole('link', { name: 'not_found', exact: true }).click();
    await page.getByRole('heading', { name: 'Can the request be sent again?' }).waitFor();

    expect([faults, new URL(page.url()).pathname]).toEqual([[], '/problems/not_found']);
    await page.context().close();
  });
});

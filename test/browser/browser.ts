import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A step that takes longer fails with its own message, before the test does. */
const TIMEOUT_MS = 20_000;
const SERIOUS = ['serious', 'critical'];

/** Starts the installed Chromium. Its own sandbox needs rights that the root user of a container does not have. */
export function startBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: process.env.CHROMIUM!, args });
}

/** Only some pages are looked at, in minutes; otherwise each page. */
export const ONLY_SAMPLE = process.env.BROWSER_PAGES === 'sample';

/** A page, with everything that should not happen on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors in the console, failed requests, and requests to other origins. */
  readonly faults: readonly string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', ({ message }) => faults.push(`error: ${message}`));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      faults.push(`other origin: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A page cancels the requests whose answers it no longer needs.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults };
}

/** Returns the serious violations of accessibility rules, with the elements. */
export async function findViolations(page: Page): Promise<string[]> {
  // Without frames on the page, axe needs no second page to join their results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

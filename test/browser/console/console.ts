import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, type WatchedPage } from '../browser.ts';
import { Mouse, type UserInput } from './user-input.ts';
import { WIDE } from './views.ts';

/** Opens the console with the token of a session, as the link of `console open` does. */
export async function openWithToken(
  browser: Browser,
  url: string,
  token: string,
  options: BrowserContextOptions & { readonly mode?: 'live' | 'test' } = {},
): Promise<WatchedPage> {
  const { mode = 'live', ...context } = options;
  const watched = await openPage(browser, `${url}/console/#token=${token}&mode=${mode}`, { ...WIDE, ...context });
  await watched.page.getByRole('heading', { level: 1 }).waitFor();
  return watched;
}

/** Opens the console and signs in with a key, or with the token of an operator. */
export async function openWithKey(
  browser: Browser,
  url: string,
  key: string,
  { createInput, ...options }: BrowserContextOptions & { readonly createInput?: (page: Page) => UserInput } = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, `${url}/console/`, { ...WIDE, ...options });
  await signIn(watched.page, key, false, createInput?.(watched.page));
  return watched;
}

export async function signIn(
  page: Page,
  credential: string,
  stays = false,
  input: UserInput = new Mouse(page),
): Promise<void> {
  await input.type(page.locator('input[type=password]'), credential);
  if (stays) await page.getByRole('checkbox', { name: /Stay signed in/ }).check();
  await input.press(page.getByRole('button', { name: 'Sign in' }));
  await page.locator('nav[aria-label=Areas]').waitFor({ state: 'attached' });
}

/** Goes to a page of the console through its navigation, which a narrow page shows in a menu. */
export async function goTo(page: Page, area: string, title: string, input: UserInput = new Mouse(page)): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await input.press(menu);
  const navigation = page.getByRole('navigation', { name: 'Areas' });
  await input.press(navigation.getByRole('region', { name: area }).getByRole('link', { name: title, exact: true }));
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await waitUntilLoaded(page);
}

/** Waits until nothing on the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page
    .getByLabel(/^Loading/)
    .first()
    .waitFor({ state: 'detached' });
}

/** Opens the first item of the list that the page shows. */
export async function openFirst(page: Page, input: UserInput = new Mouse(page)): Promise<void> {
  await input.press(page.getByRole('main').getByRole('row').getByRole('link').first());
  await page.getByRole('tab', { name: 'Details' }).waitFor();
  await waitUntilLoaded(page);
}

import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithToken } from './console.js';

const ROWS = 500;
/** Each tenth row has no address. */
const CSV = [
  'email,name,role',
  ...Array.from({ length: ROWS }, (_, index) =>
    index % 10 === 0 ? `nobody-${index},"Row, ${index}",member` : `member-${index}@example.com,Member ${index},member`,
  ),
].join('\n');

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

describe('The owner of a community', () => {
  it('imports 500 members of which 50 have a mistake, and sees the result of each row', async () => {
    const { ownerSubject } = await service.createBusiness();
    const { page, faults } = await openWithToken(browser, service.url, await service.signToken(ownerSubject));
    await goTo(page, 'Community', 'Communities');
    await page.getByRole('button', { name: 'New community' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(/Name/).fill('Gardeners');
    await form.getByRole('button', { name: 'New community' }).click();
    await form.waitFor({ state: 'detached' });

    await openFirst(page);
    await page.getByRole('tab', { name: 'Import members' }).click();
    await page.getByLabel('Or paste the rows').fill(CSV);
    await page.getByText('450 rows can be sent, 50 have a mistake.').waitFor();
    expect(await page.getByText('The e-mail address is missing or wrong.').count()).toBe(50);

    await page.getByRole('button', { name: 'Send all rows, with the mistakes' }).click();
    await page.getByText('450 created, 0 updated, 0 unchanged, 50 failed').waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    expect([await results.getByText('Failed', { exact: true }).count(), faults]).toEqual([50, []]);
    await page.context().close();
  });
});

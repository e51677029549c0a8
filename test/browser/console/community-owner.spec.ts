import type { Browser } from 'playwright-core';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithToken } from './console.js';
import { INPUTS } from './user-input.js';

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
  it.each(INPUTS)(
    'imports 500 members of which 50 have a mistake, and sees the result of each row, %s',
    async (name, createInput) => {
      const { ownerSubject } = await service.createBusiness('A business', `owner ${name}`);
      const { page, faults } = await openWithToken(browser, service.url, await service.signToken(ownerSubject));
      const input = createInput(page);
      await goTo(page, 'Community', 'Communities', input);
      await input.press(page.getByRole('button', { name: 'New community' }));
      const form = page.getByRole('dialog');
      await input.type(form.getByLabel(/Name/), 'Gardeners');
      await input.press(form.getByRole('button', { name: 'New community' }));
      await form.waitFor({ state: 'detached' });

      await openFirst(page, input);
      await input.openTab('Import members');
      await input.type(page.getByLabel('Or paste the rows'), CSV);
      await page.getByText('450 rows can be sent, 50 have a mistake.').waitFor();
      expect(await page.getByText('The e-mail address is missing or wrong.').count()).toBe(50);

      await input.press(page.getByRole('button', { name: 'Send all rows, with the mistakes' }));
      await page.getByText('450 created, 0 updated, 0 unchanged, 50 failed').waitFor();
      const results = page.getByRole('region', { name: 'Results' });
      expect([await results.getByText('Failed', { exact: true }).count(), faults]).toEqual([50, []]);
      await page.context().close();
    },
  );
});

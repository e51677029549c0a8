import type { Browser, Locator } from 'playwright-core';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithToken } from './console.js';
import { INPUTS } from './user-input.js';

const ACTIONS = ['Change', 'Transfer', 'Archive', 'Reopen'];
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

/** Opens a new community. */
async function openNew(name: string) {
  const { ownerSubject } = await service.createBusiness('A business', `owner ${name}`);
  const { page, faults } = await openWithToken(browser, service.url, await service.signToken(ownerSubject));
  await goTo(page, 'Community', 'Communities');
  await page.getByRole('button', { name: 'New community' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel(/Name/).fill('Gardeners');
  await form.getByRole('button', { name: 'New community' }).click();
  await form.waitFor({ state: 'detached' });
  await openFirst(page);
  return { page, faults };
}

async function openImport(name: string) {
  const { page, faults } = await openNew(name);
  await page.getByRole('tab', { name: 'Import members' }).click();
  const choose = (file: string, content: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: file, mimeType: 'text/csv', buffer: content });
  return { page, faults, choose };
}

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

  it('archives it, and reopens it', async () => {
    const { page, faults } = await openNew('of an archive');
    const submit = async (name: string, fillIn = (_: Locator) => Promise.resolve()) => {
      await page.getByRole('button', { name, exact: true }).click();
      const form = page.getByRole('dialog');
      await fillIn(form);
      await form.getByRole('button', { name, exact: true }).click();
      await form.waitFor({ state: 'detached' });
    };
    const listShown = async () => {
      const counts = ACTIONS.map((name) => page.getByRole('button', { name, exact: true }).count());
      const shown = await Promise.all(counts);
      return ACTIONS.filter((_, i) => shown[i] === 1);
    };

    await submit('Archive', (form) => form.getByLabel('Type Gardeners to confirm').fill('Gardeners'));
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect(await listShown()).toEqual(['Reopen']);
    await submit('Reopen');
    await page.getByRole('button', { name: 'Archive' }).waitFor();

    expect([await listShown(), faults]).toEqual([['Change', 'Transfer', 'Archive'], []]);
    await page.context().close();
  });

  it('imports one file after another, each in its own form', async () => {
    const { page, faults, choose } = await openImport('of files');
    const table = page.getByRole('region', { name: 'Rows of the file' });

    await choose(
      'german.csv',
      Buffer.from('sep=;\r\nName;E-Mail\r\nTV 12";ann@example.com\r\nJosé;jos\xe9@x', 'latin1'),
    );
    await page.getByText('1 row can be sent, 1 has a mistake.').waitFor();
    await page.getByText('The file was read as Windows-1252.').waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('1 created, 0 updated, 0 unchanged, 0 failed').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save 1 row to mend' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('rows-to-mend.csv');

    await choose('second.csv', Buffer.from('Name,Contact\nBob,bob@example.com\nCy,nobody'));
    await page.getByLabel('Which column is the e-mail address?').selectOption({ label: 'Contact' });
    await page.getByText('1 row can be sent, 1 has a mistake.').waitFor();
    expect(await table.getByText('bob@example.com').count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Results' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send all rows, with the mistakes' }).click();
    await page.getByText('1 created, 0 updated, 0 unchanged, 1 failed').waitFor();
    expect(await page.getByRole('region', { name: 'Results' }).getByRole('row').nth(1).innerText()).toContain('3');

    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('imports more rows than one request takes, and continues after a break', async () => {
    const { page, faults, choose } = await openImport('of pieces');
    let requests = 0;
    await page.route('**/members/import', (route) => ([2, 3].includes(++requests) ? route.abort() : route.continue()));

    const rows = Array.from({ length: 1_001 }, (_, i) => `piece-${i}@example.com`);
    await choose('pieces.csv', Buffer.from(['email', ...rows].join('\n')));
    await page.getByRole('button', { name: 'Import 1001 rows' }).click();
    await page.getByText('500 of 1001 rows are sent.').waitFor();
    await page.getByRole('button', { name: 'Continue the import' }).click();
    await page.getByText('1001 created, 0 updated, 0 unchanged, 0 failed').waitFor();

    expect(await page.getByRole('region', { name: 'Results' }).getByRole('row').count()).toBe(201);
    expect(faults.filter((fault) => !/members\/import|ERR_FAILED/.test(fault))).toEqual([]);
    await page.context().close();
  });
});

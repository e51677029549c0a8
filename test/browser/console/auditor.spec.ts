import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CommerceFixture, ONCE } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithKey } from './console.js';
import { INPUTS, type UserInput } from './user-input.js';

let service: Service;
let browser: Browser;
let folder: string;
let key: string;
beforeAll(async () => {
  [service, browser, folder] = await Promise.all([startService(), startBrowser(), createTempFolder()]);
  const business = await service.createBusiness();
  key = await service.createKey(business);
  const commerce = await CommerceFixture.createFor(service, business.id, key);
  await commerce.createOrder([await commerce.createApprovedProduct({ plans: [ONCE] })]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('An auditor', () => {
  it.each(INPUTS)('sees an order as it was, and everything that its checkout caused, %s', async (_, createInput) => {
    const { page, faults } = await openWithKey(browser, service.url, key, { createInput });
    const input = createInput(page);
    await goTo(page, 'Commerce', 'Orders', input);
    await openFirst(page, input);
    await input.openTab('History');
    await input.moveToStart(page.getByRole('slider', { name: 'Entry of the history' }));
    await page.getByText(/^As it was after entry 1 of \d+/).waitFor();
    await page.getByRole('region', { name: 'The resource at that point' }).waitFor();

    await input.press(page.getByRole('link', { name: 'What the request caused' }).first());
    await page.getByRole('heading', { level: 1, name: 'What one request caused' }).waitFor();
    await page.getByRole('link', { name: 'Payment succeeded' }).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(INPUTS)('verifies an export in the page, and finds a changed byte, %s', async (_, createInput) => {
    const { page, faults } = await openWithKey(browser, service.url, key, { createInput });
    const input = createInput(page);
    const [file, manifest] = await saveExport(page, input);
    await verify(page, input, file, manifest);
    await page.getByText('The export fits').waitFor();

    const changed = join(folder, 'changed.ndjson');
    await writeFile(changed, (await readFile(file, 'utf8')).replace('"ord_', '"orf_'));
    await verify(page, input, changed, manifest);
    await page.getByText(/^Line \d+.*: The hash of the event, or of a record before it, differs\./).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** Makes an export, and saves its file and its manifest. */
async function saveExport(page: Page, input: UserInput): Promise<readonly [string, string]> {
  await goTo(page, 'History', 'Exports', input);
  await input.press(page.getByRole('button', { name: 'New export' }));
  const form = page.getByRole('dialog');
  await input.press(form.getByRole('button', { name: 'New export' }));
  await form.waitFor({ state: 'detached' });
  await openFirst(page, input);
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await input.openTab('Download');
  return [await save(page, input, 'Save the file'), await save(page, input, 'Save the manifest')];
}

async function save(page: Page, input: UserInput, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    input.press(page.getByRole('button', { name: button })),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

async function verify(page: Page, input: UserInput, file: string, manifest: string): Promise<void> {
  const { signing_key: signer } = requireData(await service.createApi(key).get('/v1/audit/chain'));
  await goTo(page, 'History', 'Verify an export', input);
  await chooseFile(page, input, 'Export file', file);
  await chooseFile(page, input, 'Manifest', manifest);
  await input.type(page.getByLabel('Public key of the service'), signer.public_key);
  await input.press(page.getByRole('button', { name: 'Verify', exact: true }));
}

async function chooseFile(page: Page, input: UserInput, label: string, file: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), input.press(page.getByLabel(label))]);
  await chooser.setFiles(file);
}

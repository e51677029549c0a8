import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { CommerceFixture, ONCE } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithKey } from './console.js';

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
  it('sees an order as it was at its start, and everything that its checkout caused', async () => {
    const { page, faults } = await openWithKey(browser, service.url, key);
    await goTo(page, 'Commerce', 'Orders');
    await openFirst(page);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('slider', { name: 'Entry of the history' }).press('Home');
    await page.getByText(/^As it was after entry 1 of \d+/).waitFor();
    await page.getByRole('region', { name: 'The resource at that point' }).waitFor();

    await page.getByRole('link', { name: 'What the request caused' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'What one request caused' }).waitFor();
    await page.getByRole('link', { name: 'Payment succeeded' }).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('verifies an export in the page, and finds a changed byte', async () => {
    const { page, faults } = await openWithKey(browser, service.url, key);
    const [file, manifest] = await saveExport(page);
    await verify(page, file, manifest);
    await page.getByText('The export fits').waitFor();

    const changed = join(folder, 'changed.ndjson');
    await writeFile(changed, (await readFile(file, 'utf8')).replace('"ord_', '"orf_'));
    await verify(page, changed, manifest);
    await page.getByText(/^Line \d+.*: The hash of the event, or of a record before it, differs\./).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** Makes an export, and saves its file and its manifest. */
async function saveExport(page: Page): Promise<readonly [string, string]> {
  await goTo(page, 'History', 'Exports');
  await page.getByRole('button', { name: 'New export' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'New export' }).click();
  await form.waitFor({ state: 'detached' });
  await openFirst(page);
  await page.getByText('Completed', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Download' }).click();
  return [await save(page, 'Save the file'), await save(page, 'Save the manifest')];
}

async function save(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

async function verify(page: Page, file: string, manifest: string): Promise<void> {
  const { signing_key: signer } = requireData(await service.createApi(key).get('/v1/audit/chain'));
  await goTo(page, 'History', 'Verify an export');
  await page.locator('input[type=file]').nth(0).setInputFiles(file);
  await page.locator('input[type=file]').nth(1).setInputFiles(manifest);
  await page.getByLabel('Public key of the service').fill(signer.public_key);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
}

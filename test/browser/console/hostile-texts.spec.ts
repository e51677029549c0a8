import type { Browser, Page } from 'playwright-core';
import { CommerceFixture } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';
import { startBrowser } from '../browser.js';
import { goTo, openFirst, openWithToken, waitUntilLoaded } from './console.js';

const MARKUP = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';
const LINK = 'javascript:globalThis.hit=1';

let service: Service;
let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [service, browser, receiver] = await Promise.all([startService(), startBrowser(), Receiver.start()]);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.stop();
});

describe('A text that is markup or a script', () => {
  it('is shown as text on every page that shows it', async () => {
    const business = await service.createBusiness();
    const key = await service.createKey(business);
    const owner = await service.signToken(business.ownerSubject);
    await createTexts(business.id, key, owner);
    const { page, faults } = await openWithToken(browser, service.url, owner);

    await goTo(page, 'Commerce', 'Products');
    await expectText(page, MARKUP);
    await openFirst(page);
    await expectText(page, MARKUP);
    await openTab(page, 'JSON');
    await openTab(page, 'History');

    await goTo(page, 'Webhooks', 'Deliveries');
    await page.getByRole('main').getByRole('row').getByRole('link').first().click();
    await waitUntilLoaded(page);
    await expectText(page, MARKUP);
    await expectText(page, LINK);

    await goTo(page, 'Community', 'Communities');
    await expectText(page, MARKUP);
    await openFirst(page);
    await openTab(page, 'Posts');
    await expectText(page, LINK);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('does not run, even where a page would contain it', async () => {
    const business = await service.createBusiness();
    const { page, faults } = await openWithToken(browser, service.url, await service.signToken(business.ownerSubject));
    const outcome = await page.evaluate<string>(`(() => {
      const attempt = (act) => { try { act(); return 'allowed'; } catch (error) { return error.name; } };
      const link = document.body.appendChild(document.createElement('a'));
      const results = [
        attempt(() => { document.body.appendChild(document.createElement('script')).textContent = 'globalThis.hit=1'; }),
        attempt(() => { document.body.appendChild(document.createElement('div')).innerHTML = '<b>bold</b>'; }),
        attempt(() => { link.setAttribute('onclick', 'globalThis.hit=1'); }),
      ];
      link.click();
      return JSON.stringify([...results, typeof globalThis.hit]);
    })()`);

    expect(JSON.parse(outcome)).toEqual(['TypeError', 'TypeError', 'TypeError', 'undefined']);
    expect(faults.filter((fault) => !/Trusted|Content Security Policy/.test(fault))).toEqual([]);
    await page.context().close();
  });
});

/** Creates a product, a community with a post, and a delivery to a receiver, all with hostile texts. */
async function createTexts(businessId: string, key: string, owner: string): Promise<void> {
  const api = service.createApi(key);
  receiver.setResponses('/hook', respondWith(400, { location: LINK, 'x-note': MARKUP }, `${MARKUP} ${LINK}`));
  requireData(await api.post('/v1/webhooks/endpoints', { url: receiver.url('/hook') }));
  const commerce = await CommerceFixture.createFor(service, businessId, key);
  await commerce.createProduct({ name: MARKUP, description: LINK });
  await receiver.waitForRequests('/hook');

  const member = service.createApi(owner).withHeaders({ 'x-service-business-id': businessId });
  const { id } = requireData(await member.post('/v1/community/communities', { name: MARKUP, description: LINK }));
  requireData(await member.post(`/v1/community/communities/${id}/posts`, { content: `${MARKUP} ${LINK}` }));
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name }).click();
  await waitUntilLoaded(page);
  await expectText(page, MARKUP);
}

/** Expects the text on the page, and nothing that it would become as markup. */
async function expectText(page: Page, text: string): Promise<void> {
  await page.getByRole('main').getByText(text).first().waitFor({ state: 'attached' });
  const made = await page.locator('main img, main script, a[href^="javascript:"]').count();
  expect([made, await page.evaluate('typeof globalThis.hit')]).toEqual([0, 'undefined']);
}

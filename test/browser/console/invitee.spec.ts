import type { Browser } from 'playwright-core';
import { createCommunity, emailFor } from '../../community/community-users.js';
import { type Api, requireData } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { openPage, startBrowser } from '../browser.js';
import { WIDE } from './views.js';

let service: Service;
let browser: Browser;
let key: Api;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  key = service.createApi(await service.createKey(await service.createBusiness()));
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** Invites a name to a new community, and opens the link of the mail as the user of another name. */
async function openInvite(name: string, reader = name) {
  const community = await createCommunity(key, { name: 'Gardeners', description: 'Beds and borders' });
  const body = { email: emailFor(name), role: 'moderator', message: 'Come and dig' };
  const invite = requireData(await key.post(`/v1/community/communities/${community.id}/invites`, body));
  const token = await service.signToken(reader, { email: emailFor(reader) });
  const watched = await openPage(browser, `${service.url}/console/invites/${invite.id}#token=${token}`, WIDE);
  const statusOf = async () => requireData(await key.get(`/v1/community/invites/${invite.id}`)).status as string;
  return { ...watched, statusOf };
}

describe('An invitee', () => {
  it('sees who invites to what, and accepts', async () => {
    const { page, faults, statusOf } = await openInvite('ann');
    await page.getByRole('heading', { name: 'Invite to Gardeners' }).waitFor();
    for (const text of ['Beds and borders', 'Come and dig', emailFor('ann')]) await page.getByText(text).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);

    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('This invite is').waitFor();

    expect([await statusOf(), faults]).toEqual(['accepted', []]);
    await page.context().close();
  });

  it('declines', async () => {
    const { page, statusOf } = await openInvite('ben');

    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('This invite is').waitFor();

    expect(await statusOf()).toBe('declined');
    await page.context().close();
  });

  it('needs the invited address', async () => {
    const { page, statusOf } = await openInvite('cleo', 'dora');

    await page.getByText('Sign in with that address.').waitFor();

    expect(await statusOf()).toBe('pending');
    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.context().close();
  });
});

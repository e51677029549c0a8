import { MailInvites } from '../../../src/community/processes/mail-invites.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { forgetAddress } from '../../support/forget.js';
import { MailServer, readHeader, type ReceivedMail } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { createCommunity, emailFor } from '../community-users.js';
import { recordInvite } from '../recorded-invite.js';

let server: MailServer;
let service: Service;
let key: Api;
let community: string;
beforeAll(async () => {
  server = await MailServer.start();
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'Potters <potters@example.com>' };
  service = await startService({ ...mail, PUBLIC_URL: 'https://potters.example.com' });
  key = service.createApi(await service.createKey(await service.createBusiness()));
  community = (await createCommunity(key, { name: 'A <b>club</b>' })).id;
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});
beforeEach(() => server.received.splice(0));

const run = (inviteId: string, sending = 1) => service.get(MailInvites).run({ data: { inviteId, sending } });
const invite = async (name: string, body: object = {}) =>
  requireData(await key.post(`/v1/community/communities/${community}/invites`, { email: emailFor(name), ...body }));

/** Returns the mails to an address, as soon as there are that many. */
async function waitForMails(name: string, count = 1): Promise<readonly ReceivedMail[]> {
  const isWanted = ({ to }: ReceivedMail) => to[0] === emailFor(name);
  return eventually(
    async () => server.received.filter(isWanted),
    ({ length }) => length >= count,
  );
}

/** Creates an invite whose own mail has arrived. */
async function createMailed(name: string): Promise<{ id: string }> {
  const created = await invite(name);
  await waitForMails(name);
  server.received.splice(0);
  return created;
}

describe('The mail of an invite', () => {
  it('arrives once, with the message and the link, and not again when the invite is renewed at once', async () => {
    const message = 'For you\n& yours.';
    const { id } = await invite('ada', { message, role: 'moderator', expires_at: '2099-03-02T09:00:00Z' });
    const [mail] = await waitForMails('ada');
    await invite('ada', { message: 'Again' });
    await invite('amy');
    await waitForMails('amy');

    expect(server.received.map(({ to }) => to)).toEqual([['ada@example.com'], ['amy@example.com']]);
    expect(readHeader(mail!, 'Subject')).toBe('You are invited to A <b>club</b>');
    const source = mail!.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    for (const part of [
      'You are invited to the community A <b>club</b> as a moderator.',
      'For you\r\n& yours.',
      `Accept the invite: https://potters.example.com/console/invites/${id}`,
      'The invite expires on 2 March 2099 at 09:00 UTC.',
      '<p>You are invited to the community A &lt;b>club&lt;/b> as a moderator.</p>',
      '<p>For you<br>&amp; yours.</p>',
      `<a href="https://potters.example.com/console/invites/${id}">`,
    ])
      expect(source).toContain(part);
  });

  it('is sent for a resend, under a key of its own', async () => {
    const id = await recordInvite(service, community, 'ben');
    const [first] = await waitForMails('ben');

    requireData(await key.post(`/v1/community/invites/${id}/resend`));

    const [, second] = await waitForMails('ben', 2);
    expect(readHeader(second!, 'Message-ID')).not.toBe(readHeader(first!, 'Message-ID'));
  });

  it('is sent again after the server delayed it, and given up when the server refuses it', async () => {
    const { id } = await createMailed('cleo');
    server.replies.push({ code: 451, text: 'later' });
    await expect(run(id)).rejects.toThrow('the mail server answered 451 to RCPT TO');
    server.replies.push({ code: 550, text: 'never' });
    await run(id);
    expect(server.received).toEqual([]);
  });

  it('is not sent to a person who was forgotten', async () => {
    const { id } = await createMailed('dora');
    await forgetAddress(service, emailFor('dora'));
    await run(id);
    expect(server.received).toEqual([]);
  });

  it('is sent to a person whose address is given again after the erasure', async () => {
    await createMailed('dan');
    await forgetAddress(service, emailFor('dan'));
    await invite('dan');
    expect(await waitForMails('dan')).toHaveLength(1);
  });

  it('is not sent when the community was archived before', async () => {
    const archived = (await createCommunity(key, { name: 'Weavers' })).id;
    const { id } = requireData(
      await key.post(`/v1/community/communities/${archived}/invites`, { email: emailFor('flo') }),
    );
    await waitForMails('flo');
    server.received.splice(0);

    await run(id, 2);
    expect(server.received).toHaveLength(1);
    server.received.splice(0);
    requireData(await key.post(`/v1/community/communities/${archived}/archive`));
    await run(id, 3);

    expect(server.received).toEqual([]);
  });

  it('is not sent for an invite that ended because its addressee joined', async () => {
    const { id } = await createMailed('gil');
    const joiner = service.createApi(await service.signToken('gil', { email: emailFor('gil') }));
    requireData(await joiner.post(`/v1/community/communities/${community}/join`));

    await run(id, 2);

    expect(server.received).toEqual([]);
  });

  it('is not sent for an invite that was revoked', async () => {
    const { id } = await createMailed('eve');
    requireData(await key.delete(`/v1/community/invites/${id}`));
    await run(id);
    expect(server.received).toEqual([]);
  });
});

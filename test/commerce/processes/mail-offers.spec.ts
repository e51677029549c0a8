import { MailOffers } from '../../../src/commerce/processes/mail-offers.js';
import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { forgetBuyer } from '../../support/forget.js';
import { MailServer, readHeader } from '../../support/mail-server.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

let server: MailServer;
let shop: CommerceFixture;
let club: { id: string };
beforeAll(async () => {
  server = await MailServer.start();
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'Example Shop <shop@example.com>' };
  shop = await CommerceFixture.start({ ...mail, PUBLIC_URL: 'https://shop.example.com' });
  club = await shop.createApprovedProduct({ name: 'A <b>club</b>', plans: [MONTHLY] });
});
afterAll(async () => {
  await shop.service.stop();
  await server.stop();
});
beforeEach(() => server.received.splice(0));

const create = async (body: object) =>
  requireData(await shop.api.post('/v1/commerce/offers', { product_id: club.id, amount_cents: 3900, ...body }));
const run = (offerId: string) => shop.service.get(MailOffers).run({ data: { offerId, sending: 1 } });

/** Creates an offer whose own mail has arrived. */
async function createMailed(name: string) {
  const email = `${name}@example.com`;
  const offer = await create({ buyer: { email }, send: true });
  await eventually(
    async () => server.received,
    (received) => received.some(({ to }) => to[0] === email),
  );
  server.received.splice(0);
  return offer;
}

describe('The mail of an offer', () => {
  it('arrives once at its buyer, with the price, the message and the link', async () => {
    const buyer = { email: 'Ada@Example.com', name: 'Ada' };
    const offer = await create({ buyer, message: 'For you\n& yours.', expires_at: '2099-03-02T09:00:00Z' });
    expect(server.received).toEqual([]);
    requireData(await shop.api.post(`/v1/commerce/offers/${offer.id}/send`));

    const [mail] = await eventually(
      async () => server.received,
      ({ length }) => length > 0,
    );
    expect(mail!.to).toEqual(['Ada@example.com']);
    expect(readHeader(mail!, 'Subject')).toBe('A business offers you A <b>club</b>');
    const source = mail!.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    for (const part of [
      'Hello Ada,',
      'A business offers you A <b>club</b>: EUR 39.00 every month.',
      'For you\r\n& yours.',
      `Accept the offer: https://shop.example.com/offers/${offer.id}`,
      'The offer expires on 2 March 2099 at 09:00 UTC.',
      '<p>A business offers you A &lt;b>club&lt;/b>: EUR 39.00 every month.</p>',
      '<p>For you<br>&amp; yours.</p>',
      `<a href="https://shop.example.com/offers/${offer.id}">`,
    ])
      expect(source).toContain(part);
    expect(server.received).toHaveLength(1);
  });

  it('is sent again after the server delayed it, and given up when the server refuses it', async () => {
    const offer = await createMailed('eve');
    server.replies.push({ code: 451, text: 'later' });
    await expect(run(offer.id)).rejects.toThrow('the mail server answered 451 to RCPT TO');
    server.replies.push({ code: 550, text: 'never' });
    await run(offer.id);
    expect(server.received).toEqual([]);
  });

  it('is not sent to a person who was forgotten', async () => {
    const offer = await createMailed('bob');
    await forgetBuyer(shop.service, 'bob@example.com', offer.buyer.id);
    await run(offer.id);
    expect(server.received).toEqual([]);
  });

  it('is sent to a person whose address is given again after the erasure', async () => {
    const { buyer } = await createMailed('dan');
    requireData(await shop.api.delete(`/v1/commerce/buyers/${buyer.id}/personal-data`));
    await createMailed('dan');
  });

  it('is not sent for an offer that was cancelled', async () => {
    const offer = await createMailed('cleo');
    requireData(await shop.api.post(`/v1/commerce/offers/${offer.id}/cancel`));
    await run(offer.id);
    expect(server.received).toEqual([]);
  });
});

import { writeOfferMail } from '../../../src/commerce/processes/offer-mail.js';
import { monthly, once } from '../domain/facts.js';

const offer = {
  name: 'A club',
  terms: once,
  amountCents: 3900,
  message: null,
  expiresAt: '2026-03-02T09:00:00.000Z',
  acceptUrl: 'https://example.com/offers/off_1',
};
const facts = { offer, mode: 'live', seller: 'Potters', buyer: { email: 'ada@example.com', name: null } } as const;

describe('The text of an offer', () => {
  it('greets a buyer without a name', () =>
    expect(writeOfferMail(facts)).toMatchObject({
      to: 'ada@example.com',
      subject: 'Potters offers you A club',
      text: expect.stringMatching(/^Hello,\n\nPotters offers you A club: EUR 39\.00\.\n\nAccept the offer: https:/),
    }));

  it.each([
    [{ terms: monthly }, 'EUR 39.00 every month'],
    [{ terms: { ...monthly, intervalCount: 3 } }, 'EUR 39.00 every 3 months'],
    [{ terms: { ...monthly, installmentsCount: 12 } }, '12 payments of EUR 39.00, one every month'],
    [{ terms: { ...once, currency: 'JPY' } }, 'JPY 3,900'],
    [{ terms: { ...once, currency: 'KWD' } }, 'KWD 3.900'],
  ])('with %j shows the price as %s', (more, price) =>
    expect(writeOfferMail({ ...facts, offer: { ...offer, ...more } }).text).toContain(`A club: ${price}.`),
  );

  it('is marked in test mode', () =>
    expect(writeOfferMail({ ...facts, mode: 'test' }).subject).toBe('[Test] Potters offers you A club'));
});

import { deliveryChainIdOf, deliveryIdOf, parseDeliveryId } from '../../../src/webhooks/domain/delivery-id.js';

describe('The id of a delivery', () => {
  const chainId = deliveryChainIdOf('2026-02-01T09:00:00.000Z', 'evt_1', 'whs_1');

  it('contains the chain and the attempt', () => {
    expect(deliveryIdOf(chainId, 7)).toMatch(/^whd_[A-Za-z0-9_-]{22,26}$/);
    expect(parseDeliveryId(deliveryIdOf(chainId, 7))).toEqual({ chainId, attempt: 7 });
  });

  it('sorts by attempt', () => expect(deliveryIdOf(chainId, 9) < deliveryIdOf(chainId, 10)).toBe(true));

  it('depends on the event and the endpoint', () =>
    expect(deliveryChainIdOf('2026-02-01T09:00:00.000Z', 'evt_1', 'whs_2')).not.toBe(chainId));

  it.each(['', 'whd_', 'whd_1', 'whs_01m7z805vc38mc1kg7tbkq01', `whd_${'A'.repeat(24)}`])('does not accept %j', (id) =>
    expect(parseDeliveryId(id)).toBeNull(),
  );
});

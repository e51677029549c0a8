import { CommerceFixture, MONTHLY } from '../../commerce/commerce-fixture.js';
import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';

const REQUEST_ID = 'a-traced-checkout';

/** Returns the paths of all keys that begin with an underscore, as those of stored fields do. */
function findHidden(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.startsWith('_') ? [`${path}/${key}`] : []),
    ...findHidden(inner, `${path}/${key}`),
  ]);
}

interface CausedCommand {
  readonly events: readonly { readonly commands: readonly CausedCommand[] }[];
  readonly commands: readonly CausedCommand[];
}

/** Returns the greatest number of commands, each caused by the one before. */
function measureDepth(commands: readonly CausedCommand[]): number {
  const depths = commands.map(
    ({ events, commands: direct }) => 1 + measureDepth([...events.flatMap((event) => event.commands), ...direct]),
  );
  return Math.max(0, ...depths);
}

describe('The change history of a checkout', () => {
  let shop: CommerceFixture;
  let orderId: string;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    const product = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const cart = await shop.createCart([product]);
    orderId = requireData(await shop.checkOut(cart.id, 'tok_ok', { 'x-request-id': REQUEST_ID })).id;
  });
  afterAll(() => shop.service.stop());

  it('shows no stored field at any depth of the tree of its causes', async () => {
    const tree = await eventually(
      async () => requireData(await shop.api.get(`/v1/audit/correlations/${REQUEST_ID}`)),
      ({ commands }) => measureDepth(commands) > 1,
    );

    expect(findHidden(tree)).toEqual([]);
  });

  it.each([
    ['the list of events', () => '/v1/audit/events?limit=100'],
    ['the history of the order', () => `/v1/audit/resources/${orderId}/history?limit=100`],
    ['the order as it was', () => `/v1/audit/resources/${orderId}`],
  ])('shows no stored field in %s', async (_, pathOf) =>
    expect(findHidden(requireData(await shop.api.get(pathOf())))).toEqual([]),
  );

  it('shows no stored field before or after any of its events', async () => {
    const entries = requireData(await shop.api.get(`/v1/audit/events?limit=100&correlation_id=${REQUEST_ID}`));
    const details = await Promise.all(
      entries.map(async ({ id }: { id: string }) => requireData(await shop.api.get(`/v1/audit/events/${id}`))),
    );

    expect(details.length).toBeGreaterThan(5);
    expect(findHidden(details)).toEqual([]);
  });
});

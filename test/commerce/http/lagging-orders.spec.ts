import { requireData } from '../../support/api.js';
import { CommandLine } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';
import { ON_EXTERNAL_STORES } from '../../support/external-stores/external-stores.js';
import { CommerceFixture } from '../commerce-fixture.js';

(ON_EXTERNAL_STORES ? describe.skip : describe)('The orders of a product', () => {
  let shop: CommerceFixture;
  let ops: CommandLine;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    ops = new CommandLine(shop.service.dataDir);
  });
  afterAll(() => shop.service.stop());

  async function list(productId: string, seller = shop, query = '') {
    const { body, headers } = await seller.list(`orders?product_id=${productId}${query}`);
    const ids = body.data.map(({ id }: { id: string }) => id);
    return { ids, total: body.pagination.total_count, isStale: headers.get('consistency') === 'stale' };
  }

  /** Pauses the projection of orders, and creates orders until one is missing: the process notices it a little later. */
  async function pause(course: { id: string }) {
    await ops.runForDocument('projections pause orders');
    return eventually(
      async () => {
        const { id } = await shop.createOrder([course]);
        const page = await list(course.id);
        expect([id, page.isStale || page.ids[0] === id]).toEqual([id, true]);
        return { order: id, page };
      },
      ({ page: { isStale } }) => isStale,
    );
  }

  async function resume(productId: string, seller = shop) {
    await ops.runForDocument('projections resume --all');
    return eventually(
      () => list(productId, seller),
      ({ isStale }) => !isStale,
    );
  }

  it('are all listed, or the page is marked as stale, while their own projection is paused', async () => {
    const course = await shop.createApprovedProduct();
    const first = await shop.createOrder([course]);
    expect(await list(course.id)).toEqual({ ids: [first.id], total: 1, isStale: false });

    const { order, page } = await pause(course);
    expect(page.ids).not.toContain(order);

    const { ids } = await resume(course.id);
    expect([ids[0], ids.at(-1)]).toEqual([order, first.id]);
    expect(ids.length).toBeGreaterThan(page.ids.length);
  });

  it('make a page stale that has none of its orders yet', async () => {
    const course = await shop.createApprovedProduct();
    const { order } = await pause(course);

    const page = await list(course.id, shop, '&per_page=1');
    expect([page.ids, page.isStale]).toEqual([[], true]);

    const { ids, total } = await resume(course.id);
    expect([ids[0], ids.length]).toEqual([order, total]);
  });

  it('make a page stale whose order is known, but not as completed', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = (now: string) => seller.api.put('/v1/commerce/test-clock', { now });
    await setClock('2030-01-31T09:00:00.000Z');
    const course = await seller.createApprovedProduct();
    const cart = await seller.createCart([course]);
    const { id } = requireData(await seller.checkOut(cart.id, 'tok_pending'));
    expect(await list(course.id, seller)).toEqual({ ids: [], total: 0, isStale: false });

    await pause(await shop.createApprovedProduct());
    await setClock('2030-01-31T10:00:00.000Z');
    const page = await eventually(
      () => list(course.id, seller),
      ({ total }) => total === 1,
    );
    expect([page.ids, page.isStale]).toEqual([[], true]);

    expect((await resume(course.id, seller)).ids).toEqual([id]);
  });
});

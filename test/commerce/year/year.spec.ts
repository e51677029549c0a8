import { Registry } from '../../../src/engine/registry.js';
import { BuildCatalogue } from '../../../src/kernel/build-catalogue.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { ReadModels } from '../../../src/kernel/read-models.js';
import { eventually } from '../../support/eventually.js';
import { findDriftedDocuments, findLaggingCheckpoints } from '../../support/invariants/read-models.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { CommerceFixture } from '../commerce-fixture.js';
import { findPeriodErrors, findUnexplainedChanges } from './change-lists.js';
import { findOutdated } from './event-consumer.js';
import { findInstallmentErrors } from './installments.js';
import { type Books, findDiscrepancies, readBooks } from './reconciliation.js';
import { listAll, ShopYear } from './shop-year.js';

const SUBSCRIPTIONS = Number(process.env.SHOP_SUBSCRIPTIONS ?? 10);
const SEED = Number(process.env.SHOP_SEED ?? 1);
const TIMEOUT_MS = 20_000 + SUBSCRIPTIONS * 6_000;

/** Returns the books without ids. */
function withoutIds({ payments, refunds, invoices, payouts, balance }: Books) {
  const amounts = (items: readonly Record<string, unknown>[]) =>
    items.map(({ created_at, status, amount_cents }) => [created_at, status, amount_cents].join(' ')).sort();
  const numbers = invoices.map(({ number, issued_at, status, total_amount_cents: total }) =>
    [number, issued_at, status, total].join(' '),
  );
  return [amounts(payments), amounts(refunds), numbers.sort(), amounts(payouts), balance.balances];
}

describe(`The year of a shop with ${SUBSCRIPTIONS} subscriptions (SHOP_SEED=${SEED})`, () => {
  let shops: CommerceFixture[];
  let years: ShopYear[];
  let books: Books[];
  beforeAll(async () => {
    const first = await CommerceFixture.start();
    shops = [
      await CommerceFixture.createIn(first.service, 'test'),
      await CommerceFixture.createIn(first.service, 'test'),
    ];
    years = await Promise.all(shops.map((shop) => ShopYear.play(shop, SEED, SUBSCRIPTIONS)));
    books = await Promise.all(shops.map(readBooks));
  }, TIMEOUT_MS);
  afterAll(() => shops[0]!.service.stop());

  it('gives the same result for the same seed', () => {
    expect(years[1]!.steps).toEqual(years[0]!.steps);
    expect(withoutIds(books[1]!)).toEqual(withoutIds(books[0]!));
  });

  it('contains what happens to subscriptions', () => {
    const done = new Set(years[0]!.steps.filter(([, , status]) => status < 300).map(([action]) => action));
    const wanted = ['sell', 'changePlan', 'changePrice', 'changeCard', 'pause', 'cancel', 'refundPart', 'refundWhole'];
    expect(wanted.filter((action) => !done.has(action))).toEqual([]);

    const renewals = books[0]!.payments.filter(({ kind }) => kind === 'renewal');
    expect(renewals.filter(({ status }) => status === 'succeeded').length).toBeGreaterThan(SUBSCRIPTIONS);
    expect(renewals.filter(({ status }) => status === 'failed')).not.toEqual([]);
    expect(new Set(books[0]!.invoices.map(({ status }) => status))).toContain('paid');
  });

  it('loses no cent', () => {
    for (const held of books) expect(findDiscrepancies(held)).toEqual([]);
  });

  it('bills each period once, and explains each change by its events', async () => {
    for (const [i, shop] of shops.entries()) {
      for (const id of years[i]!.subscriptionIds) {
        expect(await findUnexplainedChanges(shop, id)).toEqual([]);
        expect(await findPeriodErrors(shop, id)).toEqual([]);
      }
    }
  });

  it('bills each part of an installment plan once', async () => {
    for (const shop of shops) {
      const orders = await listAll(shop, 'orders');
      const lines = orders.flatMap(({ line_items: items }) => items).filter(({ kind }) => kind === 'installment');
      expect(lines).not.toEqual([]);
      for (const { id } of lines) expect(await findInstallmentErrors(shop, id)).toEqual([]);
    }
    expect(books[0]!.payments.filter(({ kind }) => kind === 'installment').length).toBeGreaterThan(3);
  });

  it(
    'is known to a consumer that orders the events of a resource by their sequence',
    async () => {
      for (const shop of shops) expect(await findOutdated(shop)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'has read models that equal the fold of the log',
    async () => {
      const { service } = shops[0]!;
      const stores = {
        registry: service.get(Registry),
        events: service.get(EventStore),
        readModels: service.get(ReadModels),
        checkpoints: service.get(Checkpoints),
        catalogue: service.get(BuildCatalogue),
      };
      await eventually(
        () => findLaggingCheckpoints(stores),
        (lagging) => lagging.length === 0,
      );
      expect(await findDriftedDocuments(stores, await readWholeLog(stores.events))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

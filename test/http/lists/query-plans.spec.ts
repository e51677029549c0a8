import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Registry } from '../../../src/engine/registry.js';
import { isListed } from '../../../src/kernel/conditions.js';
import { collectionOf } from '../../../src/kernel/projection.js';
import { type FindQuery, ReadModels } from '../../../src/kernel/read-models.js';
import { CollectionCache, findTotal } from '../../../src/stores/embedded/collections.js';
import { createQueries } from '../../../src/stores/embedded/read-threads/queries.js';
import { toIndexes } from '../../../src/stores/mongodb/collections.js';
import { fieldOf } from '../../../src/stores/mongodb/documents.js';
import type { Api } from '../../support/api.js';
import { ExplainedStatements } from '../../support/explained-statements.js';
import { type Service, startService } from '../../support/service.js';
import { ExampleClient } from '../support/example-client.js';
import { type ListRequest, listRequests } from '../support/list-requests.js';
import { OpenApiClient } from '../support/openapi-client.js';
import { type RecordedRead, recordReads } from '../support/recorded-reads.js';

/** The types of events are in memory. */
const WITHOUT_QUERY = ['/v1/webhooks/event-types'];
const SUBSCRIPTION = { kind: 'subscription', amount_cents: 4900, currency: 'EUR', interval: 'month' };

interface AnsweredList extends ListRequest {
  readonly status: number;
  readonly reads: readonly RecordedRead[];
}

let service: Service;
let lists: readonly AnsweredList[];
beforeAll(async () => {
  service = await startService();
  const description = await OpenApiClient.read(service);
  const [seller, ...others] = await createCallers();
  const ids = await createOwners(new ExampleClient(description), seller, others.at(-1)!);
  const reads = recordReads(service.get(ReadModels));
  const answered: AnsweredList[] = [];
  for (const request of listRequests(description)) {
    const path = Object.entries(ids).reduce((filled, [name, id]) => filled.replace(name, id), request.path);
    let status = 0;
    for (const api of [seller, ...others]) {
      reads.length = 0;
      status = (await api.get(path + request.query)).status;
      if (status === 200) break;
    }
    answered.push({ ...request, status, reads: [...reads] });
  }
  lists = answered;
});
afterAll(() => service.stop());

async function createCallers(): Promise<readonly [Api, ...Api[]]> {
  const business = await service.createBusiness();
  const owner = service.createApi(await service.signToken('owner', { email: 'ada@example.com' }));
  return [
    service.createApi(await service.createKey(business)),
    owner,
    owner.withHeaders({ 'x-service-business-id': business.id }),
    service.createApi(await service.signToken('reviewer', { reviewer: true })),
  ];
}

/** Creates the resources whose ids are in the paths of lists. */
async function createOwners(consumer: ExampleClient, seller: Api, reviewer: Api) {
  const community = await consumer.call(seller, 'createCommunity');
  const post = await consumer.call(seller, 'createPost', { path: { id: community.id } });
  const channel = await consumer.call(seller, 'createChannel', { path: { id: community.id } });
  const endpoint = await consumer.call(seller, 'createEndpoint');
  const product = await consumer.call(seller, 'createProduct', { body: { plans: [SUBSCRIPTION] } });
  await consumer.call(reviewer, 'approveProduct', { path: { id: product.id } });
  const { id } = await consumer.call(seller, 'createCart');
  await consumer.call(seller, 'addLineToCart', { path: { id }, body: { product_id: product.id } });
  const order = await consumer.call(seller, 'checkOutCart', { path: { id } });
  return {
    'communities/{id}': `communities/${community.id}`,
    '{post_id}': post.id,
    '{channel_id}': channel.id,
    'endpoints/{id}': `endpoints/${endpoint.id}`,
    'subscriptions/{id}': `subscriptions/${order.line_items[0].subscription.id}`,
    'resources/{id}': `resources/${community.id}`,
  };
}

const nameOf = ({ path, query }: ListRequest) => `${path}${query}`;

/** Returns the names of the lists with a query that the check refuses, each with the reason. */
function check(refuse: (read: RecordedRead) => string | null): string[] {
  return lists.flatMap((list) =>
    list.reads.flatMap((read) => {
      const reason = refuse(read);
      return reason === null ? [] : `${nameOf(list)}: ${reason}`;
    }),
  );
}

describe('Every list, with each of its filters and its order', () => {
  it('is answered from queries', () => {
    expect(lists.filter(({ status }) => status !== 200).map(nameOf)).toEqual([]);
    const withoutQuery = lists.filter(({ reads }) => reads.every(({ list, slice }) => (list ?? slice) === undefined));
    expect([...new Set(withoutQuery.map(({ path }) => path))].sort()).toEqual(WITHOUT_QUERY.toSorted());
    expect(lists.length).toBeGreaterThan(80);
  });

  it('reads an index of SQLite, and sorts nothing', () => {
    const db = new DatabaseSync(join(service.dataDir, 'store.sqlite'), { readOnly: true });
    expect(check((read) => refusePlan(db, read))).toEqual([]);
    db.close();
  });

  it('has an index of MongoDB that ends with the order', () => expect(check(refuseIndexes)).toEqual([]));
});

/** Returns the plan of a query that walks a whole table or sorts. Hourly sizes bound how many documents they sort. */
function refusePlan(db: DatabaseSync, { collection, list, slice, count }: RecordedRead): string | null {
  const sql = new ExplainedStatements(db);
  const queries = createQueries(sql);
  if (list) queries.find(collection, list);
  if (slice) queries.readSlice(collection, slice);
  if (count && findTotal(new CollectionCache().find(sql, collection)!, count) === undefined)
    queries.count(collection, count);
  const sortsBounded = sql.plans.some((plan) => plan.includes('hourly_sizes'));
  const refused = sql.plans.find((plan) => /SCAN documents/.test(plan) || (!sortsBounded && /TEMP B-TREE/.test(plan)));
  return refused ?? null;
}

/** Returns why no declared index leads to the documents in their order. */
function refuseIndexes({ collection, list, slice }: RecordedRead): string | null {
  const query = list ?? slice;
  if (query === undefined) return null;
  const projection = service.get(Registry).projections.find((one) => collection.startsWith(`${collectionOf(one)}#`))!;
  const keys = toIndexes(projection).map(({ key }) => Object.keys(key));
  return keys.some((key) => leadsTo(query, key)) ? null : `no index by ${query.orderBy} of ${collection}`;
}

/** Returns whether the filter fixes all fields of the index before the order. Every index ends with the id. */
function leadsTo({ where, orderBy }: FindQuery, [live, ...fields]: readonly string[]): boolean {
  const fixed = Object.keys(where).filter((path) => isListed(where[path]));
  const [order, id] = fields.splice(-2);
  return (
    live === 'live' &&
    id === '_id' &&
    order === fieldOf(orderBy) &&
    fields.every((field) => fixed.map(fieldOf).includes(field))
  );
}

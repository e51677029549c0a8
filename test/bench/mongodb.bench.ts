// Compares the MongoDB adapter with the bare driver on one server, in short interleaved slices. The server is the tests'
// own substitute for MongoDB, in memory and in another process: only the ratios are meaningful, not the rates.
import { MongoJava } from '../support/mongo-java/mongo-java.ts';
import { interleaveRounds } from './interleave.ts';
import { describeMachine } from './machine.ts';
import { openAdapter } from './mongodb/adapter.ts';
import { openBare } from './mongodb/bare.ts';
import { LISTED, type MeasuredClient, SAVED } from './mongodb/measured-client.ts';
import { createPage, PAGE } from './mongodb/orders.ts';
import { measureLoops, toStoreFigure } from './store-slices.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const SLICE_MS = 800;
/** The number of pages of documents that exist. */
const PAGES = 40;
const LISTED_PAGES = 4;

/** Runs again and again, one at a time. */
type Operation = (client: MeasuredClient) => Promise<unknown>;

let position = 0;
let newPages = PAGES;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  [`load ${PAGE} documents by ids`]: (client) => client.load(createPage(0, 1).map(({ id }) => id)),
  [`save ${PAGE} new documents`]: (client) => client.save(SAVED, createPage(newPages++, ++position)),
  [`save ${PAGE} changed documents`]: (client) => client.save(SAVED, createPage(position % PAGES, ++position)),
  [`a page of ${PAGE} of a list`]: (client) => client.list(createPage(LISTED_PAGES - 1, 1)[0]!.document!),
  'a job: enqueue, claim, complete': (client) => client.runJob('mail'),
};

const { missing } = MongoJava;
const result = missing === null ? await compareOnServer() : { missing };
console.log(JSON.stringify({ bench: 'mongodb', ...result }, null, 2));

async function compareOnServer() {
  const server = await MongoJava.start();
  try {
    return await compare(await openBare(`${server.url}/bare`), await openAdapter(`${server.url}/adapter`));
  } finally {
    await server.stop();
  }
}

async function compare(bare: MeasuredClient, adapter: MeasuredClient) {
  for (const client of [bare, adapter]) await fill(client);
  const figures = [];
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    const run = (client: MeasuredClient) => () => measureLoops(1, SLICE_MS, toLoop(operation, client));
    figures.push(toStoreFigure(name, await interleaveRounds(ROUNDS, { bare: run(bare), adapter: run(adapter) })));
  }
  for (const client of [bare, adapter]) await client.close();
  return { machine: describeMachine(), rounds: ROUNDS, slice_ms: SLICE_MS, figures };
}

function toLoop(operation: Operation, client: MeasuredClient) {
  return async () => {
    await operation(client);
    return 1;
  };
}

async function fill(client: MeasuredClient): Promise<void> {
  for (let page = 0; page < PAGES; page++) await client.save(SAVED, createPage(page, ++position));
  for (let page = 0; page < LISTED_PAGES; page++) await client.save(LISTED, createPage(page, ++position));
}

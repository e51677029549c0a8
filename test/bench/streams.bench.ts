// Measures how long an event takes from the response to its write to an event stream and to a webhook of the same
// business, and how much memory idle streams need. Prints one JSON document on standard output.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, requireData } from '../support/api.ts';
import { EventReader } from '../support/event-reader.ts';
import { signSessionToken } from '../support/ops.ts';
import { Receiver } from '../support/receiver.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const PATH = '/v1/webhooks/events/stream';
const EVENTS = 100;
const IDLE_STREAMS = 1_000;
const STREAMS_PER_BUSINESS = 20;
const SETTLE_MS = 3_000;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const heapFile = join(dataDir, 'heap');
const service = await ServiceProcess.start(dataDir, {
  BUSINESS_LIMIT: '100',
  HEAP_FILE: heapFile,
  NODE_OPTIONS: `--import ${join(import.meta.dirname, 'report-heap.ts')}`,
});
const receiver = await Receiver.start();
try {
  const lag = await measureLag(service.createApi(service.firstKey));
  const memory = await measureMemory();
  console.log(JSON.stringify({ bench: 'streams', machine: describeMachine(), events: EVENTS, lag, memory }, null, 2));
} finally {
  await service.kill9();
  await receiver.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measureLag(api: Api) {
  await api.post('/v1/webhooks/endpoints', { url: receiver.url('/'), event_types: ['*'] });
  const arrived = new Map<string, number>();
  const reader = await EventReader.open(
    service.url + PATH,
    { authorization: `Bearer ${service.firstKey}` },
    ({ data }) => arrived.set(data.data.id as string, performance.timeOrigin + performance.now()),
  );
  const written = new Map<string, number>();
  for (let i = 0; i < EVENTS; i++) {
    const { id } = requireData(await api.post('/v1/commerce/products', { name: `Product ${i}` }));
    written.set(id as string, performance.timeOrigin + performance.now());
    await receiver.waitForRequests('/', i + 1);
    await reader.waitFor(i + 1);
  }
  const delivered = new Map(
    receiver.requests.map(({ body, receivedAt }) => [JSON.parse(body).data.id as string, receivedAt]),
  );
  const lagOf = (times: ReadonlyMap<string, number>) =>
    round(computeMedian([...written].map(([id, at]) => times.get(id)! - at)));
  await reader.cut();
  return { stream_median_ms: lagOf(arrived), webhook_median_ms: lagOf(delivered) };
}

/** Opens streams of many businesses, because a business may have 20. */
async function measureMemory() {
  const token = await signSessionToken(dataDir, 'owner', 'owner@example.com');
  const session = service.createApi(token);
  const businesses: string[] = [];
  for (let count = 0; count < IDLE_STREAMS / STREAMS_PER_BUSINESS; count++)
    businesses.push(requireData(await session.post('/v1/businesses', { name: `Business ${count}` })).id as string);
  const sockets: Socket[] = [];
  const open = async (count: number) => {
    for (let i = 0; i < count; i++)
      sockets.push(await openIdle(token, businesses[sockets.length % businesses.length]!));
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return readHeap();
  };
  // The first streams load code and fill caches, which all later streams share.
  const before = await open(businesses.length);
  const after = await open(IDLE_STREAMS - businesses.length);
  for (const socket of sockets) socket.destroy();
  return { streams: IDLE_STREAMS, bytes_per_stream: round((after - before) / (IDLE_STREAMS - businesses.length)) };
}

/** A plain socket, so that the client needs little memory and time. */
async function openIdle(token: string, business: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const headers = [`Host: ${hostname}`, `Authorization: Bearer ${token}`, `X-Service-Business-Id: ${business}`];
  socket.write(`GET ${PATH} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  await new Promise<void>((resolve, reject) =>
    socket.once('error', reject).once('data', (chunk: Buffer) => {
      if (chunk.toString().startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(chunk.toString()));
    }),
  );
  return socket;
}

/** Returns the heap of the service after a collection, in bytes. */
async function readHeap(): Promise<number> {
  await rm(heapFile, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  const deadline = performance.now() + SETTLE_MS;
  while (performance.now() < deadline) {
    const text = await readFile(heapFile, 'utf8').catch(() => null);
    if (text !== null) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the service did not report its heap');
}

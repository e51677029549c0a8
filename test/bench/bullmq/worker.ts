// What a BullMQ worker needs to sign and post deliveries: so many at once, and the timeout of the service.
import { Worker, type Job } from 'bullmq';
import { Agent, request } from 'undici';
import { importBuilt } from '../built.ts';
import { QUEUE, type Delivery } from './queue.ts';

const { signatureHeaders } =
  await importBuilt<typeof import('../../../src/webhooks/sending/signature.js')>('webhooks/sending/signature.js');

const TIMEOUT_MS = 15_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const { port, concurrency } = JSON.parse(process.env.BULLMQ_WORKER!) as Record<'port' | 'concurrency', number>;
const dispatcher = new Agent();

const worker = new Worker<Delivery>(QUEUE, deliver, { connection: { host: '127.0.0.1', port }, concurrency });
worker.on('error', (error) => console.error(error.message));
await worker.waitUntilReady();
console.log(`ready redis:${port}`);
process.on('SIGTERM', () => process.exit());

async function deliver({ data: { url, body: text } }: Job<Delivery>): Promise<void> {
  const body = Buffer.from(text);
  const signed = signatureHeaders(SECRET, { eventId: 'evt_1', seconds: Math.floor(Date.now() / 1_000), body });
  const headers = { 'content-type': 'application/json', ...signed };
  const response = await request(url, { method: 'POST', dispatcher, body, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body.dump();
  if (response.statusCode >= 300) throw new Error(`answered ${response.statusCode}`);
}

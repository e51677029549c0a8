// A BullMQ worker that signs and posts deliveries, with a given concurrency and the timeout of the service.
import { type Job, Worker } from 'bullmq';
import { postSigned } from '../deliveries/signed-posts.ts';
import { type Delivery, QUEUE } from './queue.ts';

const TIMEOUT_MS = 15_000;
const { port, concurrency } = JSON.parse(process.env.BULLMQ_WORKER!) as Record<'port' | 'concurrency', number>;

const worker = new Worker<Delivery>(QUEUE, deliver, { connection: { host: '127.0.0.1', port }, concurrency });
worker.on('error', (error) => console.error(error.message));
await worker.waitUntilReady();
console.log(`ready redis:${port}`);
process.on('SIGTERM', () => process.exit());

async function deliver({ data: { url, body } }: Job<Delivery>): Promise<void> {
  const status = await postSigned(url, Buffer.from(body), AbortSignal.timeout(TIMEOUT_MS));
  if (status >= 300) throw new Error(`the receiver responded with ${status}`);
}

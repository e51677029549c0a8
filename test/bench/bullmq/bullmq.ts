import { join } from 'node:path';
import { Queue } from 'bullmq';
import type { Sample } from '../deliveries/sample.ts';
import { getTime } from '../deliveries/steady-requests.ts';
import { MeasuredServer } from '../server.ts';
import { type Delivery, JOB_OPTIONS, QUEUE } from './queue.ts';
import { type Flush, RedisServer } from './redis.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');
const JOBS_PER_ADD = 500;

interface BullMqOptions {
  readonly flush: Flush;
  /** The number of jobs that the worker runs concurrently. */
  readonly concurrency: number;
}

/** BullMQ on a separate Redis server, with one worker that signs and posts. */
export class BullMq {
  private readonly redis: RedisServer;
  private readonly queue: Queue<Delivery>;
  private readonly concurrency: number;
  private worker!: MeasuredServer;
  private events = 0;

  private constructor(redis: RedisServer, concurrency: number) {
    this.redis = redis;
    this.concurrency = concurrency;
    this.queue = new Queue(QUEUE, {
      connection: { host: '127.0.0.1', port: redis.port },
      defaultJobOptions: JOB_OPTIONS,
    });
  }

  static async start({ flush, concurrency }: BullMqOptions): Promise<BullMq> {
    const peer = new BullMq(await RedisServer.start(flush), concurrency);
    await peer.restart();
    return peer;
  }

  /** Publishes one event. @returns the id in its data */
  async publish(url: string, sample: Sample): Promise<string> {
    const { id, body } = this.createEvent(sample);
    await this.queue.add(QUEUE, { url, body });
    return id;
  }

  /** Publishes one event to several endpoints. */
  async publishToAll(urls: readonly string[], sample: Sample): Promise<void> {
    const { body } = this.createEvent(sample);
    await this.queue.addBulk(urls.map((url) => ({ name: QUEUE, data: { url, body } })));
  }

  /** Enqueues `count` events for one endpoint as fast as possible. */
  async fill(url: string, count: number, sample: Sample): Promise<void> {
    const jobs = Array.from({ length: count }, () => ({
      name: QUEUE,
      data: { url, body: this.createEvent(sample).body },
    }));
    for (let at = 0; at < count; at += JOBS_PER_ADD) await this.queue.addBulk(jobs.slice(at, at + JOBS_PER_ADD));
  }

  kill9(): Promise<void> {
    return this.worker.kill9();
  }

  /** Restarts the worker only. @returns the time of the start */
  async restart(): Promise<number> {
    const began = getTime();
    const setting = JSON.stringify({ port: this.redis.port, concurrency: this.concurrency });
    this.worker = await MeasuredServer.start(WORKER, { BULLMQ_WORKER: setting });
    return began;
  }

  /** Returns the CPU time of the worker and of Redis since the previous call. */
  async takeCpuMicros(): Promise<number> {
    return (await this.worker.read()).cpuMicros + (await this.redis.takeCpuMicros());
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.queue.close();
    await this.redis.stop();
  }

  private createEvent({ body }: Sample) {
    const event = JSON.parse(body) as { readonly id: string; readonly data: object };
    const id = String(++this.events);
    return { id, body: JSON.stringify({ ...event, id: `evt_${id}`, data: { ...event.data, id } }) };
  }
}

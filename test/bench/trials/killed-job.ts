import { setTimeout as delay } from 'node:timers/promises';
import { requireData } from '../../support/api.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';
import { getTime } from '../deliveries/steady-requests.ts';
import { round } from '../numbers.ts';
import type { Outage } from './live-traffic.ts';
import type { RejectedHistory } from './refused-history.ts';

const HOLDING_MS = 15_000;
const SENT_SHARE = 0.4;
const POLL_MS = 500;

type JobRecord = { readonly status: string } & Readonly<
  Record<'matched' | 'redelivered' | 'succeeded' | 'failed' | 'skipped', number>
>;

/**
 * A replay job for all deliveries. Its process is killed twice: while it holds its delivery chains, and while it sends.
 */
export class KilledJob {
  private readonly service: MeasuredService;
  private readonly history: RejectedHistory;
  private readonly outages: Outage[] = [];
  private id = '';
  private seconds = 0;

  constructor(service: MeasuredService, history: RejectedHistory) {
    this.service = service;
    this.history = history;
  }

  /** Runs the job. @returns the outages of the service */
  async run(): Promise<readonly Outage[]> {
    const began = getTime();
    this.id = requireData(
      await this.service.createApi().post('/v1/webhooks/replay-jobs', { ...this.history.window, statuses: ['failed'] }),
    ).id;
    await delay(HOLDING_MS);
    await this.killAndRestart();
    await this.waitUntil(({ redelivered, matched }) => redelivered >= SENT_SHARE * matched);
    await this.killAndRestart();
    await this.waitUntil(({ status }) => status !== 'running' && status !== 'pending');
    this.seconds = (getTime() - began) / 1_000;
    return this.outages;
  }

  async report() {
    const { status, matched, redelivered, succeeded, failed, skipped } = await this.readJob();
    return {
      kills: this.outages.length,
      seconds: round(this.seconds),
      status,
      matched,
      redelivered,
      succeeded,
      failed,
      skipped,
    };
  }

  private async killAndRestart(): Promise<void> {
    const { redelivered } = await this.readJob();
    console.error(`killed after ${redelivered} redeliveries`);
    const from = getTime();
    await this.service.kill9();
    await this.service.restart();
    this.outages.push({ from, to: getTime() });
  }

  private async waitUntil(condition: (job: JobRecord) => boolean): Promise<void> {
    while (!condition(await this.readJob())) await delay(POLL_MS);
  }

  /** Reads the job. After a restart beside other work, an overloaded service rejects requests for a moment. */
  private async readJob(): Promise<JobRecord> {
    for (;;) {
      const reply = await this.service.createApi().get(`/v1/webhooks/replay-jobs/${this.id}`);
      if (reply.status !== 503) return requireData(reply);
      await delay(POLL_MS);
    }
  }
}

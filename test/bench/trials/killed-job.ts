import { setTimeout as delay } from 'node:timers/promises';
import { dataOf } from '../../support/api.ts';
import type { MeasuredService } from '../deliveries/measured-service.ts';
import { now } from '../deliveries/steadily.ts';
import { rounded } from '../numbers.ts';
import type { Absence } from './live-traffic.ts';
import type { RefusedHistory } from './refused-history.ts';

const HOLDING_MS = 15_000;
const SENT_SHARE = 0.4;
const LOOK_AGAIN_MS = 500;

type JobRecord = { readonly status: string } & Readonly<Record<'matched' | 'redelivered' | 'succeeded' | 'failed' | 'skipped', number>>;

/**
 * A replay job for all deliveries. Its process is killed twice: while it holds its delivery chains, and while it sends.
 */
export class KilledJob {
  private readonly service: MeasuredService;
  private readonly history: RefusedHistory;
  private readonly absences: Absence[] = [];
  private id = '';
  private seconds = 0;

  constructor(service: MeasuredService, history: RefusedHistory) {
    this.service = service;
    this.history = history;
  }

  /** Runs the job. @returns the outages of the service */
  async run(): Promise<readonly Absence[]> {
    const began = now();
    this.id = dataOf(await this.service.api().post('/v1/webhooks/replay-jobs', { ...this.history.window, statuses: ['failed'] })).id;
    await delay(HOLDING_MS);
    await this.killAndRestart();
    await this.until(({ redelivered, matched }) => redelivered >= SENT_SHARE * matched);
    await this.killAndRestart();
    await this.until(({ status }) => status !== 'running' && status !== 'pending');
    this.seconds = (now() - began) / 1_000;
    return this.absences;
  }

  async told() {
    const { status, matched, redelivered, succeeded, failed, skipped } = await this.document();
    return { kills: this.absences.length, seconds: rounded(this.seconds), status, matched, redelivered, succeeded, failed, skipped };
  }

  private async killAndRestart(): Promise<void> {
    const { redelivered } = await this.document();
    console.error(`killed after ${redelivered} redeliveries`);
    const from = now();
    await this.service.kill9();
    await this.service.restart();
    this.absences.push({ from, to: now() });
  }

  private async until(condition: (job: JobRecord) => boolean): Promise<void> {
    while (!condition(await this.document())) await delay(LOOK_AGAIN_MS);
  }

  private async document(): Promise<JobRecord> {
    return dataOf(await this.service.api().get(`/v1/webhooks/replay-jobs/${this.id}`));
  }
}

import { Injectable } from '@nestjs/common';
import type { JobHandler, Reschedule } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Admission } from '../delivery/admission.js';
import { contextForJob } from '../delivery/delivery-jobs.js';
import { type Destination, findDestination } from '../delivery/destinations.js';
import { type Receiver, toReceiver } from '../delivery/receiver.js';
import { REPLAY_BATCH_QUEUE, type ReplayBatchRun } from '../delivery/replay-queues.js';
import { ReplaySteps, type SelectedChain } from '../delivery/replay-steps.js';
import { type EndpointThrottle, ReplayThrottle } from '../delivery/replay-throttle.js';
import { NO_SLOT, type Slot } from '../delivery/slot.js';
import type { AttemptOwner } from '../domain/delivery-chain/facts.js';
import { endpointDecider } from '../domain/endpoint.js';
import { replayBatchDecider, replayBatchIdOf } from '../domain/replay-batch.js';
import { replayJobDecider } from '../domain/replay-job.js';
import { ReplayErrors } from './replay-errors.js';

const BATCH_CONCURRENCY = 500;
/** Limits a run, so that it does not delay a shutdown. The next run continues at the same record. */
const MAX_RUN_MS = 2_000;
const MAX_RELEASES_PER_RUN = 500;

interface BatchRun {
  readonly job: ReplayBatchRun;
  readonly context: Context;
  readonly throttle: EndpointThrottle;
  /** Null after the endpoint was deleted: then nothing is sent. */
  readonly receiver: Receiver | null;
}

/** Redelivers the delivery chains that replay jobs hold, one batch for each endpoint, the oldest event first. */
@Injectable()
export class RunReplayBatches {
  readonly name = 'run-replay-batches';
  readonly handlers: readonly JobHandler<ReplayBatchRun['data']>[];

  constructor(
    private readonly streams: Streams,
    private readonly steps: ReplaySteps,
    private readonly throttle: ReplayThrottle,
    private readonly admission: Admission,
    private readonly errors: ReplayErrors,
    private readonly clock: Clock,
  ) {
    const run = (job: ReplayBatchRun) =>
      this.run(job).catch((error: unknown) => this.errors.handle(error, job, contextForJob(job, this.name)));
    this.handlers = [{ queue: REPLAY_BATCH_QUEUE, concurrency: BATCH_CONCURRENCY, run }];
  }

  private async run(job: ReplayBatchRun): Promise<void | Reschedule> {
    const batchId = replayBatchIdOf(job.data);
    const { records, settled } = await this.streams.loadState(replayBatchDecider, batchId);
    const batch = { job, context: contextForJob(job, this.name), ...(await this.readEndpoint(job)) };
    const { replayJobId, endpointId } = job.data;
    const through = settled + (await this.settleSome(records.slice(settled), batch));
    const command = { type: 'RecordSettled', replayJobId, endpointId, through } as const;
    await this.streams.execute(replayBatchDecider, batchId, command, createChildContext(batch.context, 'settled'));
    if (through < records.length)
      return { at: toIso(this.clock.now() + batch.throttle.intervalMs), reason: 'there is more to do' };
    await this.streams.execute(
      replayJobDecider,
      replayJobId,
      { type: 'EndReplayBatch', endpointId },
      createChildContext(batch.context, 'end'),
    );
  }

  private async settleSome(records: readonly string[], batch: BatchRun): Promise<number> {
    return (await this.isRunning(batch))
      ? this.redeliver(records, batch)
      : this.release(records.slice(0, MAX_RELEASES_PER_RUN), batch);
  }

  /** Starts several redeliveries and waits for all of them, also when one fails. Returns how many it started. */
  private async redeliver(records: readonly string[], batch: BatchRun): Promise<number> {
    const until = this.clock.monotonic() + MAX_RUN_MS;
    const open: Promise<void>[] = [];
    const failures: unknown[] = [];
    const collectFailure = (error: unknown) => void failures.push(error);
    for (const record of records) {
      const slot = failures.length > 0 ? null : await this.acquireSlot(record, batch, until).catch(collectFailure);
      if (!slot) break;
      const redelivery = this.steps.redeliver(
        toSelectedChain(record, batch),
        toOwner(batch),
        batch.context,
        findDestination(slot),
      );
      open.push(redelivery.finally(() => slot.release()).catch(collectFailure));
    }
    await Promise.all(open);
    if (failures.length > 0) throw failures[0];
    return open.length;
  }

  /**
   * Returns null when the run must end, because its time is over or the job is not running. A chain that the job does
   * not hold was skipped or sent before, and needs no slot.
   */
  private async acquireSlot(record: string, batch: BatchRun, until: number): Promise<Slot | Destination | null> {
    if (this.clock.monotonic() >= until) return null;
    const { receiver, throttle } = batch;
    const slot =
      receiver !== null && (await this.steps.isHeld(toSelectedChain(record, batch)))
        ? await this.admission.enterFromReplayJob(receiver, throttle, until)
        : await this.waitWithoutSlot();
    if (slot === null) return null;
    let isRunning = false;
    try {
      isRunning = await this.isRunning(batch);
    } finally {
      if (!isRunning) slot.release();
    }
    return isRunning ? slot : null;
  }

  private async waitWithoutSlot(): Promise<Slot> {
    await this.throttle.waitForStep();
    return NO_SLOT;
  }

  private async release(records: readonly string[], batch: BatchRun): Promise<number> {
    for (const record of records) {
      await this.throttle.waitForStep();
      await this.steps.release(toSelectedChain(record, batch), batch.context);
    }
    return records.length;
  }

  private async isRunning({ job: { data } }: BatchRun): Promise<boolean> {
    return (await this.streams.loadState(replayJobDecider, data.replayJobId)).status === 'running';
  }

  private async readEndpoint({
    data: { endpointId },
  }: ReplayBatchRun): Promise<Pick<BatchRun, 'throttle' | 'receiver'>> {
    const found = await this.streams.loadState(endpointDecider, endpointId);
    const settings = 'settings' in found ? found.settings : null;
    return {
      throttle: this.throttle.forEndpoint(endpointId, settings?.rateLimitPerSecond ?? null),
      receiver: settings && toReceiver(endpointId, settings),
    };
  }
}

function toOwner({ job: { key, attempt } }: BatchRun): AttemptOwner {
  return { job: key, attempt };
}

function toSelectedChain(record: string, { job: { data } }: BatchRun): SelectedChain {
  const { replayJobId, endpointId } = data;
  return { replayJobId, endpointId, record };
}

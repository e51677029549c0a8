import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Jobs } from '../../kernel/jobs.js';
import type { EventOf } from '../../kernel/projection.js';
import { deliveryChainDecider } from '../domain/delivery-chain/delivery-chain.js';
import type { Attempt, DeliveryChainEvent, Replay, SendTest } from '../domain/delivery-chain/facts.js';
import { Admission } from './admission.js';
import { AttemptRunner } from './attempt-runner.js';
import { toLeaseJob } from './delivery-jobs.js';
import type { Destination } from './destinations.js';
import { DispatcherLease } from './dispatcher-lease.js';
import type { EventPayload } from './envelope.js';
import type { Receiver } from './receiver.js';

const POLL_MS = 100;

type SynchronousStart = Omit<Replay, 'leaseMs' | 'owner'> | Omit<SendTest, 'leaseMs' | 'owner'>;

/** Makes the attempts whose result an HTTP request waits for: replays and tests. */
@Injectable()
export class SynchronousAttempts {
  constructor(
    private readonly streams: Streams,
    private readonly runner: AttemptRunner,
    private readonly dispatcherLease: DispatcherLease,
    private readonly admission: Admission,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` in a slot of the endpoint and of the host of its URL.
   * @throws Rejection `service_unavailable` when no slot is free in time
   */
  async runInSlot<T>(receiver: Receiver, work: (destination: Destination) => Promise<T>): Promise<T> {
    const destination = await this.admission.enterFromRequest(receiver);
    try {
      return await work(destination);
    } finally {
      destination.release();
    }
  }

  /** Starts the attempt, sends it, and returns the chain's history with the end of the attempt. */
  async send(
    chainId: string,
    start: SynchronousStart,
    context: Context,
    destination: Destination,
    payload?: EventPayload,
  ): Promise<readonly RecordedEvent[]> {
    const leaseMs = this.runner.leaseMsFor(start.type === 'Replay' ? 'replay' : 'test');
    await this.jobs.enqueue([toLeaseJob(chainId, toIso(this.clock.now() + leaseMs), context)]);
    const owner = await this.dispatcherLease.acquireOwner();
    const command = { ...start, leaseMs, owner };
    const { outcome, hasStarted, ended } = await this.runner.start({ chainId, command, context, payload, destination });
    if (hasStarted) return (await ended).loadHistory();
    const earlier = findStartedAttempt(context, await outcome.loadHistory());
    if (earlier === null) throw new Error(`${chainId}: its start is not recorded`);
    return this.waitForEnd(chainId, earlier, context);
  }

  /** Waits until an attempt of an earlier run has ended or its process has died. Sends nothing. */
  async waitForEnd(chainId: string, { attempt }: Attempt, context: Context): Promise<readonly RecordedEvent[]> {
    for (;;) {
      const found = await this.streams.loadState(deliveryChainDecider, chainId);
      const laterOwner = await this.dispatcherLease.findLaterOwner(found);
      const { state, loadHistory } = await this.runner.expire(chainId, attempt, laterOwner, context);
      if (state.status !== 'sending' || state.open.attempt !== attempt) return loadHistory();
      await this.clock.sleep(POLL_MS);
    }
  }
}

/** Returns the attempt that this command started, in this run or an earlier one. */
export function findStartedAttempt({ commandId }: Context, history: readonly RecordedEvent[]): Attempt | null {
  const started = history.filter(isStart).find(({ meta }) => meta.commandId === commandId);
  return started?.data ?? null;
}

function isStart(event: RecordedEvent): event is EventOf<DeliveryChainEvent, 'AttemptStarted'> {
  return event.type === 'AttemptStarted';
}

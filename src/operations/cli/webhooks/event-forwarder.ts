import { type Clock, toIso } from '../../../kernel/clock.js';
import type { Mode } from '../../../kernel/event.js';
import type { Destinations } from '../../../webhooks/delivery/destinations.js';
import { createEnvelope } from '../../../webhooks/delivery/envelope.js';
import type { Sender } from '../../../webhooks/delivery/sender.js';
import { type AttemptResult, classifyResult, type FailureReason } from '../../../webhooks/domain/attempt-result.js';
import { deliveryChainIdOf, deliveryIdOf } from '../../../webhooks/domain/delivery-id.js';
import type { PublicEvent } from '../../../webhooks/domain/public-event.js';

/** Maximum number of responses other than 2xx and 4xx. Without a response the event is sent again without a limit. */
const MAX_RESPONSES = 5;
export const INITIAL_WAIT_MS = 500;
export const MAX_WAIT_MS = 5_000;
const SEND_OPTIONS = { timeoutMs: 15_000, isNewConnection: false };

/** The outcome of one attempt. */
export interface ForwardResult {
  readonly at: string;
  readonly id: string;
  readonly type: string;
  readonly business: string;
  readonly mode: Mode;
  readonly attempt: number;
  /** `abandoned`: the event reached the maximum number of responses and is not sent again. */
  readonly status: 'success' | 'failed' | 'abandoned';
  readonly response_status: number | null;
  readonly reason: FailureReason | null;
  readonly duration_ms: number | null;
  /** Null when the event is not sent again. */
  readonly repeated_in_ms: number | null;
}

export type ReportForward = (forwarded: ForwardResult) => void;

/** Posts events to one receiver in the format of an endpoint, each until it is settled. */
export class EventForwarder {
  constructor(
    private readonly url: string,
    private readonly secret: string,
    private readonly sender: Sender,
    private readonly destinations: Destinations,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends an event, with decrypted personal fields, until it is accepted, refused or abandoned. Returns false when the
   * signal aborts first.
   */
  async forward(event: PublicEvent, report: ReportForward, signal: AbortSignal): Promise<boolean> {
    let [attempt, responses, waitMs] = [1, 0, INITIAL_WAIT_MS];
    while (!signal.aborted) {
      const response = await this.post(event, attempt);
      if (hasResponse(response)) responses++;
      const result = this.toResult(event, attempt, response, { isLast: responses === MAX_RESPONSES, waitMs });
      report(result);
      if (result.repeated_in_ms === null) return true;
      await this.clock.sleep(waitMs, signal);
      waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      // The receiver may have got an attempt without a response. It has not got one whose duration is null.
      if (response.durationMs !== null) attempt++;
    }
    return false;
  }

  private async post(event: PublicEvent, attempt: number): Promise<AttemptResult> {
    const now = this.clock.now();
    const chainId = deliveryChainIdOf(event.occurredAt, event.eventId, this.url);
    const attemptStart = { deliveryId: deliveryIdOf(chainId, attempt), attempt, startedAt: toIso(now) };
    const envelope = createEnvelope({ ...event, test: false }, attemptStart, this.secret, now);
    if (envelope === null) return { failure: 'envelope_too_large', durationMs: null };
    const destination = await this.destinations.acquireExtra(this.url);
    return this.sender.post(destination, envelope, SEND_OPTIONS).finally(destination.release);
  }

  private toResult(
    { eventId: id, type, businessId: business, mode }: PublicEvent,
    attempt: number,
    response: AttemptResult,
    { isLast, waitMs }: { readonly isLast: boolean; readonly waitMs: number },
  ): ForwardResult {
    const verdict = classifyResult(response);
    const status = toStatus(verdict.outcome, isLast);
    const isRetried = verdict.outcome === 'retryable' && status !== 'abandoned';
    return {
      at: toIso(this.clock.now()),
      ...{ id, type, business, mode, attempt },
      status,
      response_status: 'failure' in response ? null : response.responseStatus,
      reason: 'reason' in verdict ? verdict.reason : null,
      duration_ms: response.durationMs,
      repeated_in_ms: isRetried ? waitMs : null,
    };
  }
}

function toStatus(outcome: ReturnType<typeof classifyResult>['outcome'], isLast: boolean): ForwardResult['status'] {
  if (outcome === 'success') return 'success';
  return outcome === 'retryable' && isLast ? 'abandoned' : 'failed';
}

/** Returns whether the receiver responded. Only responses count against the maximum. */
function hasResponse(response: AttemptResult): boolean {
  return !('failure' in response);
}

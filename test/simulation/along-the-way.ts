import type { Recorded, RecordedOf } from '../../src/kernel/event.js';
import type { ChainEvent } from '../../src/webhooks/domain/chain.js';
import type { Life } from './life.js';

/** The longest time between reading an endpoint and starting an attempt, without lost or slow calls. */
const READ_TO_START_MS = 60;

interface Circumstances {
  /** Milliseconds since the start of the run. */
  readonly now: () => number;
  /** Whether no call was lost or slow and no lease ended early so far. */
  readonly isUndisturbed: () => boolean;
  /** The process that sent this attempt, or null. */
  readonly senderOf: (deliveryId: string) => Life | null;
  readonly hasStoodStill: (life: Life) => boolean;
}

type OfChain = RecordedOf<ChainEvent>;
type Started = Extract<OfChain, { type: 'AttemptStarted' }>['data'];

/** Checks each event against the earlier events when it is recorded. */
export class AlongTheWay {
  /** The violations found, a sentence each. */
  readonly breaches: string[] = [];
  /** The replay job that holds each delivery chain. */
  private readonly holds = new Map<string, string>();
  private readonly endpoints = new Map<string, string>();
  /** The time at which each endpoint was disabled. */
  private readonly disabled = new Map<string, number>();

  constructor(private readonly circumstances: Circumstances) {}

  saw(recorded: Recorded): void {
    const event = recorded as OfChain;
    switch (event.type) {
      case 'ChainPlanned':
        return void this.endpoints.set(event.data.chainId, event.data.endpointId);
      case 'ChainHeld':
        return void this.holds.set(event.data.chainId, event.data.replayJobId);
      case 'ChainSkipped':
      case 'ChainReleased':
        return this.endHold(event.data);
      case 'AttemptStarted':
        return this.started(event.data);
      case 'AttemptLost':
        return this.lost(event.data.deliveryId);
      default:
        return this.sawEndpoint(recorded);
    }
  }

  private sawEndpoint({ type, data }: Recorded): void {
    const { endpointId } = data as { readonly endpointId?: string };
    if (type === 'EndpointDisabled') this.disabled.set(endpointId!, this.circumstances.now());
    if (type === 'EndpointEnabled') this.disabled.delete(endpointId!);
  }

  private endHold({ chainId, replayJobId }: { readonly chainId: string; readonly replayJobId: string }): void {
    if (this.holds.get(chainId) === replayJobId) this.holds.delete(chainId);
  }

  /**
   * While a job holds a delivery chain, only the job's redelivery starts an attempt. No first attempt starts long after
   * its endpoint was disabled.
   */
  private started({ chainId, replayJobId, attempt, kind }: Started): void {
    const holder = this.holds.get(chainId);
    if (holder !== undefined && holder !== replayJobId)
      this.breaches.push(`${holder} holds ${chainId}, but attempt ${attempt} has started`);
    this.holds.delete(chainId);
    const { now, isUndisturbed } = this.circumstances;
    const since = this.disabled.get(this.endpoints.get(chainId) ?? '');
    const isLate = since !== undefined && now() - since > READ_TO_START_MS;
    if (isLate && attempt === 1 && kind === 'automatic' && isUndisturbed())
      this.breaches.push(`${chainId} has started although its endpoint was disabled before`);
  }

  /** No attempt of a living, undisturbed process is lost. */
  private lost(deliveryId: string): void {
    const { senderOf, hasStoodStill, isUndisturbed } = this.circumstances;
    const life = senderOf(deliveryId);
    if (life === null || life.over || hasStoodStill(life) || !isUndisturbed()) return;
    this.breaches.push(`${deliveryId} was lost although its process lives`);
  }
}

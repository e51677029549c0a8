import type { RecordedEvent, RecordedOf } from '../../src/kernel/event.js';
import type { DeliveryChainEvent } from '../../src/webhooks/domain/delivery-chain/facts.js';
import type { ProcessLifecycle } from './process-lifecycle.js';

/** The longest time between reading an endpoint and starting an attempt, without lost or slow calls. */
const READ_TO_START_MS = 60;

interface RunConditions {
  /** Milliseconds since the start of the run. */
  readonly now: () => number;
  /** Whether no call was lost or slow and no lease ended early so far. */
  readonly isUndisturbed: () => boolean;
  /** The process that sent this attempt, or null. */
  readonly findSender: (deliveryId: string) => ProcessLifecycle | null;
  readonly wasPaused: (life: ProcessLifecycle) => boolean;
}

type ChainFact = RecordedOf<DeliveryChainEvent>;
type Started = Extract<ChainFact, { type: 'AttemptStarted' }>['data'];

/** Checks each event against the earlier events when it is recorded. */
export class OnlineChecks {
  /** The violations found, a sentence each. */
  readonly violations: string[] = [];
  /** The replay job that holds each delivery chain. */
  private readonly holds = new Map<string, string>();
  private readonly endpoints = new Map<string, string>();
  /** The time at which each endpoint was disabled. */
  private readonly disabled = new Map<string, number>();

  constructor(private readonly conditions: RunConditions) {}

  check(recorded: RecordedEvent): void {
    const event = recorded as ChainFact;
    switch (event.type) {
      case 'DeliveryChainPlanned':
        return void this.endpoints.set(event.data.chainId, event.data.endpointId);
      case 'DeliveryChainHeld':
        return void this.holds.set(event.data.chainId, event.data.replayJobId);
      case 'DeliveryChainSkipped':
      case 'DeliveryChainReleased':
        return this.releaseHold(event.data);
      case 'AttemptStarted':
        if (event.data.facts !== undefined) this.endpoints.set(event.data.chainId, event.data.facts.endpointId);
        return this.checkStart(event.data);
      case 'AttemptLost':
        return this.checkLoss(event.data.deliveryId);
      default:
        return this.checkEndpoint(recorded);
    }
  }

  private checkEndpoint({ type, data }: RecordedEvent): void {
    const { endpointId } = data as { readonly endpointId?: string };
    if (type === 'EndpointDisabled') this.disabled.set(endpointId!, this.conditions.now());
    if (type === 'EndpointEnabled') this.disabled.delete(endpointId!);
  }

  private releaseHold({ chainId, replayJobId }: { readonly chainId: string; readonly replayJobId: string }): void {
    if (this.holds.get(chainId) === replayJobId) this.holds.delete(chainId);
  }

  /**
   * While a job holds a delivery chain, only the job's redelivery starts an attempt. No first attempt starts long after
   * its endpoint was disabled.
   */
  private checkStart({ chainId, replayJobId, attempt, kind }: Started): void {
    const holder = this.holds.get(chainId);
    if (holder !== undefined && holder !== replayJobId)
      this.violations.push(`${holder} holds ${chainId}, but attempt ${attempt} has started`);
    this.holds.delete(chainId);
    const { now, isUndisturbed } = this.conditions;
    const since = this.disabled.get(this.endpoints.get(chainId) ?? '');
    const isLate = since !== undefined && now() - since > READ_TO_START_MS;
    if (isLate && attempt === 1 && kind === 'automatic' && isUndisturbed())
      this.violations.push(`${chainId} has started although its endpoint was disabled before`);
  }

  /** No attempt of a living, undisturbed process is lost. */
  private checkLoss(deliveryId: string): void {
    const { findSender, wasPaused, isUndisturbed } = this.conditions;
    const life = findSender(deliveryId);
    if (life === null || life.hasEnded || wasPaused(life) || !isUndisturbed()) return;
    this.violations.push(`${deliveryId} was lost although its process lives`);
  }
}

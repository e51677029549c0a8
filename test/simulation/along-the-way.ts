import type { Recorded, RecordedOf } from '../../src/kernel/event.js';
import type { ChainEvent } from '../../src/webhooks/domain/chain.js';
import type { Life } from './life.js';

/** A process reads an endpoint and begins an attempt within this time, where every call arrives and none is slow. */
const READ_TO_START_MS = 60;

interface Circumstances {
  /** Milliseconds since the world began. */
  readonly now: () => number;
  /** Every call has arrived so far, and every lease has lasted as long as it was to. */
  readonly isUndisturbed: () => boolean;
  /** The process that has sent this attempt has never stood still. Null when none has sent it. */
  readonly senderOf: (deliveryId: string) => Life | null;
  readonly hasStoodStill: (life: Life) => boolean;
}

type OfChain = RecordedOf<ChainEvent>;
type Started = Extract<OfChain, { type: 'AttemptStarted' }>['data'];

/** Judges each event when it is recorded, by what was recorded before it. */
export class AlongTheWay {
  /** What was found, one sentence each. */
  readonly breaches: string[] = [];
  /** By chain: the replay job that holds it. */
  private readonly holds = new Map<string, string>();
  private readonly endpoints = new Map<string, string>();
  /** By endpoint: when it was disabled. */
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

  /** While a job holds a chain nothing but its redelivery begins; no first attempt begins long after its endpoint was disabled. */
  private started({ chainId, replayJobId, attempt, kind }: Started): void {
    const holder = this.holds.get(chainId);
    if (holder !== undefined && holder !== replayJobId) this.breaches.push(`${holder} holds ${chainId}, and attempt ${attempt} has begun`);
    this.holds.delete(chainId);
    const { now, isUndisturbed } = this.circumstances;
    const since = this.disabled.get(this.endpoints.get(chainId) ?? '');
    const isLate = since !== undefined && now() - since > READ_TO_START_MS;
    if (isLate && attempt === 1 && kind === 'automatic' && isUndisturbed())
      this.breaches.push(`${chainId} has begun, and its endpoint was disabled before`);
  }

  /** No attempt is lost whose process lives, where nothing has kept it from recording the answer. */
  private lost(deliveryId: string): void {
    const { senderOf, hasStoodStill, isUndisturbed } = this.circumstances;
    const life = senderOf(deliveryId);
    if (life === null || life.over || hasStoodStill(life) || !isUndisturbed()) return;
    this.breaches.push(`${deliveryId} was lost, and its process lives`);
  }
}

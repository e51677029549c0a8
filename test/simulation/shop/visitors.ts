import type { CallerContext } from '../../../src/kernel/caller.js';
import { ConsistencyContext } from '../../../src/kernel/context.js';
import type { Mode } from '../../../src/kernel/event.js';
import { uuidV5 } from '../../../src/kernel/ids.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import type { Process } from '../process.js';
import { START_TIME } from '../process-lifecycle.js';
import type { SimulationRandom } from '../seeded-random.js';
import type { World } from '../world.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000001';
const ACTOR = { type: 'api_key', id: 'key_1' } as const;
const CLIENT_TIMEOUT_MS = 4_000;
const MAX_RETRY_DELAY_MS = 1_000;
const MAX_ATTEMPTS = 6;
const GIVE_UP_PROBABILITY = 0.3;

/** The business time of each mode. */
export type BusinessTimes = Readonly<Record<Mode, number>>;

/** A request has a response, or the client gave up. */
type Response<T> = { readonly value: T } | null;

type Execute<T> = (process: Process, context: CallerContext) => Promise<T>;

/** Clients that send one request after another, and repeat a request without a response. */
export abstract class Visitors {
  private openTasks = 0;

  constructor(
    protected readonly world: World,
    protected readonly random: SimulationRandom,
    readonly mode: Mode = 'live',
  ) {}

  /** Whether a client will send a request or waits for a response. */
  get areBusy(): boolean {
    return this.openTasks > 0;
  }

  protected schedule(ms: number, work: () => Promise<void>): void {
    this.openTasks++;
    this.world.timeline.after(ms, () => void work().finally(() => this.openTasks--));
  }

  /** Repeats the request under its command id until it has a clear response; some requests are sent twice. */
  protected async request<T>(name: string, execute: Execute<T>, attempts = MAX_ATTEMPTS): Promise<Response<T>> {
    const at = this.getTime();
    const isDoubled = this.random.chance(0.2);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const send = () => this.send(name, (process) => execute(process, createContext(name, this.mode, at)));
      if (isDoubled) void send();
      const response = await send();
      if (response === 'refused') return null;
      if (response !== 'unknown') return response;
      await this.wait(this.random.between(0, MAX_RETRY_DELAY_MS));
    }
    return null;
  }

  /** A request that some clients do not repeat: then the service finishes what a crash has interrupted. */
  protected requestOrGiveUp<T>(name: string, execute: Execute<T>): Promise<Response<T>> {
    return this.request(name, execute, this.random.chance(GIVE_UP_PROBABILITY) ? 1 : MAX_ATTEMPTS);
  }

  private send<T>(
    name: string,
    execute: (process: Process) => Promise<T>,
  ): Promise<{ readonly value: T } | 'refused' | 'unknown'> {
    const process = this.world.anyProcess(this.random);
    if (process === null) return Promise.resolve('unknown');
    const { trace } = this.world;
    trace.log(`${name} → ${process.name}`);
    const executed = execute(process).then(
      (value) => ({ value }),
      (error: unknown) => {
        trace.log(`${name} got the response: ${(error as Error).message}`);
        return error instanceof Rejection && error.code !== 'concurrent_update' ? 'refused' : 'unknown';
      },
    );
    return Promise.race([executed, this.wait(CLIENT_TIMEOUT_MS).then(() => 'unknown' as const)]);
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.world.timeline.after(ms, resolve));
  }

  protected getTime(): number {
    return START_TIME + Math.floor(this.world.timeline.now + this.world.passedMs);
  }
}

function createContext(name: string, mode: Mode, at: number): CallerContext {
  return {
    commandId: uuidV5(NAMESPACE, mode, name),
    at,
    correlationId: name,
    causationId: name,
    actor: ACTOR,
    business: 'biz_1',
    mode,
    requestId: name,
    consistency: new ConsistencyContext(),
    caller: {
      kind: 'secret_key',
      actor: ACTOR,
      business: 'biz_1',
      mode,
      user: null,
      reviewer: true,
      cart: null,
    },
  };
}

import { StoreUnavailable } from '../../src/kernel/event-store.js';
import type { Fate, Network, Port } from './network.js';
import type { ProcessLifecycle } from './process-lifecycle.js';
import type { RunTrace } from './trace.js';
import { formatResult } from './trace-format.js';

/** A call to a store: its text in the trace, and its execution at the store. */
export interface StoreCall<T> {
  readonly port: Port;
  readonly description: string;
  readonly kind: 'reads' | 'writes';
  perform(): Promise<T>;
}

type Settled<T> = { readonly value: T } | { readonly error: Error };

interface Caller<T> {
  readonly settle: (settled: Settled<T>) => void;
  readonly givesUp: (maybeWritten: boolean) => void;
}

/** The connection of one process to the stores. Calls and responses are delayed and can be lost. */
export class StoreConnection {
  constructor(
    readonly lifecycle: ProcessLifecycle,
    readonly network: Network,
    private readonly trace: RunTrace,
  ) {}

  call<T>(call: StoreCall<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const caller: Caller<T> = {
      settle: (settled) =>
        this.deliverBack(() => ('value' in settled ? resolve(settled.value) : reject(settled.error))),
      givesUp: (maybeWritten) =>
        this.deliverBack(() => reject(new StoreUnavailable(`${call.description} went wrong`, maybeWritten))),
    };
    const fate = this.network.drawFate(call.port, call.kind);
    this.lifecycle.timeline.after(this.network.drawLatencyMs(), () => {
      if (!this.isLost()) this.applyFate(fate, call, caller);
    });
    return promise;
  }

  /** Delivers a message from the store to the process. */
  deliverBack(happen: () => void): void {
    this.lifecycle.schedule(this.network.drawLatencyMs(), happen);
  }

  private applyFate<T>(fate: Fate, call: StoreCall<T>, caller: Caller<T>): void {
    if (fate !== 'arrives') this.trace.log(`${this.lifecycle.name} ${call.description}: ${fate}`);
    switch (fate) {
      case 'unreachable':
        return caller.givesUp(false);
      case 'vanished':
        return caller.givesUp(true);
      case 'unanswered':
        return this.perform(call, () => caller.givesUp(true));
      case 'late':
        caller.givesUp(true);
        return this.performLate(call);
      case 'doubled':
        this.performLate(call);
        return this.perform(call, caller.settle);
      case 'arrives':
        return this.perform(call, caller.settle);
    }
  }

  /** Whether a call of an ended process is lost. */
  private isLost(): boolean {
    return this.lifecycle.hasEnded && this.network.drawFateOfEnded() === 'lost';
  }

  private performLate(call: StoreCall<unknown>): void {
    this.lifecycle.timeline.after(this.network.drawLateDelayMs(), () => this.perform(call, () => undefined));
  }

  private perform<T>(call: StoreCall<T>, then: (settled: Settled<T>) => void): void {
    const trace = (outcome: string) => this.traceOutcome(call, outcome);
    call.perform().then(
      (value) => {
        trace(formatResult(value));
        then({ value });
      },
      (error: Error) => {
        trace(error.name);
        then({ error });
      },
    );
  }

  private traceOutcome({ description, kind }: StoreCall<unknown>, outcome: string): void {
    const line = `${this.lifecycle.name} ${description}${outcome}`;
    if (kind === 'writes' && outcome !== ' → nothing') this.trace.log(line);
    else this.trace.step(line);
  }
}

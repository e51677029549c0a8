import { StoreUnavailable } from '../../src/kernel/event-store.js';
import type { Life } from './life.js';
import type { Fate, Network, Port } from './network.js';
import { outcomeOf } from './telling.js';
import type { Trace } from './trace.js';

/** A call to a store: its text in the trace, and its execution at the store. */
export interface Call<T> {
  readonly port: Port;
  readonly what: string;
  readonly kind: 'reads' | 'writes';
  perform(): Promise<T>;
}

type Settled<T> = { readonly value: T } | { readonly error: Error };

interface Caller<T> {
  readonly hears: (settled: Settled<T>) => void;
  readonly givesUp: (maybeWritten: boolean) => void;
}

/** The connection of one process to the stores. Calls and responses are delayed and can be lost. */
export class Line {
  constructor(
    readonly life: Life,
    readonly network: Network,
    private readonly trace: Trace,
  ) {}

  call<T>(call: Call<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const caller: Caller<T> = {
      hears: (settled) => this.back(() => ('value' in settled ? resolve(settled.value) : reject(settled.error))),
      givesUp: (maybeWritten) => this.back(() => reject(new StoreUnavailable(`${call.what} went wrong`, maybeWritten))),
    };
    const fate = this.network.fateOf(call.port, call.kind);
    this.life.timeline.after(this.network.latencyMs(), () => {
      if (!this.isLostOnTheWay()) this.meet(fate, call, caller);
    });
    return promise;
  }

  /** Delivers a message from the store to the process. */
  back(happen: () => void): void {
    this.life.after(this.network.latencyMs(), happen);
  }

  private meet<T>(fate: Fate, call: Call<T>, caller: Caller<T>): void {
    if (fate !== 'arrives') this.trace.tell(`${this.life.name} ${call.what}: ${fate}`);
    switch (fate) {
      case 'unreachable':
        return caller.givesUp(false);
      case 'vanished':
        return caller.givesUp(true);
      case 'unanswered':
        return this.perform(call, () => caller.givesUp(true));
      case 'late':
        caller.givesUp(true);
        return this.performMuchLater(call);
      case 'doubled':
        this.performMuchLater(call);
        return this.perform(call, caller.hears);
      case 'arrives':
        return this.perform(call, caller.hears);
    }
  }

  /** Whether a call of an ended process is lost. */
  private isLostOnTheWay(): boolean {
    return this.life.over && this.network.fateOfTheDead() === 'lost';
  }

  private performMuchLater(call: Call<unknown>): void {
    this.life.timeline.after(this.network.muchLaterMs(), () => this.perform(call, () => undefined));
  }

  private perform<T>(call: Call<T>, then: (settled: Settled<T>) => void): void {
    const tell = (outcome: string) => this.tell(call, outcome);
    call.perform().then(
      (value) => {
        tell(outcomeOf(value));
        then({ value });
      },
      (error: Error) => {
        tell(error.name);
        then({ error });
      },
    );
  }

  private tell({ what, kind }: Call<unknown>, outcome: string): void {
    const line = `${this.life.name} ${what}${outcome}`;
    if (kind === 'writes' && outcome !== ' → nothing') this.trace.tell(line);
    else this.trace.step(line);
  }
}

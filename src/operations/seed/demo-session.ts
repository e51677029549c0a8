import { type Command, CommandBus } from '@nestjs/cqrs';
import type { Caller, CallerContext } from '../../kernel/caller.js';
import { ConsistencyContext } from '../../kernel/context.js';
import type { Mode } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import type { DemoService } from './demo-service.js';

const NAMESPACE = '0f6a7a52-55b0-4f7a-8f0e-3c1b8c1d2e90';

/** A signed-in user, who acts for a business or for nobody. */
export interface DemoUser {
  readonly id: string;
  readonly business: string | null;
  readonly mode: Mode;
}

/** Runs the commands of the demo. Their ids follow from their labels, so a repeated demo records nothing twice. */
export class DemoSession {
  private readonly bus: CommandBus;

  /**
   * @param at the time of the next commands; in a demo that continues, the clock of the service is ahead of it
   * @param requestId recorded with every event: it names the options of the demo
   */
  constructor(
    service: DemoService,
    public at: number,
    readonly requestId: string,
  ) {
    this.bus = service.get(CommandBus);
  }

  /** @param label unique in the demo */
  createContext(user: DemoUser, ...label: readonly (string | number)[]): CallerContext {
    const commandId = uuidV5(NAMESPACE, ...label);
    const { business, mode } = user;
    const actor = { type: 'user', id: user.id } as const;
    const person = { id: user.id, email: null };
    const caller: Caller = { kind: 'session', actor, business, mode, user: person, reviewer: false, cart: null };
    const cause = { correlationId: commandId, causationId: commandId, requestId: this.requestId };
    const consistency = new ConsistencyContext();
    return { commandId, at: this.at, ...cause, actor, business, mode, consistency, caller };
  }

  run<R>(command: Command<R>): Promise<R> {
    return this.bus.execute(command);
  }

  /** Returns null when a rule refuses the command, as happens in every history. */
  async attempt<R>(command: Command<R>): Promise<R | null> {
    try {
      return await this.run(command);
    } catch (error) {
      if (error instanceof Rejection) return null;
      throw error;
    }
  }
}

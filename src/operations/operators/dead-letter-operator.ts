import type { Builds } from '../../engine/builds/builds.js';
import type { DeadLetter } from '../../engine/projections/dead-letter.js';
import type { DeadLetterAdmin } from '../../engine/projections/dead-letter-admin.js';
import type { Registry } from '../../engine/registry.js';
import { createOperatorContext } from '../../identity/system-context.js';
import type { Clock } from '../../kernel/clock.js';
import { OperatorError } from './operator-error.js';
import { requireProjections } from './projection-names.js';

const SCHEDULED = 'scheduled for a process that has the code of its build';

export interface DeadLetterOutcome {
  /** The dead letter that remains; null when its event was folded or skipped. */
  readonly dead_letter: DeadLetter | null;
  readonly status: string;
}

/** Operator commands for dead letters; they work with and without a running service. */
export class DeadLetterOperator {
  constructor(
    private readonly admin: DeadLetterAdmin,
    private readonly builds: Builds,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  /** @param projection `products` selects all its builds; `products@1#2` selects that build */
  async list(projection: string | undefined, limit: number): Promise<DeadLetter[]> {
    if (projection === undefined) return this.admin.list({ limit });
    await requireProjections([projection.replace(/#.*/, '')], this.builds, this.registry);
    return this.admin.list({ projection, limit });
  }

  async get(id: string): Promise<DeadLetter> {
    const deadLetter = await this.admin.get(id);
    if (deadLetter !== null) return deadLetter;
    throw new OperatorError('not_found', `there is no dead letter ${id}; "dead-letters list" shows the existing ones`);
  }

  async retry(id: string): Promise<DeadLetterOutcome> {
    return toOutcome(await this.admin.retry(await this.get(id)), id, 'folded');
  }

  /**
   * Skips an event that failed. The events that wait for it cannot be skipped: they may be valid.
   * @param reason is recorded
   */
  async skip(id: string, reason: string): Promise<DeadLetterOutcome> {
    const deadLetter = await this.get(id);
    if (!deadLetter.blocking)
      throw new OperatorError('operation_refused', `${id} has been folded: retry the events that wait after it`);
    const context = createOperatorContext(this.clock.now());
    return toOutcome(await this.admin.skip(deadLetter, reason, context), id, 'skipped');
  }
}

/** The command succeeded when the dead letter was removed. */
function toOutcome(remaining: DeadLetter | null, id: string, done: string): DeadLetterOutcome {
  if (remaining !== null && !remaining.retry)
    throw new OperatorError('operation_refused', `${id} failed again: ${remaining.error}`);
  return { dead_letter: remaining, status: remaining === null ? done : SCHEDULED };
}

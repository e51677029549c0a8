import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { requireBusiness } from '../../kernel/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { boolean, dateTime, describe, type DocumentOf, enumOf, KIND, nullable, resource } from '../../kernel/schema.js';
import type { TestClock } from '../domain/test-clock.js';
import { TestClocks } from '../test-clocks.js';

export const testClockSchema = resource('TestClock', {
  object: describe(enumOf('test_clock'), KIND),
  now: describe(
    dateTime,
    'The time that the clock has reached; real time until it is set for the first time.',
    '2026-01-31T09:30:00.000Z',
  ),
  target: describe(nullable(dateTime), 'The time to which the clock advances; null when it is ready.'),
  frozen: describe(boolean, 'Whether the clock stands still: false until it is set for the first time.', true),
  status: describe(
    enumOf('ready', 'advancing'),
    'Whether the clock can be set (`ready`), or is still running what falls due (`advancing`).',
  ),
});

export type TestClockDocument = DocumentOf<typeof testClockSchema>;

export class RetrieveTestClock extends ContextQuery<object, TestClockDocument> {}

@QueryHandler(RetrieveTestClock)
export class RetrieveTestClockHandler implements IQueryHandler<RetrieveTestClock> {
  constructor(
    private readonly clocks: TestClocks,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: RetrieveTestClock): Promise<TestClockDocument> {
    const business = requireTestBusiness(context);
    return toTestClockDocument(await this.clocks.read(business), this.clock.now());
  }
}

/** @throws Rejection permission_denied in live mode */
export function requireTestBusiness(context: Context): string {
  const business = requireBusiness(context);
  if (context.mode === 'live') throw new Rejection('permission_denied', 'The clock of live mode cannot be set.');
  return business;
}

/** @param realTime milliseconds */
export function toTestClockDocument({ now, target }: TestClock, realTime: number): TestClockDocument {
  const shown = { now: now ?? toIso(realTime), target, frozen: now !== null };
  return { object: 'test_clock', ...shown, status: target === null ? 'ready' : 'advancing' };
}

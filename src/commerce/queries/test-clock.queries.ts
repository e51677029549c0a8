import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { requireBusiness } from '../../kernel/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { boolean, dateTime, type DocumentOf, enumOf, nullable, resource } from '../../kernel/schema.js';
import type { TestClock } from '../domain/test-clock.js';
import { TestClocks } from '../test-clocks.js';

export const testClockSchema = resource('TestClock', {
  object: enumOf('test_clock'),
  /** How far the clock has come. */
  now: dateTime,
  /** The time to which the clock advances; null when it is ready. */
  target: nullable(dateTime),
  /** False until the clock is set for the first time: it shows real time. */
  frozen: boolean,
  status: enumOf('ready', 'advancing'),
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

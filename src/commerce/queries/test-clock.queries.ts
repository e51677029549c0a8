import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { requireBusiness } from '../../identity/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { boolean, dateTime, type DocumentOf, enumOf, resource } from '../../kernel/schema.js';
import { TestClocks } from '../test-clocks.js';

export const testClockSchema = resource('TestClock', {
  object: enumOf('test_clock'),
  now: dateTime,
  frozen: boolean,
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
    const frozenTime = await this.clocks.findFrozenTime({ business, mode: 'test' });
    return frozenTime === null
      ? { object: 'test_clock', now: toIso(this.clock.now()), frozen: false }
      : toTestClockDocument(frozenTime);
  }
}

/** @throws Rejection permission_denied in live mode */
export function requireTestBusiness(context: Context): string {
  const business = requireBusiness(context);
  if (context.mode === 'live') throw new Rejection('permission_denied', 'The clock of live mode cannot be set.');
  return business;
}

export function toTestClockDocument(now: string): TestClockDocument {
  return { object: 'test_clock', now, frozen: true };
}

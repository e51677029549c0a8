import { installmentPlanDecider } from '../../../src/commerce/domain/installment-plan.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import type { CommerceFixture } from '../commerce-fixture.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the data of many events */

/** Finds parts of an order's line that were billed twice, skipped, or billed after the last one. */
export async function findInstallmentErrors(shop: CommerceFixture, lineId: string): Promise<string[]> {
  const events = await shop.service.get(Streams).loadHistory(installmentPlanDecider, lineId);
  const paid = events.filter(({ type }) => type === 'InstallmentPaid').map(({ data }) => data as any);
  const { installmentsCount } = events[0]!.data as any;
  return paid.flatMap(({ number, nextDueAt }, i) =>
    number === i + 2 && (nextDueAt === null) === (number === installmentsCount)
      ? []
      : [`${lineId}: part ${number} of ${installmentsCount} is followed by ${nextDueAt}`],
  );
}

import { createClaims } from '../../kernel/claim.js';
import type { DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import type { OwnedDecider, Owner } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { toComparableName } from '../../kernel/text.js';

export const DISCOUNT_DURATIONS = ['once', 'repeating', 'forever'] as const;

/** `months` counts from the first charge; it is null unless the duration is `repeating`. */
export interface DiscountTerms {
  readonly code: string;
  readonly percentOff: number;
  readonly duration: (typeof DISCOUNT_DURATIONS)[number];
  readonly months: number | null;
}

type NewDiscount = DiscountTerms & { readonly discountId: string; readonly businessId: string; readonly mode: Mode };

/** An abandoned discount was not created before another one took its code. */
export type DiscountEvent =
  | Fact<'DiscountCreated', NewDiscount & { at: string }>
  | Fact<'DiscountDeleted', { discountId: string; at: string }>
  | Fact<'DiscountAbandoned', { discountId: string; at: string }>;

type KnownDiscount = Owner & { readonly status: 'active' | 'deleted'; readonly terms: DiscountTerms };

export type Discount = { readonly status: 'unknown' | 'abandoned' } | KnownDiscount;

function evolve(discount: Discount, event: DiscountEvent): Discount {
  switch (event.type) {
    case 'DiscountCreated':
      return applyCreated(event.data);
    case 'DiscountDeleted':
      return 'business' in discount ? { ...discount, status: 'deleted' } : discount;
    case 'DiscountAbandoned':
      return { status: 'abandoned' };
  }
}

function applyCreated({ businessId: business, mode, code, percentOff, duration, months }: NewDiscount): KnownDiscount {
  return { status: 'active', business, mode, terms: { code, percentOff, duration, months } };
}

export type DiscountCommand =
  | { readonly type: 'CreateDiscount'; readonly discount: NewDiscount }
  | { readonly type: 'DeleteDiscount' | 'AbandonDiscount'; readonly discountId: string };

function decide(command: DiscountCommand, { status }: Discount, { now: at }: DecisionContext): DiscountEvent[] {
  switch (command.type) {
    case 'CreateDiscount':
      assertValidTerms(command.discount);
      if (status === 'abandoned') throw createCodeTakenRejection();
      return status === 'unknown' ? [{ type: 'DiscountCreated', data: { ...command.discount, at } }] : [];
    case 'DeleteDiscount':
      return status === 'active' ? [{ type: 'DiscountDeleted', data: { discountId: command.discountId, at } }] : [];
    case 'AbandonDiscount':
      return status === 'unknown' ? [{ type: 'DiscountAbandoned', data: { discountId: command.discountId, at } }] : [];
  }
}

/** @throws Rejection validation_failed, when the months do not fit the duration */
export function assertValidTerms({ duration, months }: DiscountTerms): void {
  if (duration === 'repeating' && months === null)
    throw Rejection.ofField('months', 'required', 'is required for a repeating discount');
  if (duration !== 'repeating' && months !== null)
    throw Rejection.ofField('months', 'not_allowed', 'is allowed for a repeating discount only');
}

export function createCodeTakenRejection(): Rejection {
  return new Rejection('discount_code_taken', 'Another active discount has this code.', 'code');
}

export const discountDecider: OwnedDecider<Discount, DiscountCommand, DiscountEvent, KnownDiscount> = {
  category: 'discount',
  clock: 'business',
  versions: { DiscountCreated: 1, DiscountDeleted: 1, DiscountAbandoned: 1 },
  initial: { status: 'unknown' },
  isKnown: (discount) => 'business' in discount,
  ownerOf: (discount) => discount,
  evolve,
  decide,
};

/** Code → the discount that has it, or had it until it was deleted. */
export const discountCodeClaims = createClaims('discountCode', 'DiscountCodeClaimed');

/** A code in the business and mode where it is unique. */
export interface DiscountCode {
  readonly businessId: string;
  readonly mode: Mode;
  readonly code: string;
}

/** Letter case and the encoding of accents do not distinguish codes. */
export function discountCodeIdOf(code: DiscountCode): string {
  return toCodeId(code, toComparableName(code.code));
}

/**
 * Returns the other ids under which an earlier version claimed the code: another encoding of an accent was another
 * code. Empty for a code without accents.
 */
export function listEarlierCodeIds(code: DiscountCode): readonly string[] {
  const forms = [code.code, code.code.normalize('NFD')].map((form) => toCodeId(code, form.toLowerCase()));
  return [...new Set(forms)].filter((id) => id !== discountCodeIdOf(code));
}

function toCodeId({ businessId, mode }: DiscountCode, comparable: string): string {
  return idOf('code', 0, businessId, mode, comparable);
}

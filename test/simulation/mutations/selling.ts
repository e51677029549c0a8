import { SellerBalances } from '../../../src/commerce/commands/seller-balance.steps.js';
import { FinishRenewals } from '../../../src/commerce/processes/finish-renewals.js';
import { Timers } from '../../../src/commerce/processes/timers/timers.js';
import { Awards } from '../../../src/community/commands/awards.steps.js';
import { LossyGateway } from '../shop/bank.js';
import { type Mutation, replaceMethod } from './mutation.js';

/** Mutations of the shop and its community. */
export const shopMutations: readonly Mutation[] = [
  {
    name: 'a refund is not reserved',
    foundAt: 3,
    inShop: true,
    insert: () => replaceMethod(SellerBalances, 'reserve', () => Promise.resolve(true)),
  },
  {
    name: 'the source of an award is not reserved',
    foundAt: 2,
    inShop: true,
    insert: () => replaceMethod(Awards, 'reserve', () => Promise.resolve(null)),
  },
  {
    name: 'a lost response of the gateway counts as a decline',
    foundAt: 6,
    inShop: true,
    insert: () =>
      replaceMethod(LossyGateway, 'respond', async (_, respond, result: { readonly status: string }) => {
        const response = (await respond(result)) as { readonly status: string };
        const isLost = response.status === 'unknown' && result.status !== 'unknown';
        return isLost ? { status: 'declined', code: 'timeout', detail: 'lost', hard: true, method: null } : response;
      }),
  },
  {
    name: 'the charge of a renewal is not finished after a crash',
    foundAt: 77,
    inShop: true,
    insert: () => replaceMethod(FinishRenewals, 'react', () => Promise.resolve()),
  },
  {
    name: 'a lost timer is not started again',
    foundAt: 4,
    inShop: true,
    insert: () => replaceMethod(Timers, 'enqueue', (_, enqueue, timer) => enqueue(timer).catch(() => undefined)),
  },
];

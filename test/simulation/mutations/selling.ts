import { SellerBalances } from '../../../src/commerce/commands/seller-balance.steps.js';
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
    foundAt: 1,
    inShop: true,
    insert: () => replaceMethod(Awards, 'reserve', () => Promise.resolve(null)),
  },
  {
    name: 'a lost response of the gateway counts as a decline',
    foundAt: 11,
    inShop: true,
    insert: () =>
      replaceMethod(LossyGateway, 'respond', async (_, respond, result: { readonly status: string }) => {
        const response = (await respond(result)) as { readonly status: string };
        const isLost = response.status === 'unknown' && result.status !== 'unknown';
        return isLost ? { status: 'declined', code: 'timeout', detail: 'lost', hard: true, method: null } : response;
      }),
  },
];

import type { NounParts } from '../../engine/area-parts.js';
import { Crediting } from '../commands/credit-sales.steps.js';
import { PayOutHandler } from '../commands/payout.commands.js';
import { SellerBalances } from '../commands/seller-balance.steps.js';
import { BalanceController } from '../http/balance.controller.js';
import { ReleaseFunds } from '../processes/release-funds.js';
import { RetrieveBalanceHandler } from '../queries/balance.queries.js';

export const sellerBalanceParts: NounParts = {
  controllers: [BalanceController],
  providers: [SellerBalances, Crediting, PayOutHandler, RetrieveBalanceHandler, ReleaseFunds],
};

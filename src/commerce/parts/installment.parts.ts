import type { NounParts } from '../../engine/area-parts.js';
import { Installments } from '../commands/installments.steps.js';
import { ChargeInstallments } from '../processes/charge-installments.js';
import { WriteOffInstallments } from '../processes/write-off-installments.js';

export const installmentParts: NounParts = {
  providers: [Installments, ChargeInstallments],
  reactors: [WriteOffInstallments],
};

import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { installmentHandlers } from '../commands/installment.commands.js';
import { Installments } from '../commands/installments.steps.js';
import { installmentPlanDecider } from '../domain/installment-plan.js';
import { ChargeInstallments } from '../processes/charge-installments.js';
import { WriteOffInstallments } from '../processes/write-off-installments.js';

export const installmentFeature: Feature = {
  streams: [auditStream(installmentPlanDecider, createAuditedResource('line_item'))],
  providers: [...installmentHandlers, Installments, ChargeInstallments],
  reactors: [WriteOffInstallments],
};

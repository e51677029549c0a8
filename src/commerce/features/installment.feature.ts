import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { installmentHandlers } from '../commands/installment.commands.js';
import { Installments } from '../commands/installments.steps.js';
import { installmentPlanDecider } from '../domain/installment-plan.js';
import { ChargeInstallments } from '../processes/charge-installments.js';
import { WriteOffInstallments } from '../processes/write-off-installments.js';
import { hasProgress, installmentPlans, installmentPlanSchema } from '../projections/installment-plans.js';

export const installmentFeature: Feature = {
  streams: [auditStream(installmentPlanDecider, createAuditedResource('line_item'))],
  publicEvents: [
    publish({
      fact: 'InstallmentPaid',
      type: 'installment.paid',
      summary: 'An installment was paid',
      description: 'A later part of a line that is paid in installments was paid.',
      projection: installmentPlans,
      schema: installmentPlanSchema,
      only: hasProgress,
      alone: true,
    }),
    publish({
      fact: 'InstallmentFailed',
      type: 'installment.failed',
      summary: 'An installment failed',
      description: 'The charge of a part was refused. A retry follows, or the plan has failed.',
      projection: installmentPlans,
      schema: installmentPlanSchema,
      only: hasProgress,
      alone: true,
    }),
    publish({
      fact: 'InstallmentPlanCancelled',
      type: 'installment.cancelled',
      summary: 'Installments were cancelled',
      description: 'The parts that are not paid yet are no longer charged.',
      projection: installmentPlans,
      schema: installmentPlanSchema,
      only: hasProgress,
      alone: true,
    }),
  ],
  providers: [...installmentHandlers, Installments, ChargeInstallments],
  reactors: [WriteOffInstallments],
};

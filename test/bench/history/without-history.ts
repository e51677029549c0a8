// Preloaded into a service: switches the audit index and the hash chain off.
import { isMainThread } from 'node:worker_threads';
import type { Feature } from '../../../src/engine/feature.js';
import { importBuilt } from '../built.ts';

const OFF = new Set(['auditEvents', 'auditChains']);

if (isMainThread) {
  const { historyFeature } = await importBuilt<{ historyFeature: Feature }>('audit/features/history.feature.js');
  const { proofFeature } = await importBuilt<{ proofFeature: Feature }>('audit/features/proof.feature.js');
  for (const feature of [historyFeature, proofFeature])
    Object.assign(feature, { projections: feature.projections!.filter(({ name }) => !OFF.has(name)) });
}

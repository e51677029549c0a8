// Preloaded into a service: switches the audit index and the hash chain off.
import { isMainThread } from 'node:worker_threads';
import type { NounParts } from '../../../src/engine/area-parts.js';
import { importBuilt } from '../built.ts';

const OFF = new Set(['auditEvents', 'auditChains']);

if (isMainThread) {
  const { historyParts } = await importBuilt<{ historyParts: NounParts }>('audit/parts/history.parts.js');
  const { proofParts } = await importBuilt<{ proofParts: NounParts }>('audit/parts/proof.parts.js');
  for (const parts of [historyParts, proofParts])
    Object.assign(parts, { projections: parts.projections!.filter(({ name }) => !OFF.has(name)) });
}

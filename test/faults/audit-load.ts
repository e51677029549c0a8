import type { RandomChoices } from './random-choices.js';
import type { RecordingClient } from './recording-client.js';

const FORMATS = ['ndjson', 'csv'] as const;

/** The load on the exports of the change history. Each export also signs the chain of the business. */
export class AuditLoad {
  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
  ) {}

  async requestExport(): Promise<void> {
    const key = this.random.createMark('export');
    const body = { format: this.random.pick(FORMATS) };
    await this.customer.write({ path: '/v1/audit/exports', body, key, effect: 'AuditExportRequested' });
  }
}

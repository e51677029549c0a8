import type { RandomChoices } from './random-choices.js';
import type { RecordingClient } from './recording-client.js';

const FORMATS = ['ndjson', 'csv'] as const;

/** The load on the exports of the change history. Each export also signs the chain of the business. */
export class AuditLoad {
  private requested = 0;

  constructor(
    private readonly customer: RecordingClient,
    private readonly random: RandomChoices,
  ) {}

  async requestExport(): Promise<void> {
    const key = this.random.createMark('export');
    // A start of its own: a request for the same events as an earlier one may return that export and record nothing.
    const recordedFrom = new Date(++this.requested).toISOString();
    const body = { format: this.random.pick(FORMATS), recorded_from: recordedFrom };
    await this.customer.write({ path: '/v1/audit/exports', body, key, effect: 'AuditExportRequested' });
  }
}

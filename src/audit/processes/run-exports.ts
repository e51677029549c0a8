import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor, Reschedule } from '../../engine/registry.js';
import { createSystemContext } from '../../identity/system-context.js';
import { addMs, Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import type { AuditExportEvent } from '../domain/audit-export.js';
import { ExportFiles, FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { ExportRunner } from '../exports/export-runner.js';
import { auditChains } from '../projections/audit-chains.js';

export const EXPORT_DROP_QUEUE = 'audit-export-drops';
const STEPS_PER_RUN = 20;

interface ExportJob {
  readonly exportId: string;
  readonly businessId: string;
  readonly mode: Context['mode'];
  readonly correlationId: string;
  readonly causationId: string;
}

type ExportRequested = Extract<AuditExportEvent, { type: 'AuditExportRequested' }>;

/** Runs the requested exports, and enqueues the job that drops each file. */
@Injectable()
export class RunExports implements Reactor<ExportRequested>, JobHandler {
  readonly name = 'run-exports';
  readonly types = typesOf<ExportRequested>({ AuditExportRequested: true });
  readonly queue = 'audit-exports';
  readonly needs = [auditChains];
  readonly concurrency = 2;

  constructor(
    private readonly runner: ExportRunner,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async react({ id: causationId, data, meta }: RecordedOf<ExportRequested>): Promise<void> {
    const { exportId, businessId, mode } = data;
    const job: ExportJob = { exportId, businessId, mode, correlationId: meta.correlationId, causationId };
    const expiry = addMs(meta.at, FILE_RETENTION_DAYS * DAY_MS);
    await this.jobs.enqueue([
      { key: `audit-export:${exportId}`, queue: this.queue, due: meta.at, data: job },
      { key: `audit-export-drop:${exportId}`, queue: EXPORT_DROP_QUEUE, due: expiry, data: { exportId } },
    ]);
  }

  /** Runs some steps, so that a long export neither delays a shutdown nor the other exports. */
  async run({ data }: Job): Promise<void | Reschedule> {
    const job = data as ExportJob;
    for (let steps = 0; steps < STEPS_PER_RUN; steps++)
      if (await this.runner.runStep(job.exportId, this.createContext(job))) return undefined;
    return { at: toIso(this.clock.now()), reason: 'there is more to write' };
  }

  private createContext({ businessId: business, mode, correlationId, causationId }: ExportJob): Context {
    const system = createSystemContext(this.clock.now(), causationId, { type: 'system', id: this.name });
    return { ...system, business, mode, correlationId, causationId };
  }
}

/** Drops the file of an export after its retention time. */
@Injectable()
export class DropExports implements JobHandler {
  readonly queue = EXPORT_DROP_QUEUE;
  readonly maxDelayMs = FILE_RETENTION_DAYS * DAY_MS;
  readonly concurrency = 1;

  constructor(private readonly files: ExportFiles) {}

  async run({ data }: Job): Promise<void> {
    await this.files.drop((data as Pick<ExportJob, 'exportId'>).exportId);
  }
}

import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor, Reschedule } from '../../engine/registry.js';
import { createSystemContext } from '../../identity/system-context.js';
import { addMs, Clock, DAY_MS, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import type { AuditExportEvent } from '../domain/audit-export.js';
import { ExportFiles, FILE_RETENTION_DAYS } from '../exports/export-files.js';
import { ExportRunner } from '../exports/export-runner.js';
import { auditChains } from '../projections/audit-chains.js';

const STEPS_PER_RUN = 20;

interface ExportJob {
  readonly exportId: string;
  readonly businessId: string;
  readonly mode: Context['mode'];
  readonly correlationId: string;
  readonly causationId: string;
}

/** The jobs that drop the files of exports. */
export const exportDrops = declareQueue<Pick<ExportJob, 'exportId'>>({ name: 'audit-export-drops' });

type ExportRequested = Extract<AuditExportEvent, { type: 'AuditExportRequested' }>;

/** Runs the requested exports, and enqueues the job that drops each file. */
@Injectable()
export class RunExports implements Reactor<ExportRequested>, JobHandler<ExportJob> {
  readonly name = 'run-exports';
  readonly types = typesOf<ExportRequested>({ AuditExportRequested: true });
  readonly queue = declareQueue<ExportJob>({ name: 'audit-exports' });
  readonly needs = [auditChains];
  readonly concurrency = 2;

  constructor(
    private readonly runner: ExportRunner,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async react({ id: causationId, data, meta }: RecordedOf<ExportRequested>): Promise<void> {
    const { exportId, businessId, mode } = data;
    const job = { exportId, businessId, mode, correlationId: meta.correlationId, causationId };
    const expiry = addMs(meta.at, FILE_RETENTION_DAYS * DAY_MS);
    await this.jobs.enqueue([
      this.queue.createJob({ key: `audit-export:${exportId}`, due: meta.at, data: job }),
      exportDrops.createJob({ key: `audit-export-drop:${exportId}`, due: expiry, data: { exportId } }),
    ]);
  }

  /** Runs some steps, so that a long export neither delays a shutdown nor the other exports. */
  async run({ data: job }: Job<ExportJob>): Promise<void | Reschedule> {
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
export class DropExports implements JobHandler<Pick<ExportJob, 'exportId'>> {
  readonly queue = exportDrops;
  readonly maxDelayMs = FILE_RETENTION_DAYS * DAY_MS;
  readonly concurrency = 1;

  constructor(private readonly files: ExportFiles) {}

  async run({ data }: Job<Pick<ExportJob, 'exportId'>>): Promise<void> {
    await this.files.drop(data.exportId);
  }
}

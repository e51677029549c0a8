import { Injectable } from '@nestjs/common';
import { enqueueAfterTimeout } from '../../engine/reactors/enqueue-after-timeout.js';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { declareQueue } from '../../kernel/queue.js';
import { MemberImports } from '../commands/member-imports.steps.js';
import { memberImportDecider, type MemberImportEvent } from '../domain/member-import.js';

/** An import takes longer than other requests. */
const TIMEOUT_MS = 10_000;

type ImportRequested = Extract<MemberImportEvent, { type: 'MemberImportRequested' }>;

type ImportId = Pick<ImportRequested['data'], 'importId'>;

/** Finishes an import that a crash interrupted. No row is imported twice. */
@Injectable()
export class FinishImports implements Reactor<ImportRequested>, JobHandler<ImportId> {
  readonly name = 'finish-imports';
  readonly types = typesOf<ImportRequested>({ MemberImportRequested: true });
  readonly queue = declareQueue<ImportId>({ name: 'imports' });
  readonly concurrency = 2;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly imports: MemberImports,
  ) {}

  async react(event: RecordedOf<ImportRequested>): Promise<void> {
    const { importId } = event.data;
    const job = { key: `import:${importId}`, data: { importId } };
    await enqueueAfterTimeout(this.jobs, this.queue, job, event, TIMEOUT_MS);
  }

  async run({ data: { importId } }: Pick<Job<ImportId>, 'data'>): Promise<void> {
    const requested = await requireEvent(this.streams, memberImportDecider, importId, 'MemberImportRequested');
    await this.imports.run(importId, resumeContext(requested, this.name));
  }
}

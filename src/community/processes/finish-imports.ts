import { Injectable } from '@nestjs/common';
import type { JobHandler, Reactor } from '../../engine/registry.js';
import { requireEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { toIso } from '../../kernel/clock.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { type Job, Jobs } from '../../kernel/jobs.js';
import { MemberImports } from '../commands/member-imports.steps.js';
import { memberImportDecider, type MemberImportEvent } from '../domain/member-import.js';

/** A request finishes its own import. After this time the process assumes that the request has crashed. */
const REQUEST_TIMEOUT_MS = 10_000;

type ImportRequested = Extract<MemberImportEvent, { type: 'MemberImportRequested' }>;

/** Finishes an import that a crash interrupted. No row is imported twice. */
@Injectable()
export class FinishImports implements Reactor<ImportRequested>, JobHandler {
  readonly name = 'finish-imports';
  readonly types = ['MemberImportRequested'] as const;
  readonly queue = 'imports';
  readonly concurrency = 2;

  constructor(
    private readonly streams: Streams,
    private readonly jobs: Jobs,
    private readonly imports: MemberImports,
  ) {}

  async react({ data: { importId }, meta }: RecordedOf<ImportRequested>): Promise<void> {
    const due = toIso(Date.parse(meta.at) + REQUEST_TIMEOUT_MS);
    await this.jobs.enqueue([{ key: `import:${importId}`, queue: this.queue, due, data: { importId } }]);
  }

  async run({ data }: Job): Promise<void> {
    const { importId } = data as { readonly importId: string };
    const requested = await requireEvent(this.streams, memberImportDecider, importId, 'MemberImportRequested');
    await this.imports.run(importId, resumeContext(requested, this.name));
  }
}

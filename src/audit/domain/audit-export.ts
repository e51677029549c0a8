import type { DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import type { Position } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import type { ChainCheckpoint, HashChainState } from './chain-checkpoint.js';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;

export type ExportFormatName = (typeof EXPORT_FORMATS)[number];

/** The reasons why an export failed. They are stored and public, and must never change. */
export const EXPORT_ERRORS = ['chain_mismatch', 'file_too_large'] as const;

export type ExportError = (typeof EXPORT_ERRORS)[number];

/** The events of an export; both times are inclusive, null selects everything. */
export interface ExportFilter {
  readonly recordedFrom: string | null;
  readonly recordedTo: string | null;
  /** An empty list selects every type. */
  readonly types: readonly string[];
  readonly resource: string | null;
}

export interface ExportRequest extends ExportFilter {
  readonly exportId: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly format: ExportFormatName;
}

/** The contents of a finished file. */
export interface ExportFile {
  readonly count: number;
  readonly firstPosition: Position | null;
  readonly lastPosition: Position | null;
  readonly sha256: string;
  readonly bytes: number;
}

/** The part of the chain that an export contains: after `start`, up to the checkpoint. */
export interface ExportRange {
  readonly start: HashChainState;
  readonly checkpoint: ChainCheckpoint;
}

interface ExportReference {
  readonly exportId: string;
  readonly at: string;
}

export type AuditExportEvent =
  | Fact<'AuditExportRequested', ExportRequest & { readonly at: string }>
  | Fact<'AuditExportStarted', ExportReference & ExportRange>
  | Fact<'AuditExportCompleted', ExportReference & ExportFile>
  | Fact<'AuditExportFailed', ExportReference & { readonly error: ExportError }>
  /** The file was removed to make room for newer ones. */
  | Fact<'AuditExportFileRemoved', ExportReference>
  | Fact<'AuditExportDeleted', ExportReference>;

export type KnownAuditExport =
  | { readonly status: 'pending'; readonly request: ExportRequest }
  | { readonly status: 'running'; readonly request: ExportRequest; readonly range: ExportRange }
  | { readonly status: 'completed' | 'file_removed' | 'failed'; readonly request: ExportRequest };

export type AuditExport = { readonly status: 'unknown' } | { readonly status: 'deleted' } | KnownAuditExport;

function evolve(state: AuditExport, event: AuditExportEvent): AuditExport {
  if (event.type === 'AuditExportRequested') return { status: 'pending', request: event.data };
  if (state.status === 'unknown' || state.status === 'deleted') return state;

  const { request } = state;
  switch (event.type) {
    case 'AuditExportStarted':
      return { status: 'running', request, range: event.data };
    case 'AuditExportCompleted':
      return { status: 'completed', request };
    case 'AuditExportFailed':
      return { status: 'failed', request };
    case 'AuditExportFileRemoved':
      return { status: 'file_removed', request };
    case 'AuditExportDeleted':
      return { status: 'deleted' };
  }
}

export type AuditExportCommand =
  | { readonly type: 'RequestExport'; readonly request: ExportRequest }
  | { readonly type: 'StartExport'; readonly range: ExportRange }
  | { readonly type: 'CompleteExport'; readonly file: ExportFile }
  | { readonly type: 'FailExport'; readonly error: ExportError }
  | { readonly type: 'RemoveExportFile' }
  | { readonly type: 'DeleteExport' };

function decide(command: AuditExportCommand, state: AuditExport, { now: at }: DecisionContext): AuditExportEvent[] {
  if (command.type === 'RequestExport')
    return state.status === 'unknown' ? [{ type: 'AuditExportRequested', data: { ...command.request, at } }] : [];
  if (state.status === 'unknown') throw Rejection.notFound();
  if (state.status === 'deleted') return [];

  const { exportId } = state.request;
  const isRunning = state.status === 'running';
  switch (command.type) {
    case 'StartExport': {
      const { start, checkpoint } = command.range;
      const started = { type: 'AuditExportStarted', data: { exportId, start, checkpoint, at } } as const;
      return state.status === 'pending' ? [started] : [];
    }
    case 'CompleteExport':
      return isRunning ? [{ type: 'AuditExportCompleted', data: { exportId, ...command.file, at } }] : [];
    case 'FailExport':
      return isRunning ? [{ type: 'AuditExportFailed', data: { exportId, error: command.error, at } }] : [];
    case 'RemoveExportFile':
      return state.status === 'completed' ? [{ type: 'AuditExportFileRemoved', data: { exportId, at } }] : [];
    case 'DeleteExport':
      return [{ type: 'AuditExportDeleted', data: { exportId, at } }];
  }
}

export const auditExportDecider: OwnedDecider<AuditExport, AuditExportCommand, AuditExportEvent, KnownAuditExport> = {
  category: 'auditExport',
  versions: {
    AuditExportRequested: 1,
    AuditExportStarted: 1,
    AuditExportCompleted: 1,
    AuditExportFailed: 1,
    AuditExportFileRemoved: 1,
    AuditExportDeleted: 1,
  },
  initial: { status: 'unknown' },
  isKnown: (state) => state.status !== 'unknown' && state.status !== 'deleted',
  ownerOf: ({ request: { businessId: business, mode } }) => ({ business, mode }),
  evolve,
  decide,
};

import type { Position } from '../../kernel/position.js';
import type { ExportFormatName } from '../domain/audit-export.js';
import type { ChainCheckpoint, ChainHead } from '../domain/chain-checkpoint.js';

/** The summary of an export file, with which an auditor verifies it. */
export interface ExportManifest {
  readonly object: 'export_manifest';
  readonly export: { readonly object: 'audit_export'; readonly id: string };
  readonly business: string | null;
  readonly format: ExportFormatName;
  /** The number of events in the file, and the positions of the first and the last one; null without events. */
  readonly count: number;
  readonly first_position: Position | null;
  readonly last_position: Position | null;
  /** The hash of the whole file, in hex. */
  readonly sha256: string;
  /** The head of the chain after the last record of the file. */
  readonly chain: ChainHead;
  readonly checkpoint: ChainCheckpoint;
}

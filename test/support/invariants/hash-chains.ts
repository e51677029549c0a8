import { parsePublicKey } from '../../../src/audit/chain/checkpoint-signature.js';
import { verifyExport } from '../../../src/audit/chain/export-verification.js';
import { SigningKey } from '../../../src/audit/chain/signing-key.js';
import { ExportFiles } from '../../../src/audit/exports/export-files.js';
import { type AuditExportDocument, auditExports } from '../../../src/audit/projections/audit-exports.js';
import { ChainEvidence } from '../../../src/audit/verification/chain-evidence.js';
import type { VerifiedLog } from '../../../src/audit/verification/log-verification.js';
import { verifyStore } from '../../../src/audit/verification/verify-store.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { findActiveBuild } from '../builds.js';
import type { StoreInspector } from '../store-inspector.js';

/** I15: computes all chains again, and compares them with the stored heads and the signed checkpoints. */
export async function verifyChains(inspector: StoreInspector): Promise<VerifiedLog> {
  const { ports } = inspector;
  const key = await inspector.get(SigningKey).load();
  return verifyStore(ports.events, await ChainEvidence.open(ports, key));
}

/** Finds exports that have neither completed nor failed. */
export function findOpenExports(log: readonly RecordedEvent[]): string[] {
  const ended = new Set(filterByTypes(log, ['AuditExportCompleted', 'AuditExportFailed']).map(readExportId));
  return filterByTypes(log, ['AuditExportRequested'])
    .map(readExportId)
    .filter((id) => !ended.has(id))
    .map((id) => `export ${id} has not ended`);
}

/** Finds exports that did not complete, or whose kept file does not fit its manifest; a sentence for each. */
export async function findBrokenExports(inspector: StoreInspector, log: readonly RecordedEvent[]): Promise<string[]> {
  const { public_key: publicKey } = await inspector.get(SigningKey).describe();
  const build = await findActiveBuild(auditExports, inspector.catalogue);
  const broken = [];
  for (const id of filterByTypes(log, ['AuditExportRequested']).map(readExportId)) {
    const [row] = await inspector.readModels.load(build, [id]);
    const { status, manifest, file_removed_at: removedAt } = row!.document as AuditExportDocument;
    if (manifest === null) broken.push(`export ${id} is ${status}`);
    else if (removedAt === null) {
      const { events, mismatch } = await verifyExport(readFile(inspector, id), manifest, parsePublicKey(publicKey));
      if (mismatch !== null || events === 0) broken.push(`export ${id}: ${mismatch?.reason ?? 'no events'}`);
    }
  }
  return broken;
}

async function* readFile(inspector: StoreInspector, id: string): AsyncGenerator<Buffer> {
  for await (const text of inspector.get(ExportFiles).read(id)) yield Buffer.from(text);
}

function filterByTypes(log: readonly RecordedEvent[], types: readonly string[]): readonly RecordedEvent[] {
  return log.filter(({ type }) => types.includes(type));
}

function readExportId({ data }: RecordedEvent): string {
  return (data as { readonly exportId: string }).exportId;
}

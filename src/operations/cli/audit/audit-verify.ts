import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { parsePublicKey } from '../../../audit/chain/checkpoint-signature.js';
import type { ExportManifest } from '../../../audit/chain/export-manifest.js';
import { exportFormats, verifyExport } from '../../../audit/chain/export-verification.js';
import { SigningKey } from '../../../audit/chain/signing-key.js';
import { ChainEvidence } from '../../../audit/verification/chain-evidence.js';
import type { VerifiedLog } from '../../../audit/verification/log-verification.js';
import { UnreadableEvent, verifyStore } from '../../../audit/verification/verify-store.js';
import { Stores } from '../../../stores/stores.js';
import { observe } from '../../migration/migration.js';
import { CliError, type OutputOptions, print, printToStderr, withService } from '../cli.js';
import { formatFields, formatTable } from '../format.js';
import { runInterruptible } from '../interruption.js';
import { showProgress } from '../progress-bar.js';

export interface AuditVerifyOptions extends OutputOptions {
  readonly file?: string;
  readonly manifest?: string;
  readonly publicKey?: string;
}

/** Verifies all chains of the store. The service may run. */
export async function verifyOpenStore(printing: OutputOptions): Promise<void> {
  const verified = await withService((service) => verifyChains(service, printing)).catch((error: unknown) => {
    if (error instanceof UnreadableEvent) throw new CliError(error.message);
    throw error;
  });
  const { mismatches, ...totals } = verified;
  const lines = formatTable(
    ['position', 'chain', 'reason'],
    mismatches.map(({ position, chain, reason }) => [position, chain, reason]),
  );
  print({ verification: verified }, printing, lines.length > 0 ? lines : formatFields(totals));
  const [first] = mismatches;
  if (first !== undefined)
    throw new CliError(`the log does not fit the hash chain ${first.chain} at position ${first.position}`);
}

async function verifyChains(service: INestApplicationContext, printing: OutputOptions): Promise<VerifiedLog> {
  const { ports } = service.get(Stores, { strict: false });
  const key = await service.get(SigningKey, { strict: false }).load();
  const evidence = await ChainEvidence.open(ports, key);
  const head = await ports.events.readHead();
  return runInterruptible((signal) =>
    showProgress('verify', head, printing, (report) =>
      verifyStore(ports.events, evidence, (log) => observe(log, signal, report)),
    ),
  );
}

/** Verifies an export without a store. */
export async function verifyFile({ file, manifest: path, publicKey, json }: AuditVerifyOptions): Promise<void> {
  const manifest = await readManifest(path!);
  const key = publicKey === undefined ? null : readPublicKey(publicKey);
  const result = await verifyExport(createReadStream(file!) as AsyncIterable<Buffer>, manifest, key).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      throw new CliError(`${file!} cannot be read: ${error.code}`);
    },
  );
  const { mismatch, events } = result;
  print({ verification: result }, { json }, mismatch === null ? [`${events} events fit the manifest`] : []);
  if (key === null && !json) printToStderr('the signature is not verified: pass --public-key');
  if (mismatch === null) return;
  const place = mismatch.line === null ? 'the manifest' : `line ${mismatch.line}`;
  const position = mismatch.position === null ? '' : `, position ${mismatch.position}`;
  throw new CliError(`${file!} does not fit at ${place} (event ${mismatch.number}${position}): ${mismatch.reason}`);
}

async function readManifest(path: string): Promise<ExportManifest> {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new CliError(`${path} cannot be read: ${code}`);
  });
  try {
    const manifest = JSON.parse(text) as ExportManifest;
    if (isManifest(manifest)) return manifest;
  } catch {
    // The error below describes a text that is not JSON too.
  }
  throw new CliError(`${path} is not the manifest of an export`);
}

function isManifest({ object, format, chain, checkpoint }: ExportManifest): boolean {
  const isComplete = typeof chain.count === 'number' && typeof checkpoint.signature === 'string';
  return object === 'export_manifest' && Object.hasOwn(exportFormats, format) && isComplete;
}

function readPublicKey(text: string) {
  try {
    return parsePublicKey(text);
  } catch {
    throw new CliError('--public-key is not an Ed25519 key in base64url');
  }
}

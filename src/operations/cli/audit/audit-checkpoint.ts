import type { INestApplicationContext } from '@nestjs/common';
import { SigningKey } from '../../../audit/chain/signing-key.js';
import { ChainSigner } from '../../../audit/chain-signer.js';
import { businessOfChain } from '../../../audit/domain/audit-chain.js';
import type { ChainCheckpoint } from '../../../audit/domain/chain-checkpoint.js';
import { auditChains } from '../../../audit/projections/audit-chains.js';
import { ReadModelReader } from '../../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../../engine/read-models/read-slices.js';
import { createOperatorContext } from '../../../identity/system-context.js';
import { ConsistencyContext } from '../../../kernel/context.js';
import { type OutputOptions, printList, withService } from '../cli.js';
import { formatTable } from '../format.js';
import { requireBusinessId } from '../require-business.js';

const PAGE_SIZE = 100;

type Checkpoint = ChainCheckpoint & { readonly business: string | null; readonly public_key: string };

/** Signs the head of one chain, or of all chains. */
export async function signCheckpoints({ business, json }: OutputOptions & { readonly business?: string }) {
  const checkpoints = await withService(async (service) => {
    if (business !== undefined) await requireBusinessId(business, service);
    const chains = business === undefined ? listChains(service) : [business];
    const signed: Checkpoint[] = [];
    for await (const chain of chains) signed.push(...(await signChain(businessOfChain(chain), service)));
    return signed;
  });
  const rows = checkpoints.map((one) => [one.business ?? '-', String(one.count), one.position, one.head]);
  const lines = formatTable(['business', 'count', 'position', 'head'], rows);
  printList({ checkpoints }, { json }, lines, 'no business has a checkpoint');
}

async function signChain(business: string | null, service: INestApplicationContext): Promise<readonly Checkpoint[]> {
  const context = { ...createOperatorContext(Date.now()), business };
  const signed = await service.get(ChainSigner, { strict: false }).signCurrent(business, context);
  const { public_key } = await service.get(SigningKey, { strict: false }).describe();
  return signed === null ? [] : [{ business, ...signed, public_key }];
}

async function* listChains(service: INestApplicationContext): AsyncIterable<string> {
  const reader = service.get(ReadModelReader, { strict: false });
  const request = { where: {}, orderBy: 'id', ascending: true, limit: PAGE_SIZE } as const;
  for await (const slice of readSlices(reader, auditChains, request, new ConsistencyContext()))
    for (const { id, chain } of slice) if (id === chain) yield chain;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../../clients/typescript/generator/document.ts';
import { generateSources, type Sources } from '../../../clients/typescript/generator/generate.ts';
import { nameMethods } from '../../../clients/typescript/generator/names.ts';
import { readOperations } from '../../../clients/typescript/generator/operations.ts';
import { type Service, startService } from '../../support/service.js';

const GENERATED = join(import.meta.dirname, '../../../clients/typescript/src/generated');

let service: Service;
let document: OpenApiDocument;
beforeAll(async () => {
  service = await startService();
  document = (await service.createApi().get('/openapi.json')).body as OpenApiDocument;
});
afterAll(() => service.stop());

async function readCommitted(): Promise<Sources> {
  const names = await readdir(GENERATED);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(GENERATED, name), 'utf8')] as const)),
  );
}

/** Returns the first line that differs, because a whole file is too long for an error message. */
function findDifference(committed: string, current: string): string | null {
  const lines = current.split('\n');
  const found = committed.split('\n').findIndex((line, index) => line !== lines[index]);
  if (found >= 0) return `line ${found + 1} is now: ${lines[found] ?? 'missing'}`;
  return committed === current ? null : 'lines were added at the end';
}

describe('The generated sources of the TypeScript client', () => {
  it('are those of the current document; npm run client writes them', async () => {
    const [committed, current] = [await readCommitted(), await generateSources(document)];
    const differences = Object.entries(current).map(([name, text]) => [
      name,
      findDifference(committed[name] ?? '', text),
    ]);

    expect(differences.filter(([, difference]) => difference !== null)).toEqual([]);
    expect(Object.keys(committed).sort()).toEqual(Object.keys(current).sort());
  });

  it('repeat a POST by its key outside of the community only, as client.request assumes', () => {
    const posts = readOperations(document).filter(({ method }) => method === 'POST');

    expect(posts.filter(({ isKeyed, path }) => isKeyed === path.startsWith('/v1/community/'))).toEqual([]);
  });

  it('have each operation under a short name in its area', () => {
    const names = [...nameMethods(readOperations(document))].map(
      ([{ id }, { area, noun, method }]) => [`${area}.${noun}.${method}`, id] as const,
    );

    expect(names.filter(([name]) => !/^[a-z]+\.[a-zA-Z]+\.[a-z][a-zA-Z]+$/.test(name))).toEqual([]);
    expect(Object.fromEntries(names)).toMatchObject({
      'commerce.orders.list': 'listCompletedOrders',
      'commerce.refunds.create': 'refundPayment',
      'commerce.subscriptions.changePlan': 'changePlanOfSubscription',
      'community.comments.create': 'commentOnPost',
      'identity.caller.retrieve': 'retrieveCaller',
      'webhooks.endpoints.rotateSecret': 'rotateSecretOfEndpoint',
    });
  });
});

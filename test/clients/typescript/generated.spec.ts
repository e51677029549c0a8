import type { OpenApiDocument } from '../../../clients/generator/document.ts';
import { nameMethods } from '../../../clients/generator/names.ts';
import { readOperations } from '../../../clients/generator/operations.ts';
import { GENERATED, generateSources } from '../../../clients/typescript/generator/generate.ts';
import { type Service, startService } from '../../support/service.js';
import { findOutdatedSources } from '../support/generated-sources.js';

let service: Service;
let document: OpenApiDocument;
beforeAll(async () => {
  service = await startService();
  document = (await service.createApi().get('/openapi.json')).body as OpenApiDocument;
});
afterAll(() => service.stop());

describe('The generated sources of the TypeScript client', () => {
  it('are those of the current document; npm run client writes them', async () => {
    expect(await findOutdatedSources(GENERATED, await generateSources(document))).toEqual([]);
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

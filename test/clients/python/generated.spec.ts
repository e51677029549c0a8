import type { OpenApiDocument } from '../../../clients/generator/document.ts';
import { GENERATED, generateSources } from '../../../clients/python/generator/generate.ts';
import { type Service, startService } from '../../support/service.js';
import { findOutdatedSources } from '../support/generated-sources.js';

let service: Service;
let document: OpenApiDocument;
beforeAll(async () => {
  service = await startService();
  document = (await service.createApi().get('/openapi.json')).body as OpenApiDocument;
});
afterAll(() => service.stop());

describe('The generated sources of the Python client', () => {
  it('are those of the current document; npm run client writes them', async () =>
    expect(await findOutdatedSources(GENERATED, generateSources(document))).toEqual([]));

  it('have a method in Python style for each operation', () => {
    const sources = generateSources(document)['resources.py']!;

    expect([...sources.matchAll(/ def (\w+)\(/g)].filter(([, name]) => !/^[a-z_]+$/.test(name!))).toEqual([]);
    const expected = [
      'class CommerceTestClock(Resource):\n    def retrieve(',
      '\n        self.api_keys = IdentityApiKeys(transport)\n',
      'f"/v1/commerce/payments/{segment(payment_id)}/refunds",\n            body=body or None,\n            is_keyed=True,',
      '    def import_(\n',
    ];
    expect(expected.filter((each) => !sources.includes(each))).toEqual([]);
  });
});

describe('The generator of the Python client', () => {
  it('refuses a body with a field that is also a parameter of the method', () => {
    const path = document.paths['/v1/commerce/products/{id}']!;
    const body = { type: 'object', properties: { product_id: { type: 'string' } } };
    const schemas = { ...document.components.schemas, EditProductBody: body };
    const changed = {
      ...document,
      paths: { '/v1/commerce/products/{id}': path },
      components: { ...document.components, schemas },
    };

    expect(() => generateSources(changed)).toThrow(
      'The field product_id of EditProductBody is a parameter of editProduct',
    );
  });

  it('writes a type for each kind of schema', () => {
    const properties = {
      from: { type: ['string', 'null'], enum: ['a', null], description: 'Ends with a "quote"' },
      items: { type: 'array', items: { type: 'object', properties: { class: { const: true } }, required: ['class'] } },
      values: { type: 'object', additionalProperties: { type: 'number' } },
      either: { anyOf: [{ $ref: '#/components/schemas/Problem' }, { type: 'null' }] },
    };
    const schemas = { ...document.components.schemas, EditProductBody: { type: 'object', properties } };
    const { paths } = document;
    const changed = { ...document, components: { ...document.components, schemas } };
    const types = generateSources({
      ...changed,
      paths: { '/v1/commerce/products/{id}': paths['/v1/commerce/products/{id}']! },
    });

    expect(types['types.py']).toContain(String.raw`EditProductBody = TypedDict("EditProductBody", {
    "from": "NotRequired[Literal[\"a\", None]]",
    "items": "NotRequired[List[EditProductBodyItem]]",
    "values": "NotRequired[Dict[str, float]]",
    "either": "NotRequired[Optional[Problem]]",
})`);
    expect(types['types.py']).toContain(
      'EditProductBodyItem = TypedDict("EditProductBodyItem", {\n    "class": "Literal[True]",\n})',
    );
  });
});

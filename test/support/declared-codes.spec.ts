import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compareCodes } from './answered-codes.js';
import { Api } from './api.js';
import { findDeclaredOperation } from './declared-codes.js';

const TASKS = '/v1/community/communities/com_1/onboarding-tasks';

const findDeclaredCodes = (method: string, path: string) => findDeclaredOperation(method, path)?.codes ?? null;

describe('The declared codes of an operation', () => {
  it('are those of its method, with and without a query', () => {
    expect(findDeclaredCodes('POST', '/v1/commerce/carts/cart_1/checkout')).toContain('cart_not_open');
    expect(findDeclaredCodes('GET', '/v1/commerce/carts/cart_1?x=1')).not.toContain('cart_not_open');
  });

  it('are those of the fixed path, not of a parameter beside it', () =>
    expect(findDeclaredCodes('GET', `${TASKS}/progress`)).not.toBe(findDeclaredCodes('GET', `${TASKS}/task_1`)));

  it('are its own, or follow from its kind', () => {
    const checkout = findDeclaredOperation('POST', '/v1/commerce/carts/cart_1/checkout')!;
    expect(checkout.name).toBe('POST /v1/commerce/carts/{id}/checkout');
    expect([...checkout.codes]).toEqual(expect.arrayContaining(['cart_not_open', 'rate_limited']));
    expect(checkout.ownCodes).toContain('cart_not_open');
    expect(checkout.ownCodes).not.toContain('rate_limited');
  });

  it('are none for a path without an operation', () => expect(findDeclaredCodes('GET', '/v1/nothing')).toBeNull());
});

describe('The client of the tests', () => {
  it('throws for a problem whose code the operation does not declare', async () => {
    const server = createServer((_, response) => response.writeHead(422).end('{"code":"cart_not_open"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const api = new Api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

    await expect(api.get('/v1/commerce/products')).rejects.toThrow('answers cart_not_open, which');
    expect((await api.post('/v1/commerce/carts/cart_1/checkout')).body.code).toBe('cart_not_open');
    server.closeAllConnections();
    server.close();
  });
});

describe('The codes that the operations of a whole run have answered', () => {
  const operations = [{ name: 'POST /v1/jars', ownCodes: ['name_taken', 'no_change'] }];
  const compare = (answered: readonly string[], unanswered: Readonly<Record<string, string>> = {}) =>
    compareCodes(operations, new Set(answered), unanswered);

  it('are all that they declare', () =>
    expect(compare(['POST /v1/jars name_taken', 'POST /v1/jars no_change'])).toEqual([]));

  it('lack a code that no test sees', () =>
    expect(compare(['POST /v1/jars name_taken'])).toEqual([
      'POST /v1/jars no_change: the operation declares it, and no test sees it',
    ]));

  it('may lack a code with a reason, as long as no test sees it', () => {
    const reason = { 'POST /v1/jars no_change': 'It needs a full disk.' };
    expect(compare(['POST /v1/jars name_taken'], reason)).toEqual([]);
    expect(compare(['POST /v1/jars name_taken', 'POST /v1/jars no_change'], reason)).toEqual([
      'POST /v1/jars no_change: a test sees it, so it needs no reason',
    ]);
  });

  it('need no reason for a code that no operation declares', () =>
    expect(
      compare(['POST /v1/jars name_taken', 'POST /v1/jars no_change'], { 'POST /v1/jars lost': 'Removed.' }),
    ).toEqual(['POST /v1/jars lost: no operation declares it']));
});

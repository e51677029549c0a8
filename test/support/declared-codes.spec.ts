import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Api } from './api.js';
import { findDeclaredCodes } from './declared-codes.js';

const TASKS = '/v1/community/communities/com_1/onboarding-tasks';

describe('The declared codes of an operation', () => {
  it('are those of its method, with and without a query', () => {
    expect(findDeclaredCodes('POST', '/v1/commerce/carts/cart_1/checkout')).toContain('cart_not_open');
    expect(findDeclaredCodes('GET', '/v1/commerce/carts/cart_1?x=1')).not.toContain('cart_not_open');
  });

  it('are those of the fixed path, not of a parameter beside it', () =>
    expect(findDeclaredCodes('GET', `${TASKS}/progress`)).not.toBe(findDeclaredCodes('GET', `${TASKS}/task_1`)));

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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const MAX_BYTES = 8 * 1024 * 1024;
const text = readFileSync(process.argv[2], 'utf8');
const collection = JSON.parse(text);
const list = (items) => items.flatMap((item) => (item.item ? list(item.item) : [item]));
const requests = list(collection.item).map(({ request }) => request);

assert(text.length < MAX_BYTES, `The collection has ${text.length} bytes`);
assert.equal(collection.auth.type, 'bearer');
assert.deepEqual(
  requests.filter(({ auth }) => auth?.type !== 'bearer').map(({ name }) => name),
  [],
);
const enabled = new Set(
  requests.flatMap(({ header }) => header.filter(({ disabled }) => !disabled).map(({ key }) => key)),
);
assert.deepEqual([...enabled].sort(), ['Accept', 'Content-Type', 'Idempotency-Key']);

const { method, url, body } = requests.find(({ name }) => name === 'Create a product');
const response = await fetch(`${process.env.API_URL}/${url.path.join('/')}`, {
  method,
  headers: { authorization: `Bearer ${process.env.API_KEY}`, 'content-type': 'application/json' },
  body: body.raw,
});
const { data } = await response.json();
assert.equal(response.status, 201);
console.log('called', data.id, `with a collection of ${requests.length} requests, ${text.length} bytes`);

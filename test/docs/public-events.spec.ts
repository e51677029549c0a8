/*
 * The table in src/webhooks/README.md is generated from the public events of the areas. After a change of these, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commercePublicEvents } from '../../src/commerce/public-events.js';
import { communityPublicEvents } from '../../src/community/public-events.js';
import { PUBLICATIONS } from '../../src/webhooks/processes/publications.js';
import { expectSection, toTable } from './generated-section.js';

const SRC = join(import.meta.dirname, '../../src');

describe('The README of webhooks', () => {
  it('lists the facts that are published', () =>
    expectSection(
      join(SRC, 'webhooks/README.md'),
      'public-events',
      toTable(
        ['fact', 'public event', 'data'],
        [...PUBLICATIONS].map(([fact, { type, schema }]) => [fact, type, schema.name]),
      ),
    ));
});

describe('The README of an area', () => {
  it.each([
    ['commerce', commercePublicEvents],
    ['community', communityPublicEvents],
  ])('names each public event that %s sends', async (area, events) => {
    const readme = await readFile(join(SRC, area, 'README.md'), 'utf8');
    const sent = events.filter(({ schema }) => schema !== undefined).map(({ type }) => type);
    expect(sent.filter((type) => !readme.includes(type))).toEqual([]);
  });
});

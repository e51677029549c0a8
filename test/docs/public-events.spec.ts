/*
 * The table in src/webhooks/README.md is generated from the public events of the areas. After a change of these, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import '../../src/features.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commerceFeatures } from '../../src/commerce/commerce.module.js';
import { communityFeatures } from '../../src/community/community.module.js';
import { mapPublications } from '../../src/webhooks/processes/publications.js';
import { expectSection, toTable } from './generated-section.js';

const SRC = join(import.meta.dirname, '../../src');

describe('The README of webhooks', () => {
  it('lists the facts that are published', () =>
    expectSection(
      join(SRC, 'webhooks/README.md'),
      'public-events',
      toTable(
        ['fact', 'public event', 'data'],
        [...mapPublications()].map(([fact, { type, schema }]) => [fact, type, schema.name]),
      ),
    ));
});

describe('The README of an area', () => {
  it.each([
    ['commerce', commerceFeatures],
    ['community', communityFeatures],
  ])('names each public event that %s sends', async (area, features) => {
    const readme = await readFile(join(SRC, area, 'README.md'), 'utf8');
    const events = features.flatMap(({ publicEvents = [] }) => publicEvents);
    const sent = events.filter(({ schema }) => schema !== undefined).map(({ type }) => type);
    expect(sent.filter((type) => !readme.includes(type))).toEqual([]);
  });
});

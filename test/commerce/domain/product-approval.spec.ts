import { type KnownProduct, type ProductCommand, productDecider } from '../../../src/commerce/domain/product.js';
import type { ProductEvent } from '../../../src/commerce/domain/product-events.js';
import { evolve, fold } from '../../../src/kernel/decider.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { NOW, productCreated, reviewRequested } from './facts.js';

const COMMANDS = {
  approve: { type: 'ApproveProduct' },
  deny: { type: 'DenyProduct', reason: 'Not this.' },
  rename: { type: 'EditProduct', content: { name: 'Another' }, status: null },
  'edit nothing': { type: 'EditProduct', content: {}, status: null },
  'edit metadata': { type: 'EditProduct', content: { metadata: { a: 1 } }, status: null },
  activate: { type: 'EditProduct', content: {}, status: 'active' },
  deactivate: { type: 'EditProduct', content: {}, status: 'inactive' },
  'add image': { type: 'AddImage', url: 'https://example.com/a.png', alt: null },
  'add attachment': { type: 'AddAttachment', url: 'https://example.com/a.pdf', name: null },
} as const satisfies Record<string, ProductCommand>;

type CommandName = keyof typeof COMMANDS;

/** The commands that lead to a state of a new product. */
const STATES = {
  review: [],
  'review after an edit': ['rename'],
  'review, deactivated by the seller': ['deactivate'],
  'review after an approval': ['approve', 'rename', 'deny', 'edit nothing'],
  denied: ['deny'],
  'denied after an edit': ['rename', 'deny'],
  denied_changed: ['approve', 'rename', 'deny'],
  approved: ['approve'],
  'approved, deactivated by the seller': ['approve', 'deactivate', 'approve'],
  'approved with changes': ['approve', 'rename'],
} as const satisfies Record<string, readonly CommandName[]>;

type StateName = keyof typeof STATES;

/** The approval, the status, the revision and the reviewed revision; or the code of the refusal. */
type Row = readonly [StateName, string, Readonly<Record<CommandName, string>>];

const NOT_IN_REVIEW = 'product_not_in_review';

const TABLE: readonly Row[] = [
  [
    'review',
    'review active 1/-',
    {
      approve: 'approved active 1/1',
      deny: 'denied active 1/1',
      rename: 'review inactive 2/-',
      'edit nothing': 'review inactive 1/-',
      'edit metadata': 'review inactive 1/-',
      activate: 'review inactive 1/-',
      deactivate: 'review inactive 2/-',
      'add image': 'review inactive 2/-',
      'add attachment': 'review inactive 2/-',
    },
  ],
  [
    'review after an edit',
    'review inactive 2/-',
    {
      approve: 'approved active 2/2',
      deny: 'denied inactive 2/2',
      rename: 'review inactive 2/-',
      'edit nothing': 'review inactive 2/-',
      'edit metadata': 'review inactive 2/-',
      activate: 'review inactive 2/-',
      deactivate: 'review inactive 3/-',
      'add image': 'review inactive 3/-',
      'add attachment': 'review inactive 3/-',
    },
  ],
  [
    'review, deactivated by the seller',
    'review inactive 2/-',
    {
      approve: 'approved inactive 2/2',
      deny: 'denied inactive 2/2',
      rename: 'review inactive 3/-',
      'edit nothing': 'review inactive 2/-',
      'edit metadata': 'review inactive 2/-',
      activate: 'review inactive 3/-',
      deactivate: 'review inactive 2/-',
      'add image': 'review inactive 3/-',
      'add attachment': 'review inactive 3/-',
    },
  ],
  [
    'review after an approval',
    'review inactive 2/2',
    {
      approve: 'approved active 2/2',
      deny: 'denied_changed inactive 2/2',
      rename: 'review inactive 2/2',
      'edit nothing': 'review inactive 2/2',
      'edit metadata': 'review inactive 2/2',
      activate: 'review inactive 2/2',
      deactivate: 'review inactive 3/2',
      'add image': 'review inactive 3/2',
      'add attachment': 'review inactive 3/2',
    },
  ],
  [
    'denied',
    'denied active 1/1',
    {
      approve: NOT_IN_REVIEW,
      deny: NOT_IN_REVIEW,
      rename: 'review inactive 2/1',
      'edit nothing': 'review inactive 1/1',
      'edit metadata': 'review inactive 1/1',
      activate: 'review inactive 1/1',
      deactivate: 'review inactive 2/1',
      'add image': 'review inactive 2/1',
      'add attachment': 'review inactive 2/1',
    },
  ],
  [
    'denied after an edit',
    'denied inactive 2/2',
    {
      approve: NOT_IN_REVIEW,
      deny: NOT_IN_REVIEW,
      rename: 'review inactive 2/2',
      'edit nothing': 'review inactive 2/2',
      'edit metadata': 'review inactive 2/2',
      activate: 'review inactive 2/2',
      deactivate: 'review inactive 3/2',
      'add image': 'review inactive 3/2',
      'add attachment': 'review inactive 3/2',
    },
  ],
  [
    'denied_changed',
    'denied_changed inactive 2/2',
    {
      approve: NOT_IN_REVIEW,
      deny: NOT_IN_REVIEW,
      rename: 'review inactive 2/2',
      'edit nothing': 'review inactive 2/2',
      'edit metadata': 'review inactive 2/2',
      activate: 'review inactive 2/2',
      deactivate: 'review inactive 3/2',
      'add image': 'review inactive 3/2',
      'add attachment': 'review inactive 3/2',
    },
  ],
  [
    'approved',
    'approved active 1/1',
    {
      approve: 'approved active 1/1',
      deny: NOT_IN_REVIEW,
      rename: 'approved active 2/1',
      'edit nothing': 'approved active 1/1',
      'edit metadata': 'approved active 1/1',
      activate: 'approved active 1/1',
      deactivate: 'approved inactive 2/1',
      'add image': 'approved active 2/1',
      'add attachment': 'approved active 2/1',
    },
  ],
  [
    'approved, deactivated by the seller',
    'approved inactive 2/2',
    {
      approve: 'approved inactive 2/2',
      deny: NOT_IN_REVIEW,
      rename: 'approved inactive 3/2',
      'edit nothing': 'approved inactive 2/2',
      'edit metadata': 'approved inactive 2/2',
      activate: 'approved active 3/2',
      deactivate: 'approved inactive 2/2',
      'add image': 'approved inactive 3/2',
      'add attachment': 'approved inactive 3/2',
    },
  ],
  [
    'approved with changes',
    'approved active 2/1',
    {
      approve: 'approved active 2/2',
      deny: 'denied_changed inactive 2/2',
      rename: 'approved active 2/1',
      'edit nothing': 'approved active 2/1',
      'edit metadata': 'approved active 2/1',
      activate: 'approved active 2/1',
      deactivate: 'approved inactive 3/1',
      'add image': 'approved active 3/1',
      'add attachment': 'approved active 3/1',
    },
  ],
];

const created: readonly ProductEvent[] = [productCreated, reviewRequested];

describe('The approval of a product', () => {
  const cells = TABLE.flatMap(([state, before, outcomes]) =>
    Object.entries(outcomes).map(([command, after]) => [command as CommandName, state, before, after] as const),
  );

  it.each(cells)('handles "%s" in the state "%s": %s becomes %s', (command, state, before, after) => {
    const product = STATES[state].reduce<KnownProduct>(apply, fold(productDecider, created) as KnownProduct);
    expect(describeProduct(product)).toBe(before);
    expect(run(product, command)).toBe(after);
  });

  it.each(['rename', 'edit nothing', 'edit metadata', 'activate', 'deactivate'] as const)(
    'records no event for "%s" twice',
    (command) => {
      for (const state of Object.keys(STATES) as StateName[]) {
        const once = apply(
          STATES[state].reduce<KnownProduct>(apply, fold(productDecider, created) as KnownProduct),
          command,
        );
        expect(decide(once, command)).toEqual([]);
      }
    },
  );
});

function run(product: KnownProduct, command: CommandName): string {
  try {
    return describeProduct(apply(product, command));
  } catch (error) {
    if (error instanceof Rejection) return error.code;
    throw error;
  }
}

function apply(product: KnownProduct, command: CommandName): KnownProduct {
  return decide(product, command).reduce<KnownProduct>(
    (state, event) => evolve(productDecider, state, event) as KnownProduct,
    product,
  );
}

function decide(product: KnownProduct, command: CommandName): readonly ProductEvent[] {
  return productDecider.decide(COMMANDS[command], product, { now: NOW, createId: (prefix) => `${prefix}_1` });
}

function describeProduct({ approval, status, revision, reviewedRevision }: KnownProduct): string {
  return `${approval} ${status} ${revision}/${reviewedRevision ?? '-'}`;
}

import type { Mutant } from './mutant.ts';

/** Mutants of the community. */
export const community: readonly Mutant[] = [
  {
    name: 'a reversal of points counts on its own day',
    file: 'community/projections/members.ts',
    from: 'PointsReversed: (member, { data }) =>\n      member && {\n        ...member,\n        points: data.balance,\n        _daily: takePoints(member._daily, data.awardedAt,',
    to: 'PointsReversed: (member, { data, meta }) =>\n      member && {\n        ...member,\n        points: data.balance,\n        _daily: takePoints(member._daily, meta.at,',
    specs: ['community/projections/documents.spec.ts'],
  },
  {
    name: 'recent points are ranked as if the read model had reached the head',
    file: 'community/readers/recent-ranking-reader.ts',
    from: 'return { periods, reached, head };',
    to: 'return { periods, reached: head, head };',
    specs: ['community/readers/recent-ranking-reader.spec.ts'],
  },
  {
    name: 'an award that is projected during a read of recent points is lost',
    file: 'community/readers/recent-ranking-reader.ts',
    from: 'return { periods, reached, head };',
    to: 'return { periods, reached: await this.findReached([head, known.head], known.reached), head };',
    specs: ['community/readers/recent-ranking-reader.spec.ts'],
  },
  {
    name: 'recent points are read from the start while the read model lags',
    file: 'community/readers/recent-ranking-reader.ts',
    from: '[head, known.head]',
    to: '[head]',
    specs: ['community/readers/recent-ranking-reader.spec.ts'],
  },
];

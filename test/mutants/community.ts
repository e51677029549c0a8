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
  {
    name: 'an import brings a member back with its ended purchase',
    file: 'community/domain/member.ts',
    from: 'rejoin({ purchased: false, changes }',
    to: 'rejoin({ purchased: member.purchased, changes }',
    specs: ['community/domain/member.spec.ts'],
  },
  {
    name: 'the end of a purchase removes a banned member',
    file: 'community/domain/member.ts',
    from: "member.purchased && member.role !== 'owner' && isPresent(member)",
    to: "member.purchased && member.role !== 'owner' && member.status !== 'removed'",
    specs: ['community/domain/member.spec.ts'],
  },
  {
    name: 'an invite brings a member back as a buyer',
    file: 'community/commands/invites.steps.ts',
    from: 'purchased: false, changes }',
    to: 'purchased: true, changes }',
    specs: ['community/http/purchases.spec.ts'],
  },
  {
    name: 'a banned member keeps the badge in its document',
    file: 'community/projections/members.ts',
    from: "status: 'banned', expert_badge: null",
    to: "status: 'banned'",
    specs: ['community/projections/documents.spec.ts'],
  },
  {
    name: 'a member who returns keeps the role in its document',
    file: 'community/projections/members.ts',
    from: "...member, status, role: 'member', joined_at",
    to: '...member, status, joined_at',
    specs: ['community/projections/documents.spec.ts'],
  },
  {
    name: 'a pending member has joined',
    file: 'community/projections/members.ts',
    from: "joined_at: status === 'active' ? at : null },",
    to: 'joined_at: at },',
    specs: ['community/projections/documents.spec.ts'],
  },
];

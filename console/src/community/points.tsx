import { id, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

export const points: Resource = {
  name: 'points',
  title: 'Points',
  listPath: `${COMMUNITY}/points`,
  pagination: 'page',
  columns: [
    id(),
    text('user.email', 'Member'),
    text('points'),
    text('source_type', 'Source'),
    text('balance'),
    text('level'),
    time(),
  ],
  filters: [{ name: 'target_email', label: 'E-mail of the member' }],
  creations: [
    {
      label: 'Award points',
      method: 'POST',
      path: `${COMMUNITY}/points`,
      fields: [
        { name: 'points', label: 'Points', kind: 'integer', required: true },
        {
          name: 'target_email',
          label: 'E-mail of the member',
          help: 'A pending member gets the points too, and keeps them by joining.',
          required: true,
        },
        { name: 'source_type', label: 'Kind of source' },
        { name: 'source_id', label: 'Id of the source', help: 'The same source is paid once.' },
      ],
    },
  ],
  actions: [
    {
      label: 'Reverse',
      method: 'POST',
      path: `${COMMUNITY}/points/{key}/reversal`,
      isShown: ({ source_type: source }) => source !== 'reversal',
      fields: [{ name: 'reason', label: 'Reason', required: true }],
    },
  ],
  whenEmpty: 'Nobody has points yet.',
};

export const leaderboard: Resource = {
  name: 'leaderboard',
  title: 'Leaderboard',
  listPath: `${COMMUNITY}/leaderboard`,
  pagination: 'page',
  key: 'user.id',
  columns: [
    text('rank'),
    text('user.email', 'E-mail'),
    text('user.name', 'Name'),
    id('user.id', 'User id'),
    text('points'),
    text('level'),
  ],
  filters: [{ name: 'period', label: 'Period', options: ['7d', '30d'], any: 'All time' }],
  whenEmpty: 'Nobody has points in this period.',
};

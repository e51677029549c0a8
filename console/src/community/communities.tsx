import { toText } from '../components/format';
import { id, status, text, time } from '../resources/columns';
import type { Action, Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';
import { challenges, channels, posts } from './conversations';
import { ImportTab } from './import/import-tab';
import { library } from './library';
import { invites, members } from './membership';
import { onboardingTasks } from './onboarding';
import { leaderboard, points } from './points';

const hasStatus =
  (wanted: string): NonNullable<Action['isShown']> =>
  ({ status: current }) =>
    current === wanted;

export const communities: Resource = {
  name: 'communities',
  title: 'Communities',
  listPath: '/v1/community/communities',
  itemPath: COMMUNITY,
  pagination: 'page',
  columns: [text('name'), status(), text('tier'), text('member_count', 'Members'), id(), time()],
  creations: [
    {
      label: 'New community',
      method: 'POST',
      path: '/v1/community/communities',
      fields: [
        { name: 'name', label: 'Name', required: true },
        { name: 'description', label: 'Description', kind: 'long_text' },
        { name: 'tier', label: 'Tier', kind: 'choice', options: ['free', 'paid'] },
        { name: 'product_id', label: 'Product id', help: 'An order of it opens a paid community.' },
      ],
    },
  ],
  actions: [
    {
      label: 'Change',
      method: 'PATCH',
      path: COMMUNITY,
      isShown: hasStatus('active'),
      fields: [
        { name: 'name', label: 'Name', start: (community) => community['name'] },
        {
          name: 'description',
          label: 'Description',
          kind: 'long_text',
          start: (community) => community['description'],
        },
        {
          name: 'join_policy',
          label: 'Who may join',
          kind: 'choice',
          options: ['open', 'invite'],
          start: (community) => community['join_policy'],
        },
        {
          name: 'levels',
          label: 'Levels, as JSON',
          kind: 'json',
          help: 'A list, such as [{"level":1,"points":0},{"level":2,"points":40}]',
          start: (community) => community['levels'],
        },
      ],
    },
    {
      label: 'Transfer',
      method: 'POST',
      path: `${COMMUNITY}/transfer`,
      isShown: hasStatus('active'),
      fields: [{ name: 'user_id', label: 'User id of the new owner', required: true }],
      destroys: ({ name }) => ({
        effect: 'Another member becomes the owner. You stay as a moderator.',
        name: toText(name),
      }),
    },
    {
      label: 'Archive',
      method: 'POST',
      path: `${COMMUNITY}/archive`,
      isShown: hasStatus('active'),
      destroys: ({ name }) => ({
        effect: 'Nobody can write in an archived community until it is reopened.',
        name: toText(name),
      }),
    },
    {
      label: 'Reopen',
      method: 'PATCH',
      path: COMMUNITY,
      body: { status: 'active' },
      isShown: hasStatus('archived'),
    },
  ],
  tabs: [{ name: 'import', title: 'Import members', show: (community) => <ImportTab id={toText(community['id'])} /> }],
  children: [members, points, leaderboard, posts, channels, challenges, library, onboardingTasks, invites],
  whenEmpty: 'A community has members, points, posts, channels, challenges and a library.',
};

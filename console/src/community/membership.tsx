import { toText } from '../components/format';
import { id, status, text, time } from '../resources/columns';
import type { Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

const LEVEL = { name: 'level', label: 'Level', kind: 'integer' } as const;

export const members: Resource = {
  name: 'members',
  title: 'Members',
  listPath: `${COMMUNITY}/members`,
  pagination: 'page',
  key: 'user.id',
  columns: [
    text('user.email', 'E-mail'),
    text('user.name', 'Name'),
    text('role'),
    status(),
    text('level'),
    text('points'),
    id('user.id', 'User id'),
    time('joined_at', 'Joined'),
  ],
  filters: [
    { name: 'role', label: 'Role', kind: 'several', options: ['owner', 'moderator', 'member'] },
    {
      name: 'status',
      label: 'Status',
      kind: 'several',
      options: ['active', 'pending', 'removed', 'banned'],
      any: 'Active only',
    },
    { name: 'email', label: 'E-mail' },
  ],
  actions: [
    {
      label: 'Change',
      method: 'PATCH',
      path: `${COMMUNITY}/members/{key}`,
      isShown: ({ role }) => role !== 'owner',
      fields: [
        {
          name: 'role',
          label: 'Role',
          kind: 'choice',
          options: ['moderator', 'member'],
          start: (member) => member['role'],
        },
        { ...LEVEL, start: (member) => member['level'] },
        { name: 'status', label: 'Status', kind: 'choice', options: ['active', 'banned'] },
      ],
    },
    {
      label: 'Give the expert badge',
      method: 'PUT',
      path: `${COMMUNITY}/members/{key}/expert-badge`,
      isShown: ({ expert_badge: badge }) => badge === null,
    },
    {
      label: 'Take the expert badge',
      method: 'DELETE',
      path: `${COMMUNITY}/members/{key}/expert-badge`,
      isShown: ({ expert_badge: badge }) => badge !== null,
    },
    {
      label: 'Remove',
      method: 'DELETE',
      path: `${COMMUNITY}/members/{key}`,
      isShown: ({ role, status: current }) => role !== 'owner' && current === 'active',
      destroys: ({ user }) => ({
        effect: 'This person is no member any more.',
        name: toText((user as { id: string }).id),
      }),
    },
  ],
  whenEmpty: 'Invite people, or import them.',
};

export const invites: Resource = {
  name: 'invites',
  title: 'Invites',
  listPath: `${COMMUNITY}/invites`,
  itemPath: '/v1/community/invites/{id}',
  pagination: 'page',
  columns: [text('email', 'E-mail'), status(), text('role'), time('expires_at', 'Expires'), time()],
  creations: [
    {
      label: 'Invite',
      method: 'POST',
      path: `${COMMUNITY}/invites`,
      fields: [
        { name: 'email', label: 'E-mail', required: true },
        { name: 'role', label: 'Role', kind: 'choice', options: ['member', 'moderator'] },
        LEVEL,
        { name: 'message', label: 'Message', kind: 'long_text' },
      ],
    },
  ],
  actions: [
    {
      label: 'Send again',
      method: 'POST',
      path: '/v1/community/invites/{key}/resend',
      isShown: ({ status: current }) => current === 'pending',
    },
    {
      label: 'Revoke',
      method: 'DELETE',
      path: '/v1/community/invites/{key}',
      isShown: ({ status: current }) => current === 'pending',
      destroys: ({ email }) => ({ effect: 'The link in the mail no longer works.', name: toText(email) }),
    },
  ],
  whenEmpty: 'An invite goes out by mail.',
};

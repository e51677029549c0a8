import { Stack } from '@mantine/core';
import type { Item } from '../api/api';
import { Id } from '../components/copy';
import { toText } from '../components/format';
import { status, text, time } from '../resources/columns';
import { nameOf, readPath, type Resource } from '../resources/resource';
import { COMMUNITY } from './community-path';

const LEVEL = { name: 'level', label: 'Level', kind: 'integer' } as const;

export const members: Resource = {
  name: 'members',
  title: 'Members',
  listPath: `${COMMUNITY}/members`,
  pagination: 'page',
  key: 'user.id',
  columns: [
    { label: 'Member', show: (member) => <Person member={member} /> },
    text('user.name', 'Name'),
    text('role'),
    status(),
    text('level'),
    text('points'),
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
      label: 'Remove',
      method: 'DELETE',
      path: `${COMMUNITY}/members/{key}`,
      isShown: ({ role, status: current }) => role !== 'owner' && current === 'active',
      destroys: (member) => ({
        effect: 'This person is no member any more.',
        name: nameOf(member) ?? toText(readPath(member, 'user.id')),
      }),
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
  ],
  note: 'Only active members are shown. People who were imported and have not signed in yet are pending: choose this status to see them.',
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

/** The address of a member, with the id of the user. */
function Person({ member }: { readonly member: Item }) {
  return (
    <Stack gap={0}>
      <span className="break">{toText(readPath(member, 'user.email') ?? '–')}</span>
      <Id value={toText(readPath(member, 'user.id'))} />
    </Stack>
  );
}

import { Button, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '../api/api';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import { signOut } from '../session/start-session';

interface Invite {
  readonly community: { readonly id: string };
  readonly email: string | null;
  readonly role: string;
  readonly message: string | null;
  readonly status: string;
  readonly invited_by: { readonly id: string };
  readonly expires_at: string;
}

interface Community {
  readonly name: string;
  readonly description: string | null;
}

/** The page to which the mail of an invite links: who invites to what, and the answer of the invitee. */
export function InvitePage() {
  const { inviteId = '' } = useParams({ strict: false });
  const path = `/v1/community/invites/${encodeURIComponent(inviteId)}`;
  const found = useQuery({ queryKey: ['invite', inviteId], queryFn: () => load(path) });
  return (
    <Group justify="center" component="main" p="md">
      <Card withBorder w="min(100%, 30rem)" mt="xl" padding="lg">
        <Stack>
          {found.isPending && <Loader aria-label="Loading" />}
          {found.isError && <NotFound error={found.error} />}
          {found.data !== undefined && <Invitation path={path} {...found.data} />}
        </Stack>
      </Card>
    </Group>
  );
}

async function load(path: string): Promise<{ readonly invite: Invite; readonly community: Community }> {
  const invite = await call<Invite>('GET', path);
  const community = await call<Community>('GET', `/v1/community/communities/${invite.community.id}`);
  return { invite, community };
}

function NotFound({ error }: { readonly error: unknown }) {
  return (
    <>
      <Title order={1} size="h3">
        Invite
      </Title>
      <ProblemAlert error={error} />
      <Text size="sm">An invite is shown to the user who has verified its address. Sign in with that address.</Text>
      <SignOut />
    </>
  );
}

interface InvitationProps {
  readonly path: string;
  readonly invite: Invite;
  readonly community: Community;
}

function Invitation({ path, invite, community }: InvitationProps) {
  const { role, message, status, email, invited_by: inviter, expires_at: expiresAt } = invite;
  return (
    <>
      <Title order={1} size="h3" className="break">
        Invite to {community.name}
      </Title>
      {community.description !== null && <Text className="break">{community.description}</Text>}
      <Text size="sm" className="break">
        The user {inviter.id} invites {email ?? 'you'} as a {role}.
      </Text>
      {message !== null && (
        <Text className="break" component="blockquote">
          {message}
        </Text>
      )}
      {status === 'pending' ? (
        <>
          <Text size="sm" component="div">
            The invite expires on <Time value={expiresAt} />.
          </Text>
          <Answer path={path} />
        </>
      ) : (
        <Text component="div">
          This invite is <StatusBadge status={status} />
        </Text>
      )}
      <SignOut />
    </>
  );
}

function Answer({ path }: { readonly path: string }) {
  const queries = useQueryClient();
  const answering = useMutation({
    mutationFn: (answer: 'accept' | 'decline') => call('POST', `${path}/${answer}`),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <>
      <Group>
        <Button loading={answering.isPending} onClick={() => answering.mutate('accept')}>
          Accept
        </Button>
        <Button variant="default" disabled={answering.isPending} onClick={() => answering.mutate('decline')}>
          Decline
        </Button>
      </Group>
      {answering.isError && <ProblemAlert error={answering.error} />}
    </>
  );
}

function SignOut() {
  const queries = useQueryClient();
  return (
    <Button
      variant="subtle"
      onClick={() => {
        signOut();
        queries.clear();
      }}
    >
      Sign in as another user
    </Button>
  );
}

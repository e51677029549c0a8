import { Alert, Code, Stack, Text } from '@mantine/core';
import type { SignInReason } from './session';

const OPEN_COMMAND = 'npm run ops -- console open';
const NEW_LINK = 'Make a new link on the machine of the service:';
const NOTICES: Readonly<Record<SignInReason, { readonly title: string; readonly detail: string }>> = {
  link_expired: { title: 'This sign-in link has expired', detail: `A link is valid for one hour. ${NEW_LINK}` },
  link_rejected: {
    title: 'The service does not accept this sign-in link',
    detail: `The link is incomplete, or another service made it. ${NEW_LINK}`,
  },
  session_ended: {
    title: 'Your sign-in has ended',
    detail: 'Your credential has expired or has been revoked. Sign in again: the same page opens.',
  },
};

/** Says why the user is not signed in any more, and what to do. */
export function SignInNotice({ reason }: { readonly reason: SignInReason }) {
  const { title, detail } = NOTICES[reason];
  return (
    <Alert color="orange" variant="outline" title={title} role="alert">
      <Stack gap="xs">
        <Text size="sm">{detail}</Text>
        {reason !== 'session_ended' && <Code>{OPEN_COMMAND}</Code>}
      </Stack>
    </Alert>
  );
}

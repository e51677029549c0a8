import { Anchor, Loader, Stack, Text, Title } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link, redirect } from '@tanstack/react-router';
import type { Query } from '../api/api';
import { ProblemAlert } from '../components/problem-alert';
import { getSettings } from '../session/settings';
import { SignedInPage } from '../session/signed-in-page';
import { Shell } from './shell';

const root = createRootRoute({
  component: Shell,
  // The query string is plain: repeated names are lists, and every value is text.
  validateSearch: (search) => search as Query,
  notFoundComponent: () => (
    <Stack>
      <Title order={1} size="h3">
        There is no such page
      </Title>
      <Anchor component={Link} to="/">
        To the first page
      </Anchor>
    </Stack>
  ),
  errorComponent: ({ error }) => <ProblemAlert error={error} />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw getSettings().surface === 'operators'
      ? redirect({ to: '/operators/$', params: { _splat: 'health' } })
      : redirect({ to: '/webhooks/$', params: { _splat: 'endpoints' } });
  },
});

const signedIn = createRoute({ getParentRoute: () => root, path: '/signed-in', component: SignedInPage });

/** The page of an invitee, who sees nothing else of the console. */
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invites/$inviteId',
  component: lazyRouteComponent(() => import('../community/invite-page'), 'InvitePage'),
});

/** Each area is loaded when it is opened. It shows the page that the rest of the path names. */
const areas = [
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$',
    component: lazyRouteComponent(() => import('../webhooks/webhooks-area'), 'WebhooksArea'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/commerce/$',
    component: lazyRouteComponent(() => import('../commerce/commerce-area'), 'CommerceArea'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/community/$',
    component: lazyRouteComponent(() => import('../community/community-area'), 'CommunityArea'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/history/$',
    component: lazyRouteComponent(() => import('../history/history-area'), 'HistoryArea'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/operators/$',
    component: lazyRouteComponent(() => import('../operators/operators-area'), 'OperatorsArea'),
  }),
];

export const router = createRouter({
  routeTree: root.addChildren([home, signedIn, invite, ...areas]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loader aria-label="Loading" />,
  defaultNotFoundComponent: () => <Text>There is no such page.</Text>,
  parseSearch: parseQuery,
  stringifySearch: (search) => formatQueryString(search as Query),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function parseQuery(text: string): Record<string, string | string[]> {
  const search = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

function formatQueryString(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) search.append(name, one);
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

import { Badge, Button, NativeSelect, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { UtcTooltip } from '../components/utc-tooltip';
import { type Session, setSession, useSession } from '../session/session';
import { getSettings } from '../session/settings';
import { listBusinesses, signOut } from '../session/start-session';
import { API_AREAS, OPERATOR_AREAS } from './areas';
import { useFocusOnNavigation } from './use-focus-on-navigation';

/** The page of a signed-in user does not need it. */
const SignInPage = lazy(() => import('../session/sign-in-page').then(({ SignInPage: page }) => ({ default: page })));

/** The frame of every page: who is signed in, which business and mode, and the navigation. */
export function Shell() {
  const session = useSession();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useFocusOnNavigation(pathname, 'main');
  if (pathname.endsWith('/signed-in')) return <Outlet />;
  if (session === null)
    return (
      <Suspense>
        <SignInPage />
      </Suspense>
    );
  if (isInvitePage(pathname))
    return (
      <>
        <UtcTooltip />
        <Outlet />
      </>
    );
  return (
    <div className={session.mode === 'test' ? 'shell mode-test' : 'shell'}>
      <a className="skip-link" href="#main">
        To the content
      </a>
      <header className="shell-header">
        <Button
          className="shell-menu"
          variant="default"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </Button>
        <Link to="/" className="shell-title">
          Console
        </Link>
        <span className="grow" />
        {getSettings().surface === 'api' && <Whereabouts session={session} />}
        <ThemeButton />
        <SignOutButton />
      </header>
      <nav id="navigation" className="shell-nav" data-open={isOpen} aria-label="Areas" onClick={() => setOpen(false)}>
        <Navigation session={session} />
      </nav>
      <UtcTooltip />
      <main id="main" className="shell-main" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** The page of an invitee stands outside the navigation. */
function isInvitePage(pathname: string): boolean {
  return /^(\/console)?\/invites\//.test(pathname);
}

function Navigation({ session }: { readonly session: Session }) {
  const areas = getSettings().surface === 'operators' ? OPERATOR_AREAS : API_AREAS;
  return areas.map(({ title, pages }) => {
    const shown = pages.filter(({ isShown }) => isShown?.(session) ?? true);
    return shown.length === 0 ? null : (
      <section key={title} aria-label={title}>
        <h2>{title}</h2>
        {shown.map(({ path, title: label }) => (
          <Link key={path} to={path}>
            {label}
          </Link>
        ))}
      </section>
    );
  });
}

/** The business and the mode. A key has one of each; a session token may change both. */
function Whereabouts({ session }: { readonly session: Session }) {
  if (session.kind !== 'token')
    return (
      <>
        <Text size="sm" className="break">
          {session.business?.id}
        </Text>
        <Badge color={session.mode === 'test' ? 'orange.9' : 'green.9'}>
          {session.mode === 'test' ? 'Test mode' : 'Live mode'}
        </Badge>
        {session.access === 'read_only' && <Badge color="gray.7">Read-only</Badge>}
      </>
    );
  return <Switches session={session} />;
}

function Switches({ session }: { readonly session: Session }) {
  const queries = useQueryClient();
  const businesses = useQuery({ queryKey: ['businesses'], queryFn: listBusinesses });
  const known = businesses.data ?? (session.business === null ? [] : [session.business]);
  const change = (changes: Partial<Session>) => {
    setSession({ ...session, ...changes });
    void queries.resetQueries();
  };
  return (
    <>
      <NativeSelect
        aria-label="Business"
        size="xs"
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        value={session.business?.id ?? ''}
        onChange={(event) => change({ business: known.find(({ id }) => id === event.currentTarget.value) ?? null })}
      />
      <NativeSelect
        aria-label="Mode"
        size="xs"
        data={[
          { value: 'live', label: 'Live mode' },
          { value: 'test', label: 'Test mode' },
        ]}
        value={session.mode}
        onChange={(event) => change({ mode: event.currentTarget.value === 'test' ? 'test' : 'live' })}
      />
    </>
  );
}

function ThemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <Button variant="default" aria-label={`Change to the ${other} theme`} onClick={() => setColorScheme(other)}>
      {other === 'dark' ? '☾' : '☀'}
    </Button>
  );
}

function SignOutButton() {
  const queries = useQueryClient();
  return (
    <Button
      variant="default"
      onClick={() => {
        signOut();
        queries.clear();
      }}
    >
      Sign out
    </Button>
  );
}

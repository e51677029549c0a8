import * as oauth from 'oauth4webapi';
import { readPlace } from './place';
import type { Settings } from './settings';
import { signIn } from './start-session';

type Oidc = NonNullable<Settings['oidc']>;

const STORAGE_KEY = 'console-oidc';
const SCOPE = 'openid email';

interface PendingSignIn {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The page that the user wanted to see. */
  readonly returnTo: string;
}

/** Sends the user to the identity provider: authorization code with PKCE. */
export async function startOidc(oidc: Oidc): Promise<void> {
  const server = await discover(oidc);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const pending: PendingSignIn = {
    verifier,
    state,
    nonce,
    returnTo: window.location.pathname + window.location.search + window.location.hash,
  };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(pending));
  const address = new URL(server.authorization_endpoint!);
  address.search = new URLSearchParams({
    client_id: oidc.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  window.location.assign(address);
}

/** Ends the sign-in that the identity provider sent back, and returns the page that the user wanted to see. */
export async function finishOidc(oidc: Oidc): Promise<string> {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  if (stored === null) throw new Error('This sign-in has been finished already, or it was started in another tab.');
  const { verifier, state, nonce, returnTo } = JSON.parse(stored) as PendingSignIn;
  const [server, client] = [await discover(oidc), { client_id: oidc.client_id }];
  const parameters = oauth.validateAuthResponse(server, client, new URL(window.location.href), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    verifier,
    insecureOnLoopback(oidc),
  );
  const { id_token } = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  const [path, fragment = ''] = returnTo.split('#');
  await signIn(id_token!, false, readPlace(`#${fragment}`));
  return path!;
}

async function discover(oidc: Oidc): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(oidc.issuer);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecureOnLoopback(oidc)));
}

/** Plain HTTP is allowed for an identity provider on the same machine only. */
function insecureOnLoopback({ issuer }: Oidc): { readonly [oauth.allowInsecureRequests]?: boolean } {
  return { [oauth.allowInsecureRequests]: ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(issuer).hostname) };
}

function redirectUri(): string {
  return `${window.location.origin}${import.meta.env.BASE_URL}signed-in`;
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Page } from 'playwright-core';

const CLIENT_ID = 'console';
const HOUR_SECONDS = 3_600;

/** An identity provider in this process. It signs in each user who enters a name, with any password. */
export class IdentityProvider {
  /** Lifetime of the tokens that it issues next. */
  tokenSeconds = HOUR_SECONDS;
  private handle: RequestListener = (_, response) => response.writeHead(404).end();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.handle(request, response));
  }

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings of a service whose session tokens are the ID tokens of this provider. */
  get environment() {
    return {
      SESSION_JWKS: `${this.issuer}/jwks`,
      SESSION_ISSUER: this.issuer,
      SESSION_AUDIENCE: CLIENT_ID,
      CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
    };
  }

  /** Lets the console of a service sign in: a public client, which needs PKCE. */
  registerConsole(serviceUrl: string): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          token_endpoint_auth_method: 'none',
          redirect_uris: [`${serviceUrl}/console/signed-in`],
        },
      ],
      pkce: { required: () => true },
      clientBasedCORS: (_, origin) => origin === serviceUrl,
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      ttl: {
        IdToken: () => this.tokenSeconds,
        AccessToken: HOUR_SECONDS,
        Grant: HOUR_SECONDS,
        Session: HOUR_SECONDS,
        Interaction: HOUR_SECONDS,
      },
      cookies: { keys: ['the-key-of-the-cookies'] },
      findAccount: (_, subject) => ({
        accountId: subject,
        claims: () => ({ sub: subject, email: `${subject}@example.com`, email_verified: true }),
      }),
    });
    this.handle = (request, response) => void provider.callback()(request, response);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Signs in on the pages of the provider, and lets the console know the address. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

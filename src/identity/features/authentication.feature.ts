import type { Feature } from '../../engine/feature.js';
import { Authenticator } from '../../kernel/authenticator.js';
import { ApiKeyAuthenticator } from '../authentication/api-key-authenticator.js';
import { CredentialAuthenticator } from '../authentication/credential-authenticator.js';
import { DevelopmentTokens } from '../authentication/development-tokens.js';
import { SessionAuthenticator } from '../authentication/session-authenticator.js';
import { SessionJwks } from '../authentication/session-jwks.js';
import { MeController } from '../http/me.controller.js';
import { RetrieveCallerHandler } from '../queries/caller.queries.js';

/** Tells who sent a request. */
export const authenticationFeature: Feature = {
  controllers: [MeController],
  providers: [
    { provide: Authenticator, useClass: CredentialAuthenticator },
    ApiKeyAuthenticator,
    SessionAuthenticator,
    SessionJwks,
    DevelopmentTokens,
    RetrieveCallerHandler,
  ],
};

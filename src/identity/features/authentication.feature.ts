import type { Feature } from '../../engine/feature.js';
import { ApiKeyAuthenticator } from '../authentication/api-key-authenticator.js';
import { Authenticator } from '../authentication/authenticator.js';
import { DevelopmentTokens } from '../authentication/development-tokens.js';
import { SessionAuthenticator } from '../authentication/session-authenticator.js';
import { SessionJwks } from '../authentication/session-jwks.js';
import { MeController } from '../http/me.controller.js';
import { RetrieveCallerHandler } from '../queries/caller.queries.js';

/** Tells who sent a request. */
export const authenticationFeature: Feature = {
  controllers: [MeController],
  providers: [
    Authenticator,
    ApiKeyAuthenticator,
    SessionAuthenticator,
    SessionJwks,
    DevelopmentTokens,
    RetrieveCallerHandler,
  ],
};

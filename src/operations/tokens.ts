import { InvalidArgumentError, type Command } from 'commander';
import { SystemClock } from '../kernel/clock.js';
import { CannotDo, configured, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

const EXPIRES_IN_SECONDS = 3600;

interface Sign extends Printing {
  readonly sub: string;
  readonly email?: string;
  readonly reviewer?: boolean;
  readonly expiresIn: number;
}

export function tokensCommand(): Command {
  const example = 'tokens sign --sub ann --email ann@example.com --expires-in 600 --json';
  const sign = command('sign', 'sign a session token with the development key pair', example)
    .requiredOption('--sub <sub>', 'subject (sub) of the user')
    .option('--email <email>', 'verified e-mail address of the user')
    .option('--reviewer', 'let the user approve and deny products')
    .option('--expires-in <seconds>', 'lifetime in seconds; a negative number makes an expired token', wholeNumber, EXPIRES_IN_SECONDS)
    .action(signToken);
  return group('tokens', 'sign session tokens for development', example, [sign]);
}

async function signToken({ sub, email, reviewer, expiresIn, json }: Sign): Promise<void> {
  const { DevelopmentTokens } = await import('../identity/development-tokens.js');
  const config = configured();
  if (!('development' in config.session.keys)) throw new CannotDo('SESSION_JWKS is set: the identity provider signs the tokens');
  const wish = { subject: sub, email: email ?? null, reviewer: reviewer ?? false, expiresInSeconds: expiresIn };
  const token = await new DevelopmentTokens(config, new SystemClock()).sign(wish);
  print({ token }, { json }, [token]);
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

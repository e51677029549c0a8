import type { Command } from 'commander';
import { atDesk, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

interface Forget extends Printing {
  readonly email?: string;
  readonly user?: string;
}

const HELP = 'Names and addresses that were sealed for this person are shown as null from now on, within 5 s in every process. For good.';

export function subjectsCommand(): Command {
  const example = 'subjects forget --email ann@example.com';
  const forget = command('forget', 'destroy the key of a person, in all that was ever recorded', example)
    .option('--email <address>', 'the address')
    .option('--user <id>', 'the user whose address it is')
    .addHelpText('after', `\n${HELP}`)
    .action(forgetSubject);
  return group('subjects', 'forget people', example, [forget]);
}

async function forgetSubject(this: Command, { email, user, json }: Forget): Promise<void> {
  if ((email === undefined) === (user === undefined)) return this.error('error: whom? --email or --user');
  const forgotten = await atDesk((desk) => (email !== undefined ? desk.forgetAddress(email) : desk.forgetUser(user!)));
  print({ forgotten }, { json }, [forgotten.now ? `${forgotten.subject} is forgotten` : `${forgotten.subject} was forgotten before`]);
}

import type { Command } from 'commander';
import { atDesk, print, type Printing } from './toolbox.js';
import { command, group } from './usage.js';

interface Forget extends Printing {
  readonly email?: string;
  readonly user?: string;
}

const HELP = 'Within 5 s every process shows the names and e-mail addresses of this person as null. This cannot be undone.';

export function subjectsCommand(): Command {
  const example = 'subjects forget --email ann@example.com';
  const forget = command('forget', 'erase the name and e-mail address of a person permanently', example)
    .option('--email <address>', 'e-mail address of the person')
    .option('--user <id>', 'user whose e-mail address is erased')
    .addHelpText('after', `\n${HELP}`)
    .action(forgetSubject);
  return group('subjects', 'erase personal data', example, [forget]);
}

async function forgetSubject(this: Command, { email, user, json }: Forget): Promise<void> {
  if ((email === undefined) === (user === undefined)) return this.error('error: name one person: use either --email or --user');
  const forgotten = await atDesk((desk) => (email !== undefined ? desk.forgetAddress(email) : desk.forgetUser(user!)));
  print({ forgotten }, { json }, [forgotten.now ? `${forgotten.subject} is forgotten` : `${forgotten.subject} was already forgotten`]);
}

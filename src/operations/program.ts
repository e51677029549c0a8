import { Command } from 'commander';
import { businessesCommand } from './businesses.js';
import { deadLettersCommand } from './dead-letters.js';
import { eventsCommand } from './events.js';
import { jobsCommand } from './jobs.js';
import { keysCommand } from './keys.js';
import { projectionsCommand } from './projections.js';
import { storeCommand } from './store.js';
import { tokensCommand } from './tokens.js';
import { webhooksCommand } from './webhooks.js';

/** All that the tool can do. */
export function program(): Command {
  const ops = new Command('ops')
    .description('the operator’s tool; works while the service runs and when it does not')
    .addHelpText('after', '\nExample:\n  npm run ops -- projections list')
    .addCommand(businessesCommand())
    .addCommand(keysCommand())
    .addCommand(tokensCommand())
    .addCommand(eventsCommand())
    .addCommand(webhooksCommand())
    .addCommand(projectionsCommand())
    .addCommand(jobsCommand())
    .addCommand(deadLettersCommand())
    .addCommand(storeCommand());
  every(ops, (command) => strict(command));
  return ops;
}

function every(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const inner of command.commands) every(inner, change);
}

/** Wrong usage is one line; a group by itself is wrong usage too. */
function strict(command: Command): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  if (command.commands.length === 0) return;
  command
    .helpCommand(true)
    .argument('[command]')
    .action((word?: string) => {
      const known = `there are: ${command.commands.map((inner) => inner.name()).join(', ')}`;
      command.error(word === undefined ? `error: which command? ${known}` : `error: unknown command '${word}'; ${known}`);
    });
}

import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { type Command, CommanderError } from 'commander';
import { VERSION } from '../../../src/kernel/version.js';
import { createProgram } from '../../../src/operations/cli/program.js';
import { CommandLine } from '../../support/command-line.js';

const all = [createProgram()]
  .flatMap((ops) => listCommands(ops, []))
  // Only scripts that complete commands in a shell run this hidden command.
  .filter(({ words }) => words !== 'complete');
const commands = all.filter(({ command }) => command.commands.length === 0);

describe('The help of every group and command', () => {
  it.each(all)('has an example: ops $words', ({ command }) => {
    expect(readHelp(command)).toMatch(/\n\nExample:\n {2}npm run ops -- \S+/);
  });

  it.each(commands)('has an example of the same command: ops $words', ({ command, words }) => {
    expect(readHelp(command)).toContain(`npm run ops -- ${words}`);
  });

  it.each(all)('lists the exit codes: ops $words', ({ command }) =>
    expect(readHelp(command)).toMatch(/Exit codes: 0 .*78 .*130 /),
  );

  it.each(all.slice(1))('describes the command, each option and each argument: ops $words', ({ command }) => {
    expect(command.description()).toMatch(/^[a-z]+,? .*\w/);
    const described = [...command.options, ...command.registeredArguments].filter((one) => one.name() !== 'command');
    expect(described.filter(({ description }) => !/^\S+ \S+/.test(description ?? ''))).toEqual([]);
  });

  const withDocument = commands.filter(({ words }) => words !== 'completion');
  it.each(withDocument)('mentions --json: ops $words', ({ command }) => expect(readHelp(command)).toContain('--json'));

  it('exists for every task of an operator', () => {
    expect(all.map(({ words }) => words)).toEqual(
      expect.arrayContaining([
        ...['list', 'status', 'rebuild', 'switch', 'rollback', 'drop', 'pause', 'resume', 'verify', 'rebuild-key'].map(
          (word) => `projections ${word}`,
        ),
        ...['list', 'show', 'retry', 'skip'].map((word) => `dead-letters ${word}`),
        ...['list', 'show', 'retry', 'cancel'].map((word) => `jobs ${word}`),
        ...['doctor', 'backup', 'restore', 'export', 'import', 'copy'].map((word) => `store ${word}`),
        ...['tail', 'show', 'stream', 'search', 'trace', 'stats'].map((word) => `events ${word}`),
        'webhooks listen',
        ...['list', 'show', 'replay'].map((word) => `deliveries ${word}`),
        ...['create', 'list'].map((word) => `businesses ${word}`),
        ...['create', 'list', 'rotate', 'revoke'].map((word) => `keys ${word}`),
        ...['check', 'print'].map((word) => `config ${word}`),
        'seed',
      ]),
    );
  });
});

describe('The completion in a shell', () => {
  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const { exitCode, out, err } = await new CommandLine(tmpdir()).run(`completion ${shell}`);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain('ops complete -- ');
  });

  it.each([
    ['deliv', 'deliveries'],
    ['webhooks lis', 'listen'],
    ['deliveries list --fai', '--failed'],
    ['deliveries list --mode te', 'test'],
  ])('completes %s', async (words, completed) => {
    const { out } = await new CommandLine(tmpdir()).run(`complete -- ${words}`);
    expect(out.split('\n').map((line) => line.split('\t')[0])).toContain(completed);
  });
});

describe('The version', () => {
  it('is that of the package and of the API', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect([createProgram().version(), VERSION]).toEqual([version, version]);
  });
});

describe('Wrong usage', () => {
  it.each([
    'nonsense',
    'businesses',
    'businesses destroy',
    'businesses create --name Acme',
    'businesses create --name \u200b --owner-sub ann',
    'businesses create --name Shop\u001b[31m --owner-sub ann',
    `businesses create --name ${'x'.repeat(201)} --owner-sub ann`,
    'businesses create --name Acme --owner-sub \u200b',
    `businesses create --name Acme --owner-sub ${'x'.repeat(256)}`,
    'businesses create --name Acme --owner-sub ann --owner-email ann',
    'businesses create --name Acme --owner-sub ann --owner-email ann\u200b@example.com',
    'keys create --business biz_1 --mode live --access full --name \u202elive',
    'keys create --business biz_1 --mode alive --access full',
    'keys list',
    'keys revoke',
    'keys rotate key_1 --overlap 604801',
    'deliveries list',
    'tokens sign --sub ann --expires-in soon',
    'tokens sign --sub ann --email ann',
    'tokens sign --sub ann --nonsense',
    'projections rebuild',
    'projections pause businesses --all',
    'projections drop businesses --build one',
    'dead-letters skip letter',
    'events tail --folow',
    'events tail --limit 0',
    'events search --since yesterday',
    'events search --since 2026-02-30',
    'events show',
    'events trace',
    'jobs list --status asleep',
    'jobs retry one two',
    'seed',
    'seed --demo --days 0',
    'store export',
    'store import house.ndjson',
    'store copy --verify',
    'store rewind --since 2026-02-30',
    'store rewind --since 5',
    'webhooks',
    'webhooks listen',
    'webhooks listen --forward-to ftp://localhost/hooks',
    'webhooks listen --forward-to http://user:password@localhost/hooks',
    'webhooks listen --forward-to localhost:4242 --events product.exploded',
    'webhooks listen --forward-to localhost:4242 --events webhook.test',
    'webhooks listen --forward-to localhost:4242 --events *,offer.sent',
    'webhooks listen --forward-to localhost:4242 --mode both',
  ])('is reported in one line: %s', async (words) => {
    const said: string[] = [];
    const ops = createProgram();
    for (const { command } of listCommands(ops, []))
      command.configureOutput({ writeErr: (text) => said.push(text), writeOut: (text) => said.push(text) });

    await expect(ops.parseAsync(words.split(' '), { from: 'user' })).rejects.toThrow(CommanderError);
    expect(said).toEqual([expect.stringMatching(/^error: .*\n$/)]);
  });
});

describe('An unknown command', () => {
  const runRefused = async (words: string) => {
    let said = '';
    const ops = createProgram();
    for (const { command } of listCommands(ops, [])) command.configureOutput({ writeErr: (text) => (said += text) });
    await ops.parseAsync(words.split(' '), { from: 'user' }).catch(() => undefined);
    return said;
  };

  it('is named first, even when other arguments follow', async () => {
    expect(await runRefused('nonsense list --json')).toMatch(
      /^error: unknown command 'nonsense'; available commands: /,
    );
    expect(await runRefused('--nonsense')).toBe("error: unknown option '--nonsense'\n");
    expect(await runRefused('nonsense list')).toMatch(
      /^error: unknown command 'nonsense'; available commands: businesses, /,
    );
  });

  it('is answered with the most similar command', async () => {
    expect(await runRefused('projection list')).toMatch(
      /^error: unknown command 'projection'; did you mean projections\? /,
    );
  });
});

describe('The help command', () => {
  it.each(['help', 'events help', 'help events'])('exits with 0: %s', async (words) => {
    const ops = createProgram();
    for (const { command } of listCommands(ops, [])) command.configureOutput({ writeOut: () => undefined });

    await expect(ops.parseAsync(words.split(' '), { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  });
});

function listCommands(command: Command, path: readonly string[]): { command: Command; words: string }[] {
  const inner = command.commands.flatMap((one) => listCommands(one, [...path, one.name()]));
  return [{ command, words: path.join(' ') }, ...inner];
}

function readHelp(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

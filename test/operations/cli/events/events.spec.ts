import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../../../support/command-line.js';
import { startServiceOn } from '../../../support/service.js';

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: string;
  readonly recorded_at: string;
  readonly actor: { readonly id: string };
}

const ANN = 'businesses create --name Acme --owner-sub ann --owner-email ann@example.com';

let directory: string;
let ops: CommandLine;
let business: { readonly id: string; readonly owner: { readonly id: string } };
let all: Entry[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ops-events-'));
  ops = new CommandLine(directory);
  ({ business } = await ops.runForDocument(ANN));
  ({ events: all } = await ops.runForDocument('events tail --limit 100'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('events tail', () => {
  it('prints the last events in log order', async () => {
    const { events } = await ops.runForDocument('events tail --limit 2');

    expect(all.map(({ position }) => position)).toEqual(all.map(({ position }) => position).toSorted());
    expect(all.at(-1)).toMatchObject({
      type: 'BusinessCreated',
      stream: `business-${business.id}`,
      revision: 0,
      mode: 'live',
    });
    expect(events).toEqual(all.slice(-2));
  });

  it('prints only the events of one type', async () => {
    const { events } = await ops.runForDocument('events tail --type UserRegistered');

    expect(events).toEqual(all.filter(({ type }) => type === 'UserRegistered'));
  });

  it('prints aligned columns without escape codes and with complete ids', async () => {
    const { out } = await ops.run('events tail');
    const [heads, ...lines] = out.trimEnd().split('\n');

    expect(heads).toMatch(/^POSITION +RECORDED AT +TYPE +STREAM +REVISION +ACTOR +ID$/);
    expect(lines.map((line) => line.slice(heads!.lastIndexOf('ID')))).toEqual(all.map(({ id }) => id));
    expect(out).not.toContain('\u001b');
  });

  it('shows no encrypted data', async () => {
    expect((await ops.run('events tail --json')).out).not.toMatch(/ann@example\.com/i);
  });

  it('follows the log while the service runs, one document per line, until Ctrl-C', async () => {
    const service = await startServiceOn(directory);
    const follow = ops.start('events tail --follow --limit 1 --type BusinessCreated');
    await follow.waitForOutput(/BusinessCreated/);
    const { business: second } = await ops.runForDocument('businesses create --name Second --owner-sub bob');
    await follow.waitForOutput(new RegExp(second.id));
    const { exitCode, out, err } = await follow.interrupt();
    await service.close();

    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    expect(lines.map(({ stream }) => stream)).toEqual([`business-${business.id}`, `business-${second.id}`]);
    expect([exitCode, err]).toEqual([0, '']);
  });

  it('exits without an error when the reader closes the pipe', async () => {
    const follow = ops.startOwnProcess('events tail --follow');
    await follow.waitForOutput(/BusinessCreated/);
    const ended = follow.stopReading();
    await ops.runForDocument('businesses create --name Third --owner-sub bob');

    expect(await ended).toMatchObject({ exitCode: 0, err: '' });
  });
});

describe('events show', () => {
  it('shows all fields of one event', async () => {
    const created = all.at(-1)!;

    expect((await ops.runForDocument(`events show ${created.id}`)).event).toEqual(created);
    expect((await ops.run(`events show ${created.id}`)).out).toMatch(
      new RegExp(`^id +${created.id}$[^]+"businessId": "${business.id}"`, 'm'),
    );
  });
});

describe('events stream', () => {
  it('lists the events of a stream in order', async () => {
    const stream = `user-${business.owner.id}`;

    expect((await ops.runForDocument(`events stream ${stream}`)).events).toEqual(
      all.filter((event) => event.stream === stream),
    );
  });

  it('names existing streams when the stream is unknown', async () => {
    const { exitCode, out, err } = await ops.run('events stream business-1 --json');

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/^there is no stream business-1; the latest streams are \S+-\S+, .*\n$/);
  });
});

describe('events search', () => {
  const found = async (words: string) =>
    ((await ops.runForDocument(`events search ${words}`)) as { events: Entry[] }).events.map(({ id }) => id);
  const ids = (matches: (event: Entry) => boolean) => all.filter(matches).map(({ id }) => id);

  it('finds events by type and by a resource that they mention', async () => {
    expect(await found(`--type BusinessCreated --resource ${business.id}`)).toEqual([all.at(-1)!.id]);
    expect(await found(`--resource ${business.owner.id} --limit 100`)).toEqual(
      ids(
        (event) =>
          event.stream.endsWith(`-${business.owner.id}`) ||
          JSON.stringify(event).includes(`Id":"${business.owner.id}"`),
      ),
    );
  });

  it('finds the last matching events by actor', async () => {
    const ofAnn = ids(({ actor }) => actor.id === business.owner.id);

    expect(ofAnn.length).toBeGreaterThan(1);
    expect(await found(`--actor ${business.owner.id}`)).toEqual(ofAnn);
    expect(await found(`--actor ${business.owner.id} --limit 1`)).toEqual(ofAnn.slice(-1));
  });

  it('finds the events that were recorded at or after a time', async () => {
    const since = all.at(-1)!.recorded_at;

    expect(await found(`--since ${since} --type BusinessCreated --resource ${business.id}`)).toEqual([all.at(-1)!.id]);
    expect(await found('--since 2999-01-01')).toEqual([]);
  });
});

describe('events stats', () => {
  it('counts events by category and by type', async () => {
    const { stats } = await ops.runForDocument('events stats');

    expect(stats.types.reduce((sum: number, { events }: { events: number }) => sum + events, 0)).toBe(stats.events);
    expect(stats.categories).toContainEqual({
      category: 'user',
      streams: expect.any(Number) as number,
      events: expect.any(Number) as number,
    });
    expect(stats).toMatchObject({
      foreign: 0,
      first_recorded_at: all[0]!.recorded_at,
      head: expect.stringMatching(/^\d{16}$/) as string,
    });
  });
});

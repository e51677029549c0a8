import { CommandLine } from '../../../support/command-line.js';
import { respondWith } from '../../../support/receiver-responses.js';
import { TEST_ENVIRONMENT } from '../../../support/service-process.js';
import { WebhookFixture } from '../../../webhooks/webhook-fixture.js';

describe('The deliveries command', () => {
  let fixture: WebhookFixture;
  let ops: CommandLine;
  beforeEach(async () => {
    fixture = await WebhookFixture.start();
    ops = new CommandLine(fixture.service.dataDir, { ...TEST_ENVIRONMENT });
  });
  afterEach(() => fixture.close());

  /** Returns the document on standard output. Warnings about receivers on this machine are on standard error. */
  /* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command prints its own document */
  const documentOf = async (words: string): Promise<any> => JSON.parse((await ops.run(`${words} --json`)).out);

  const delivered = async (path: string) => {
    const { id } = await fixture.createEndpoint(path);
    await fixture.publish();
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, (records) => records.length === 1);
    return record!;
  };

  it('lists deliveries, the newest first, and only the failed ones with --failed', async () => {
    fixture.receiver.setResponses('/refused', respondWith(400));
    const [good, bad] = [await delivered('/ok'), await delivered('/refused')];
    const list = `deliveries list --business ${fixture.business.id}`;

    expect(await documentOf(`${list} --endpoint ${good.endpoint.id} --limit 1`)).toMatchObject({
      deliveries: [{ status: 'success' }],
    });
    expect(await documentOf(`${list} --failed`)).toEqual({ deliveries: [bad] });
    expect((await ops.run(`${list} --failed`)).out).toMatch(new RegExp(`^ID .*\n${bad.id} .* failed +400 `));
    expect((await ops.run(`${list} --failed`)).err).toMatch(
      /^in live mode; --mode test shows those of the other mode$/m,
    );
    expect(await documentOf(`${list} --mode test`)).toEqual({ deliveries: [] });
    expect((await ops.run(`${list} --mode test`)).err).toMatch(
      /^no delivery in test mode matches; --mode live shows those of the other mode$/m,
    );
  });

  it('refuses to list those of an unknown business, and of an endpoint of another one', async () => {
    const { endpoint } = await delivered('/ok');
    const other = await fixture.service.createBusiness();
    const list = async (business: string, id: string) => {
      const { exitCode, out, err } = await ops.run(`deliveries list --business ${business} --endpoint ${id}`);
      return [exitCode, out, err];
    };
    expect(await list('biz_nobody', endpoint.id)).toEqual([
      1,
      '',
      expect.stringMatching(/^there is no business biz_nobody$/m),
    ]);
    expect(await list(other.id, endpoint.id)).toEqual([
      1,
      '',
      expect.stringContaining(`the business has no endpoint ${endpoint.id}\n`),
    ]);
  });

  it('shows a delivery with every attempt, and replays it for the owning business', async () => {
    const record = await delivered('/ok');
    const { delivery } = await documentOf(`deliveries replay ${record.id}`);
    const shown = await documentOf(`deliveries show ${record.id}`);

    expect(delivery).toMatchObject({ status: 'success', attempt: 2, replayed_from: record.id });
    const operator = { type: 'system', id: 'operator' };
    expect(shown).toEqual({
      delivery: { ...record, requested_by: null },
      attempts: [
        { ...record, requested_by: null },
        { ...delivery, requested_by: operator },
      ],
      next_attempt_at: null,
    });
  });

  it('exits with 1 and says why the replay failed', async () => {
    fixture.receiver.setResponses('/refused', respondWith(400));
    const { id } = await delivered('/refused');
    const { exitCode, out, err } = await ops.run(`deliveries replay ${id}`);
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/^ID .*\nwhd_\S+ .* failed +400 +client_error +2 /)]);
    expect(err).toMatch(/^the replay failed: The receiver answered with status 400\.$/m);
  });

  it('says that a replay uses the environment of the command', async () => {
    const { id } = await delivered('/ok');
    const { err } = await new CommandLine(fixture.service.dataDir, {}).run(`deliveries replay ${id}`);
    expect(err).toMatch(/^the replay failed: .* \(this command has its own environment: .* WEBHOOK_ALLOW_CIDRS .*\)$/m);
  });

  it('says in its help that a replay uses the environment of the command', async () => {
    expect((await ops.run('deliveries replay --help')).out).toContain('variables of this command');
  });

  it('says which business a list needs', async () => {
    const { exitCode, err } = await ops.run('deliveries list --failed');
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(/^error: required option '--business <id>' not specified: business .*"businesses list"/m),
    ]);
    expect((await ops.run('deliveries list --help')).out).toMatch(/--business <id> [^]*\(required\)\n +--mode/);
  });

  it('exits with 1 and names the unknown delivery', async () => {
    expect(await ops.run('deliveries show whd_nobody')).toEqual({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/^there is no delivery whd_nobody$/m) as string,
    });
  });
});

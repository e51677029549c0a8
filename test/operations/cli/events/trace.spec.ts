import type { CommandNode, EventNode } from '../../../../src/operations/cli/events/causation-tree.js';
import { CommandLine } from '../../../support/command-line.js';
import { TEST_ENVIRONMENT } from '../../../support/service-process.js';
import { WebhookFixture } from '../../../webhooks/webhook-fixture.js';

const REQUEST_ID = 'req_of_the_trace';

interface Trace {
  readonly correlation_id: string;
  readonly events: number;
  readonly commands: readonly CommandNode[];
}

function listEvents(commands: readonly CommandNode[]): EventNode[] {
  return commands.flatMap((command) => [
    ...command.events.flatMap((event) => [event, ...listEvents(event.commands)]),
    ...listEvents(command.commands),
  ]);
}

describe('events trace', () => {
  let fixture: WebhookFixture;
  let ops: CommandLine;
  let deliveryId: string;
  let trace: Trace;
  beforeAll(async () => {
    fixture = await WebhookFixture.start();
    ops = new CommandLine(fixture.service.dataDir, { ...TEST_ENVIRONMENT });
    const { id } = await fixture.createEndpoint('/ok');
    await fixture.api.post('/v1/commerce/products', { name: 'A course' }, { 'x-request-id': REQUEST_ID });
    const [record] = await fixture.waitForRecords(`endpoint_id=${id}`, (records) => records.length === 1);
    deliveryId = record!.id as string;
    trace = (JSON.parse((await ops.run(`events trace ${REQUEST_ID} --json`)).out) as { trace: Trace }).trace;
  });
  afterAll(() => fixture.close());

  it('starts with the command of the request', () => {
    expect(trace.correlation_id).toBe(REQUEST_ID);
    expect(trace.commands).toMatchObject([
      { command: 'CreateProduct', causation_id: REQUEST_ID, actor: { type: 'api_key' } },
    ]);
  });

  it('contains each event of the request once, down to the delivery', () => {
    const events = listEvents(trace.commands);

    expect(events).toHaveLength(trace.events);
    expect(new Set(events.map(({ id }) => id)).size).toBe(trace.events);
    expect(events.map(({ delivery }) => delivery).filter((delivery) => delivery !== null)).toEqual([
      expect.objectContaining({ id: deliveryId, attempt: 1, status: 'success', response_status: 200 }),
    ]);
  });

  it('prints a tree from the request to the delivery', async () => {
    const { out } = await ops.run(`events trace ${REQUEST_ID}`);
    const indents = [
      /^request /,
      /^ {2}command CreateProduct /,
      /^ {4}event ProductCreated /,
      /^ {6,}command /,
      /^ {6,}delivery whd_/,
    ];

    for (const line of indents) expect(out.split('\n')).toContainEqual(expect.stringMatching(line));
  });

  it('exits with 1 for an unknown correlation', async () => {
    const { exitCode, out, err } = await ops.run('events trace req_of_nobody --json');

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/there is no event with the correlation id req_of_nobody\n$/);
  });
});

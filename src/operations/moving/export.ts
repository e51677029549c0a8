import { existsSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { iso } from '../../kernel/clock.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { eachOf, type PassedOver } from '../event-log.js';
import { interruptible } from '../interruption.js';
import { showing, type Report } from '../progress.js';
import { CannotDo, type Printing } from '../toolbox.js';
import { HouseWriter } from './house-file.js';
import { belongingsOf } from './leaving.js';
import { leftBehind, sourceOf, tellingPositions, until, type Source } from './moving.js';
import { unlessMore, whileNothingRuns } from './stillness.js';

/** Writes a store into a file. Nothing may run on it meanwhile, or what travels would not be what it had. */
export async function exportTo(file: string, service: INestApplicationContext, printing: Printing) {
  if (existsSync(file)) throw new CannotDo(`${file} is there already`);
  const source = sourceOf(service);
  const { ports, reactors } = source;
  const head = await ports.events.head();
  let foreign = 0;
  const passedOver = (others: number) => (foreign += others);
  const written = await interruptible((signal) =>
    whileNothingRuns(ports, reactors, signal, (still) =>
      showing('export', head, printing, (report) => wholeIn(file, source, { still, report, passedOver })),
    ),
  );
  return { file, ...written, left_behind: await leftBehind(ports.models, foreign) };
}

interface Watched {
  readonly still: AbortSignal;
  readonly report: Report;
  readonly passedOver: PassedOver;
}

async function wholeIn(file: string, { ports, reactors }: Source, { still, report, passedOver }: Watched) {
  const writer = await HouseWriter.open(file, iso(Date.now()));
  try {
    const head = await ports.events.head();
    const passed = tellingPositions(report);
    for await (const event of until(still, eachOf(ports.events, { passedOver }))) {
      crashPoint('mid-export');
      await writer.event(event);
      passed(event);
    }
    const belongings = unlessMore(belongingsOf(ports, reactors), ports, head);
    for await (const belonging of until(still, belongings)) await writer.belonging(belonging);
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

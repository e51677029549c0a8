import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

describe('The tour', () => {
  it('plays the main job from end to end on a service of its own', async () => {
    const tour = join(import.meta.dirname, 'tour.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', tour]);

    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Everything held.');
  });
});

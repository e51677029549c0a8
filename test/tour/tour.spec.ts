import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

describe('The tour', () => {
  it('runs the main job from end to end on its own service', async () => {
    const tour = join(import.meta.dirname, 'tour.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', tour]);

    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Every check passed.');
  });
});

import { afterAll, beforeAll } from '#jest';
import { startDwell, type TestDwell } from './start-dwell.ts';

/** A Dwell for the tests of a suite or of a describe block: it is started before them and stopped after them. */
export function suiteDwell(options: Parameters<typeof startDwell>[0] = {}): TestDwell {
  const started = {} as TestDwell;
  beforeAll(async () => void Object.assign(started, await startDwell(options)));
  afterAll(() => started.stop());
  return started;
}

import { afterAll, afterEach, beforeAll, beforeEach } from '#jest';

interface Stoppable {
  stop(): unknown;
}

/** What is started before all tests of a `describe`, and stopped after them. */
export function startedOnce<Started extends Stoppable>(start: () => Promise<Started>): Started {
  return startedBy(start, beforeAll, afterAll);
}

/** The same before and after each test. */
export function startedEach<Started extends Stoppable>(start: () => Promise<Started>): Started {
  return startedBy(start, beforeEach, afterEach);
}

/** Stands in for what is not started while tests are declared: its members are those of what runs. */
function startedBy<Started extends Stoppable>(
  start: () => Promise<Started>,
  before: typeof beforeAll,
  after: typeof afterAll,
): Started {
  let started: Started | null = null;
  before(async () => {
    started = await start();
  });
  after(async () => {
    await started?.stop();
  });
  return new Proxy({} as Started, {
    get: (_, name) => (started === null ? undefined : Reflect.get(started, name)),
  });
}

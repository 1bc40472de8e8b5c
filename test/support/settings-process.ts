import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createLocalSettings } from '../../src/api/settings/local-settings.ts';
import { inMemory } from '../../src/cache/namespace.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import { AppError } from '../../src/model/error.ts';
import { openTestStore } from './open-test-store.ts';
import { principalOf } from './principal-of.ts';

/**
 * A process that creates settings in its folder. Each line it reads is an instant (ms of the machine's clock) and a
 * name; at that instant it creates a calendar and a parameter set of the name, and answers with a line of what became
 * of the two: `created`, or why not.
 */
const [dataDir = ''] = process.argv.slice(2);
const store = await openTestStore(dataDir);
const settings = createLocalSettings({
  store,
  stored: inMemory,
  directory: async () => emptyDirectory,
  users: async () => new Map(),
  now: () => 0,
  newId: randomUUID,
  checkCalendar: () => [],
});
const admin = principalOf('ada', 'admin');

async function outcome(created: Promise<unknown>): Promise<string> {
  try {
    await created;
    return 'created';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.code}: ${error.details.join(' ')}`;
  }
}

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const [at = '', ...words] = line.split(' ');
  const name = words.join(' ');
  // Nothing but waiting in a loop meets an instant to the fraction of a millisecond.
  while (performance.timeOrigin + performance.now() < Number(at));
  const outcomes = [
    await outcome(settings.createCalendar(admin, { name, timeZone: 'UTC', workingTimes: [], holidays: [] })),
    await outcome(settings.createParameterSet(admin, { name, ownerId: null, public: false, report: {} })),
  ];
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
}
store.close();

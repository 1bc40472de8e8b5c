import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { WatchNotifier } from '../../../src/api/watches/watches-api.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  adaWatching,
  aRecordingNotifier,
  aWatchedWorld,
  aWatchOffice,
  reviewTooLong,
} from '../../support/watch-office.ts';

const inBerlin = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Europe/Berlin',
  weekday: 'short',
  hour: 'numeric',
  hourCycle: 'h23',
});

/** From 8:00 to 18:00 on weekdays, told by others than those who are tested. */
function isTold(at: number): boolean {
  const parts = Object.fromEntries(inBerlin.formatToParts(at).map(({ type, value }) => [type, value]));
  const hour = Number(parts.hour);
  return !['Sat', 'Sun'].includes(String(parts.weekday)) && hour >= 8 && hour < 18;
}

/** What happens in one hour: an issue goes to Review, or leaves it; a process dies and another begins. */
const hour = fc.record({
  moves: fc.array(
    fc.record({ key: fc.constantFrom('WEB-1', 'WEB-2', 'WEB-3'), to: fc.constantFrom('3', '4') }),
    {
      maxLength: 1,
    },
  ),
  pause: fc.integer({ min: 1, max: 60 }),
  dies: fc.boolean(),
});
type ReminderOutcome = Awaited<ReturnType<WatchNotifier['remind']>>;

const outcome = fc.constantFrom<ReminderOutcome>('sent', 'sent', 'later', 'refused', 'unknown');

interface Scene {
  readonly hours: readonly {
    readonly moves: readonly { readonly key: string; readonly to: string }[];
    readonly pause: number;
    readonly dies: boolean;
  }[];
  readonly outcomes: readonly ReminderOutcome[];
}

/** Plays it with two processes: how often each visit was told, and which had to be. */
async function play({ hours, outcomes }: Scene) {
  const dataDir = temporaryFolder();
  const world = aWatchedWorld();
  const told = aRecordingNotifier(world);
  told.outcomes.push(...outcomes);
  const open = async () => {
    const office = await aWatchOffice(world, dataDir);
    office.watches.start(told.notifier);
    return office;
  };
  let offices = [await open(), await open()];
  await offices[0]?.watches.create(adaWatching, reviewTooLong);
  const times = new Map<string, number>();
  const due = new Set<string>();
  let heard = 0;
  for (const { moves, pause, dies } of hours) {
    for (const { key, to } of moves) {
      if (world.issues[key]?.status !== to) world.issues[key] = { since: world.now, status: to };
    }
    world.now += pause * millisecondsInHour;
    if (dies) {
      offices[1]?.close();
      offices = [...offices.slice(0, 1), await open()];
    }
    await Promise.all(offices.map(({ watches }) => watches.tick()));
    for (const [key, { since, status }] of Object.entries(world.issues)) {
      if (status === '4' && isTold(world.now) && world.now - since > 2 * millisecondsInDay)
        due.add(`${key} ${since}`);
    }
    for (const { keys } of told.heard.slice(heard)) {
      for (const key of keys) {
        const visit = `${key} ${world.issues[key]?.since}`;
        times.set(visit, (times.get(visit) ?? 0) + 1);
      }
    }
    heard = told.heard.length;
  }
  for (const office of offices) office.close();
  return { times, due };
}

test('if Slack answers, each visit that is too long while people are told is told exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hour, { maxLength: 60 }), async (hours) => {
      const { times, due } = await play({ hours, outcomes: [] });
      expect(new Set(times.keys())).toEqual(due);
      expect([...times.values()].every((count) => count === 1)).toBe(true);
    }),
    { numRuns: runs(40) },
  );
});

test('whatever Slack answers, no visit is told twice, and none that is not due', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(hour, { maxLength: 60 }),
      fc.array(outcome, { maxLength: 40 }),
      async (hours, outcomes) => {
        const { times, due } = await play({ hours, outcomes });
        expect([...times.values()].every((count) => count === 1)).toBe(true);
        expect([...times.keys()].every((visit) => due.has(visit))).toBe(true);
      },
    ),
    { numRuns: runs(40) },
  );
});

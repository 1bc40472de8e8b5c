import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, expect, test } from '#jest';
import { unknownSet } from '../../../src/api/settings/settings-api.ts';
import { AppError } from '../../../src/model/error.ts';
import { TO_REPORT } from '../../../src/store/work-kinds.ts';
import { adaHere, anAnswerOf, hourly } from '../../support/digest-office.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { at, brokenFilter, closeOffices, hours, recording, weekly } from './recording-office.ts';

afterEach(closeOffices);

test('what is out of reach is tried again ever more seldom, and given up after twelve hours', async () => {
  const tries: number[] = [];
  const { digests, clock, passes, told, tillMonday } = await recording({
    deliver: async () => {
      tries.push(clock.now);
      throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.', [
        'Please try again later.',
      ]);
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  await tillMonday();
  await passes(1.5 * millisecondsInHour, millisecondsInMinute);
  await passes(12.5 * millisecondsInHour);
  const minutes = tries.map((time) => (time - at('2026-03-23T08:00:00Z')) / 60_000);
  expect(minutes.slice(0, 7)).toEqual([0, 1, 3, 8, 23, 53, 83]);
  expect(minutes.at(-1)).toBeGreaterThanOrEqual(720);
  expect(minutes.at(-1)).toBeLessThan(780);
  expect(told).toEqual([
    'It could not be posted for twelve hours: Slack cannot be reached at the moment: Please try again later.',
  ]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'failed', message: told[0] });
});

test('for as long as Slack refuses the whole app nothing is given up, and no try counts', async () => {
  let isRefused = true;
  const { digests, passes, told, tillMonday } = await recording({
    deliver: async () => {
      if (isRefused) throw new AppError('slack-token-refused', 'Slack refuses the token.');
      return null;
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  await tillMonday();
  await passes(20 * millisecondsInHour);
  isRefused = false;
  await passes(2 * millisecondsInMinute, millisecondsInMinute);
  expect(told).toEqual([]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({
    ...{ due: at('2026-03-23T08:00:00Z'), state: 'sent', message: null },
  });
});

test('of a parameter set that was deleted it fails, and its owner is told which', async () => {
  const { digests, passes, told, tillMonday } = await recording({
    answer: async () => {
      throw unknownSet('set-1');
    },
  });
  const question = { kind: 'saved', setId: 'set-1', timeZone: 'UTC' } as const;
  const { id } = await digests.create(adaHere, { ...weekly, question });
  await tillMonday();
  await passes(millisecondsInHour);
  const why =
    "The parameter set could not be found: parameter set 'set-1' could not be found. Try: the ids of GET /rest/parameterSets.";
  expect(told).toEqual([why]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'failed', message: why });
});

test('later periods of a digest wait for those before them', async () => {
  const { digests, dues, passes, slack } = await recording({ isDown: true });
  await digests.create(adaHere, hourly);
  // The second was tried a minute ago, and the first waits for long.
  await passes(92 * millisecondsInMinute, millisecondsInMinute);
  slack.isDown = false;
  await passes(millisecondsInHour);
  expect(dues()).toEqual(hours(13, 14, 15));
});

test('an owner is told of a failure once, and again when it is another one', async () => {
  let why = 'The filter is broken.';
  const { digests, passes, told } = await recording({
    answer: async () => {
      throw new AppError('invalid-value', why);
    },
  });
  await digests.create(adaHere, hourly);
  await passes(3 * millisecondsInHour);
  expect(told).toEqual(['The filter is broken.']);
  why = 'The parameter set is gone.';
  await passes(millisecondsInHour);
  expect(told).toEqual(['The filter is broken.', 'The parameter set is gone.']);
});

test('the digest of who is gone fails and says so', async () => {
  const { digests, passes, brought } = await recording();
  const { id } = await digests.create(principalOf('U0GONE'), hourly);
  await passes(millisecondsInHour);
  expect(brought).toEqual([]);
  const { lastRun } = await digests.get(principalOf('U0BEN', 'admin'), id);
  expect(lastRun?.message).toContain('Choose a new owner');
});

test('a bug gives the period up under a reference and leaves the others alone', async () => {
  const { digests, passes, told } = await recording({
    deliver: async ({ run }) => {
      if (run.due === at('2026-03-18T13:00:00Z')) throw new TypeError('no such thing');
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(2 * millisecondsInHour);
  expect(told[0]).toMatch(/the log has it under [\w-]+\.$/);
  expect((await digests.get(adaHere, id)).lastRun?.state).toBe('sent');
});

test('an owner who does not hear is told again until they do, and whoever owns it then', async () => {
  let isDeaf = true;
  const heard: string[] = [];
  const { digests, passes, told } = await recording({
    answer: brokenFilter,
    hears(owner) {
      if (!isDeaf) heard.push(owner);
      return !isDeaf;
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(5 * millisecondsInHour);
  expect(told).toEqual([]);
  isDeaf = false;
  await passes(millisecondsInHour);
  // What failed for the same reason since is one word.
  expect(told).toEqual(['The filter is broken.']);
  await digests.handOver(adaHere, id, 'U0BEN');
  await passes(2 * millisecondsInHour);
  expect(heard).toEqual(['U0ADA', 'U0BEN']);
});

test('an owner whom nothing reaches is left alone after three days', async () => {
  let tries = 0;
  const { digests, passes, tillMonday } = await recording({
    answer: brokenFilter,
    hears() {
      tries += 1;
      return false;
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  await tillMonday();
  await passes(4 * 24 * millisecondsInHour);
  const soFar = tries;
  expect(soFar).toBeGreaterThan(100);
  expect(soFar).toBeLessThan(160);
  await digests.pause(adaHere, id);
  await passes(4 * millisecondsInHour);
  expect(tries).toBe(soFar);
});

test('two processes tell an owner once', async () => {
  const dataDir = temporaryFolder();
  const clock = { now: at('2026-03-18T12:59:00Z') };
  const answer = brokenFilter;
  const both = [await recording({ dataDir, clock, answer }), await recording({ dataDir, clock, answer })];
  await both[0]?.digests.create(adaHere, hourly);
  for (let minute = 0; minute < 3; minute += 1) {
    await Promise.all(both.map(({ digests }) => digests.tick()));
    clock.now += 60_000;
  }
  expect(both.flatMap(({ told }) => told)).toEqual(['The filter is broken.']);
});

test('the next period names those before it that were given up unposted', async () => {
  let isBroken = true;
  const { digests, brought, passes } = await recording({
    answer: async (question, asOf) => {
      if (isBroken) throw new AppError('invalid-value', 'The filter is broken.');
      return anAnswerOf(question, asOf);
    },
  });
  await digests.create(adaHere, hourly);
  await passes(2 * millisecondsInHour);
  isBroken = false;
  await passes(2 * millisecondsInHour);
  expect(brought.map(({ missed }) => missed)).toEqual([
    [at('2026-03-18T13:00:00Z'), at('2026-03-18T14:00:00Z')],
    [],
  ]);
});

test('where there is nothing to say, nothing is said after a failed try either', async () => {
  let asked = 0;
  const { digests, brought, passes } = await recording({
    answer: async (question, asOf) => {
      asked += 1;
      if (asked === 1) throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.');
      return { ...anAnswerOf(question, asOf), isEmpty: true };
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  expect(brought).toEqual([]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'silent' });
});

test('a pause that Slack wants is no try, and does not make a period late', async () => {
  let pauses = 30;
  const { digests, brought, passes, clock, told, tillMonday } = await recording({
    async deliver() {
      pauses -= 1;
      return pauses >= 0 ? clock.now + 30 * 60_000 : null;
    },
  });
  await digests.create(adaHere, weekly);
  await tillMonday();
  await passes(millisecondsInMinute, millisecondsInMinute);
  await passes(16 * millisecondsInHour);
  expect(told).toEqual([]);
  expect(brought).toMatchObject([{ lateMs: null }]);
  expect(brought[0]?.run.note).not.toHaveProperty('tries');
});

test('after a long trouble of Slack the newest three periods are brought, and the others named', async () => {
  const { digests, dues, brought, passes, slack } = await recording({ isDown: true });
  await digests.create(adaHere, hourly);
  await passes(8 * millisecondsInHour);
  slack.isDown = false;
  await passes(millisecondsInHour);
  expect(dues().slice(0, 3)).toEqual(hours(18, 19, 20));
  expect(brought[0]?.missed).toEqual(hours(13, 14, 15, 16, 17).map(at));
});

test('what a process gave up and died over before it told is told by the next one', async () => {
  const dataDir = temporaryFolder();
  const clock = { now: at('2026-03-18T12:30:00Z') };
  const answer = brokenFilter;
  const dead = await recording({
    dataDir,
    clock,
    answer,
    changeStore: ({ digests, periods }) => ({
      digests,
      periods: {
        ...periods,
        async list(which, count) {
          if (which.open?.[0] === TO_REPORT && which.owner === undefined) throw new Error('killed');
          return periods.list(which, count);
        },
      },
    }),
  });
  await dead.digests.create(adaHere, hourly);
  await dead.passes(millisecondsInHour);
  expect(dead.told).toEqual([]);
  const next = await recording({ dataDir, clock, answer });
  await next.passes(2 * millisecondsInMinute, millisecondsInMinute);
  expect(next.told).toEqual(['The filter is broken.']);
});

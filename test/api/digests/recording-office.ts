import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { DigestNotifier, DueDigest } from '../../../src/api/digests/digests-api.ts';
import type { DigestInput } from '../../../src/model/digest.ts';
import { AppError } from '../../../src/model/error.ts';
import { weekdays } from '../../../src/model/settings.ts';
import { aDigestOffice, type DigestOfficeParts, hourly } from '../../support/digest-office.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An instant by its text. */
export const at = (text: string) => Date.parse(text);
/** Every Monday at nine in Berlin. */
export const weekly: DigestInput = { ...hourly, schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } };
/** Every day at nine in Berlin. */
export const daily: DigestInput = { ...hourly, schedule: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' } };
/** Hours of an office in Berlin, with a holiday on Monday, March 23. */
export const office = {
  id: 101,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: weekdays
    .slice(0, 5)
    .map((weekday) => ({ weekday, start: 9 * millisecondsInHour, end: 17 * millisecondsInHour })),
  holidays: [{ name: 'A holiday', date: '2026-03-23', recurring: false }],
};

const closing: (() => void)[] = [];
/** Closes every office that a test opened; to be called after each. */
export function closeOffices(): void {
  for (const close of closing.splice(0)) close();
}

/** Hours of March 18, as `dues` has them. */
export const hours = (...some: readonly number[]) =>
  some.map((hour) => `2026-03-18T${String(hour).padStart(2, '0')}:00:00.000Z`);

/** The answer of a digest that cannot be given. */
export const brokenFilter = async () => {
  throw new AppError('invalid-value', 'The filter is broken.');
};

/** An office whose notifier writes down what it is given. */
export async function recording(
  parts: Partial<DigestOfficeParts> & {
    readonly deliver?: (...told: Parameters<DigestNotifier['deliver']>) => Promise<unknown>;
    readonly hears?: (owner: string) => boolean;
    /** Slack cannot be reached until `slack.isDown` is false. */
    readonly isDown?: boolean;
  } = {},
) {
  const slack = { isDown: parts.isDown ?? false };
  const clock = parts.clock ?? { now: at('2026-03-18T12:30:00Z') };
  const brought: DueDigest[] = [];
  const told: (string | null)[] = [];
  const opened = await aDigestOffice({
    dataDir: temporaryFolder(),
    clock,
    notifier: {
      principalOf: async (account) => (account === 'U0GONE' ? null : principalOf(account)),
      async deliver(due, keep) {
        if (slack.isDown) throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.');
        const until = await parts.deliver?.(due, keep);
        if (typeof until === 'number') return until;
        brought.push(due);
        return null;
      },
      posted: ({ note }) => (note.ts !== undefined ? 'yes' : note.trying === undefined ? 'no' : 'perhaps'),
      async notifyOwner({ owner }, { message }) {
        const reached = parts.hears?.(owner) ?? true;
        if (reached) told.push(message);
        return reached;
      },
    },
    ...parts,
  });
  let isClosed = false;
  const close = () => {
    if (!isClosed) opened.close();
    isClosed = true;
  };
  closing.push(close);
  return {
    ...opened,
    close,
    clock,
    slack,
    brought,
    told,
    dues: () => brought.map(({ run }) => new Date(run.due).toISOString()),
    /** It is a minute before a weekly digest is due. */
    async tillMonday() {
      clock.now = at('2026-03-23T07:59:00Z');
      await opened.digests.tick();
    },
    /** The clock jumps, and is seen there twice. */
    async jumps(ms: number) {
      clock.now += ms;
      await opened.digests.tick();
      await opened.digests.tick();
    },
    async passes(ms: number, step = 10 * millisecondsInMinute) {
      for (let passed = 0; passed < ms; passed += step) {
        clock.now += step;
        await opened.digests.tick();
        // So long a step would be taken for a jump.
        if (step > 10 * millisecondsInMinute) await opened.digests.tick();
      }
    },
  };
}

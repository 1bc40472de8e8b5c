import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from '#jest';
import { adaHere } from '../../support/digest-office.ts';
import { digestReplicas, periodsIn } from '../../support/digest-replicas.ts';
import { runs } from '../../support/soak.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';

const POST = 'chat.postMessage';

let slack: StandInSlack;
beforeEach(async () => {
  slack = await startStandInSlack();
});
afterEach(() => slack.stop());

/** One thing that goes wrong. */
const faults: readonly (readonly [string, (method: string) => void])[] = [
  ['limit', (method) => slack.faults.rateLimitNext(method, 5)],
  ['break', (method) => slack.faults.breakNext(method, 503)],
  ['break after', (method) => slack.faults.breakAfterNext(method, 500)],
  ['lose', (method) => slack.faults.loseNext(method)],
  ['lose answer', (method) => slack.faults.loseAnswerNext(method)],
];

test.each([
  ['exactly once where Dwell may look', true],
  ['at most once where it may not', false],
])('whatever goes wrong in whatever order, each period comes %s', async (_, mayLook) => {
  const trouble = fc.record({
    fault: fc.constantFrom(...faults.map(([name]) => name)),
    method: fc.constantFrom(POST, 'conversations.history'),
    afterMinutes: fc.integer({ min: 0, max: 90 }),
    jumpMinutes: fc.constantFrom(0, 0, 0, 0, -30, 45, -120),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(trouble, { maxLength: 6 }), async (troubles) => {
      await slack.stop();
      slack = await startStandInSlack();
      if (!mayLook) slack.faults.failNext('conversations.history', 'missing_scope', 10_000);
      const { passes, clock, first, id, close } = await digestReplicas(2, slack);
      for (const { fault, method, afterMinutes, jumpMinutes } of troubles) {
        await passes(afterMinutes * millisecondsInMinute, 5 * millisecondsInMinute);
        faults.find(([name]) => name === fault)?.[1](method);
        clock.now += jumpMinutes * millisecondsInMinute;
      }
      // Long enough for whatever waits.
      await passes(4 * millisecondsInHour, 5 * millisecondsInMinute);
      const sent = (await first.digests.runs(adaHere, id, 100))
        .filter(({ state }) => state === 'sent')
        .map(({ due }) => new Date(due).toISOString().slice(11, 16));
      const periods = periodsIn(slack, 'C0GENERAL');
      expect(new Set(periods).size).toBe(periods.length);
      if (mayLook) {
        expect(sent.toSorted()).toEqual(periods.toSorted());
        expect(slack.playground.messages('D0ADA')).toEqual([]);
      } else {
        expect(periods).toEqual(expect.arrayContaining(sent));
      }
      close();
    }),
    { numRuns: runs(8) },
  );
});

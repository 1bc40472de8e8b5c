import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import { aDigestOffice, adaHere, hourly } from '../../support/digest-office.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DIGESTS = 15;
const POST = 'chat.postMessage';
const clock = { now: 0 };

let slack: StandInSlack;
beforeEach(async () => {
  clock.now = Date.parse('2026-03-18T12:30:00Z');
  slack = await startStandInSlack({ now: () => clock.now, limits: { postBurst: 3 } });
});
afterEach(() => slack.stop());

test('many digests in one channel come within the minute, none of them late, though Slack takes one a second', async () => {
  const { digests, close } = aDigestOffice({
    dataDir: temporaryFolder(),
    clock,
    slack,
    changeDoor: (door) => ({
      ...door,
      async wait(ms) {
        clock.now += Math.ceil(ms);
      },
    }),
  });
  for (let i = 0; i < DIGESTS; i += 1) await digests.create(adaHere, { ...hourly, title: `Digest ${i}` });
  clock.now += millisecondsInHour / 2;
  await digests.tick();
  await digests.tick();
  const messages = slack.playground.messages('C0GENERAL');
  expect(messages).toHaveLength(DIGESTS);
  expect(messages.filter(({ text }) => text.includes('late:'))).toEqual([]);
  expect(clock.now - Date.parse('2026-03-18T13:00:00Z')).toBeLessThan(60_000);
  expect(slack.playground.messages('D0ADA')).toEqual([]);
  expect(slack.calls(POST).length).toBeLessThan(2 * DIGESTS);
  close();
});

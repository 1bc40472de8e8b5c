import { millisecondsInMinute } from 'date-fns/constants';
import type { DigestInput } from '../../src/model/digest.ts';
import type { Instant } from '../../src/model/issue.ts';
import { aDigestOffice, adaHere, type DigestOfficeParts, hourly } from './digest-office.ts';
import type { StandInSlack } from './stand-in-slack.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** When the clocks of replicas begin; the first period of what comes hourly is due half an hour later. */
export const replicasBegin: Instant = Date.parse('2026-03-18T12:30:00Z');

/** As many processes as wanted that post the same digest of Ada's, with one clock. */
export async function digestReplicas(
  count: number,
  slack: StandInSlack,
  { wish = hourly, ...more }: Partial<DigestOfficeParts> & { readonly wish?: DigestInput } = {},
) {
  const dataDir = temporaryFolder();
  const clock = { now: replicasBegin };
  const opened: Awaited<ReturnType<typeof aDigestOffice>>[] = [];
  while (opened.length < count) opened.push(await aDigestOffice({ dataDir, clock, slack, ...more }));
  const [first] = opened;
  if (first === undefined) throw new Error('nobody posts');
  const { id } = await first.digests.create(adaHere, wish);
  // A clock is believed from the second look on.
  for (const { digests } of opened) await digests.tick();
  return {
    id,
    clock,
    first,
    /** Lets time pass, in steps after each of which every process looks for work. */
    async passes(ms: number, step = millisecondsInMinute) {
      for (let passed = 0; passed < ms; passed += step) {
        clock.now += step;
        await Promise.all(opened.map(({ digests }) => digests.tick()));
      }
    },
    lastRun: async () => (await first.digests.get(adaHere, id)).lastRun,
    close() {
      for (const office of opened) office.close();
    },
  };
}

/** Periods whose message stands in a place, by the time they were due, each as often as it stands there. */
export function periodsIn(slack: StandInSlack, channel: string): readonly string[] {
  return slack.playground.messages(channel).flatMap(({ metadata, threadTs }) => {
    const payload = metadata?.event_payload;
    return threadTs === undefined && payload !== null && typeof payload === 'object' && 'run' in payload
      ? [new Date(Number(String(payload.run).split(' ')[1])).toISOString().slice(11, 16)]
      : [];
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import { fine, note, problem } from '../../../cli/finding.ts';
import { dateText } from '../../../time/date-text.ts';
import { isZoneOrOffset } from '../../../time/zones.ts';
import type { Check } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

/** The most (ms) that a clock may be off; leases and signatures depend on it. */
const MAX_OFFSET_MS = 2_000;

/** This machine's clock, compared with those of the services that show theirs. */
export const clockCheck: Check = {
  name: 'Clock',
  needs: [],
  async run(context) {
    const offsets = (await Promise.all(sources(context))).flatMap(({ name, aheadMs }) =>
      aheadMs === null ? [] : [{ name, aheadMs }],
    );
    if (offsets.length === 0)
      return [note('not compared: no database server, Slack or tracker shows its time')];
    const wrong = offsets.filter(({ aheadMs }) => Math.abs(aheadMs) > MAX_OFFSET_MS);
    if (wrong.length === 0) {
      const largest = Math.max(...offsets.map(({ aheadMs }) => Math.abs(aheadMs)));
      return [fine(`within ${secondsText(largest)} of ${offsets.map(({ name }) => name).join(', ')}`)];
    }
    return wrong.map(({ name, aheadMs }) =>
      problem(
        `this machine is ${secondsText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}.`,
        'Set its clock with a time service such as chrony.',
      ),
    );
  },
};

/** The clocks to compare with; one that cannot be read has a finding elsewhere. */
function sources({ store, slack, tracker, now, maxCheckMs }: DoctorContext) {
  const orNull = async (name: string, read: () => Promise<number | null>) => ({
    name,
    // One that is silent does not keep the others from being compared.
    aheadMs: await Promise.race([read().catch(() => null), pause(maxCheckMs / 2, null, { ref: false })]),
  });
  return [
    orNull('the database', async () => {
      const examined = await store();
      return examined?.connections == null ? null : ((await examined.data?.clockOffset(now)) ?? null);
    }),
    orNull('Slack', async () => (await slack())?.aheadMs ?? null),
    orNull('the tracker', async () => (await (await tracker())?.connection.site())?.clockAheadMs ?? null),
  ];
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The time zone of dates without an offset. */
export const zoneCheck: Check = {
  name: 'Time zone',
  needs: ['zone'],
  async run({ config: { timeZone }, settings: { present }, now }) {
    if (!isZoneOrOffset(timeZone))
      return [
        problem(
          `${timeZone} is not a time zone that this Node knows.`,
          'Set TIME_ZONE, such as Europe/Berlin.',
        ),
      ];
    const offset = dateText(now(), 'XXX', timeZone);
    const text = timeZone === 'UTC' ? timeZone : `${timeZone}, now UTC${offset === 'Z' ? '' : offset}`;
    if (present.includes('TIME_ZONE')) return [fine(text)];
    return [note(`${text}, the machine's; set TIME_ZONE if the tracker's server is elsewhere`)];
  },
};

import { fine, note, problem } from '../../../cli/finding.ts';
import { dateText } from '../../../time/date-text.ts';
import { isZoneOrOffset } from '../../../time/zones.ts';
import type { Check } from '../check.ts';

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

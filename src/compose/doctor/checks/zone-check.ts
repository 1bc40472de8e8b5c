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
    const offset = `now UTC${dateText(now(), 'XXX', timeZone).replace('Z', '')}`;
    if (present.includes('TIME_ZONE')) return [fine(`${timeZone}, ${offset}`)];
    return [
      note(
        `${timeZone}, ${offset}, as on this machine. If the tracker's server is elsewhere, set TIME_ZONE.`,
      ),
    ];
  },
};

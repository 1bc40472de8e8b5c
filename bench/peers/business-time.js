import dayjs from 'dayjs';
import businessTime from 'dayjs-business-time';
import { ownJob, tellFound, timed } from '../measure.ts';
import { office } from '../world/office.ts';

/** dayjs-business-time, which knows one calendar, in the zone of the process: TZ has to be that of the office. */
const { starts, spans } = ownJob();
dayjs.extend(businessTime);
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const clock = (ms) => new Date(ms).toISOString().slice(11, 19);
dayjs.setBusinessTime(
  Object.fromEntries(
    names.map((name) => {
      const shifts = office.workingTimes.filter(({ weekday }) => weekday.toLowerCase() === name);
      return [
        name,
        shifts.length === 0
          ? null
          : shifts.map(({ start, end }) => ({ start: clock(start), end: clock(end) })),
      ];
    }),
  ),
);
// Every year's, as far as they can be written one by one.
dayjs.setHolidays(
  Array.from({ length: 30 }, (_, i) =>
    office.holidays.map(({ date }) => `${2005 + i}${date.slice(4)}`),
  ).flat(),
);
for (const [name, span] of Object.entries(spans)) {
  // A year takes milliseconds.
  const some = starts.slice(0, Math.max(5, Math.min(starts.length, Math.round(2e10 / span))));
  let total = 0;
  const times = await timed(() => {
    total = 0;
    for (const start of some) total += dayjs(start).businessTimeDiff(dayjs(start + span), 'minutes');
  });
  tellFound({ name, ...times, queries: some.length, total });
}

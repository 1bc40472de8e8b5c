import { millisecondsInWeek } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Absence } from './absences.ts';
import { type Clock, createClock } from './clock.ts';
import type { Office, OfficeName } from './office.ts';
import { officeHours, type Span } from './office-hours.ts';
import { automation, type Person, type ProjectKey, people, teamOf } from './people.ts';

/** Who is there when. */
export interface Attendance {
  clock(who: string): Clock;
  absenceOf(who: string, at: Instant): Absence | undefined;
  /** The person's first absence of at least `days` days that begins within the span. */
  longAbsence(who: string, within: Span, days: number): Absence | undefined;
  /** The person, or whoever stands in while they are away: the cover, a team mate, at last automation. */
  standIn(who: string, at: Instant): string;
  /** Those of the list who are not away, or the whole list if all are. */
  present(list: readonly Person[], at: Instant): readonly Person[];
  /** Whose turn it is to be called at night and on weekends; turns change weekly. */
  onCall(at: Instant): string;
}

/** Attendance between two UTC midnights; beyond them nobody works. */
export function createAttendance(
  offices: Readonly<Record<OfficeName, Office>>,
  absences: readonly Absence[],
  from: Instant,
  until: Instant,
): Attendance {
  const hours = {
    Berlin: officeHours(offices.Berlin, from, until),
    'New York': officeHours(offices['New York'], from, until),
  };
  const byPerson = Map.groupBy(absences, ({ who }) => who);
  const clocks = new Map(
    people.map(({ id, office }) => [id, createClock(outside(hours[office], byPerson.get(id) ?? []))]),
  );
  const always = createClock([{ from: from - millisecondsInWeek, until }]);

  const absenceOf = (who: string, at: Instant) =>
    byPerson.get(who)?.find((absence) => absence.from <= at && at < absence.until);
  const away = (who: string, at: Instant) => absenceOf(who, at) !== undefined;
  const desk = teamOf('OPS', 'lead', 'maker');

  return {
    clock: (who) => clocks.get(who) ?? always,
    absenceOf,
    longAbsence: (who, within, days) =>
      byPerson
        .get(who)
        ?.find(
          (absence) =>
            absence.from >= within.from &&
            absence.from < within.until &&
            absence.until - absence.from >= days * (millisecondsInWeek / 7),
        ),
    standIn: (who, at) => {
      const cover = absenceOf(who, at)?.cover;
      if (cover === undefined) return who;
      const mates = teamOf(projectOf(who), 'lead', 'maker', 'tester').map(({ id }) => id);
      return [cover, ...mates].find((id) => !away(id, at)) ?? automation.id;
    },
    present: (list, at) => {
      const there = list.filter(({ id }) => !away(id, at));
      return there.length > 0 ? there : list;
    },
    onCall: (at) => {
      const turn = Math.floor(at / millisecondsInWeek);
      const order = desk.map((_, i) => desk[(turn + i) % desk.length]?.id ?? automation.id);
      return order.find((id) => !away(id, at)) ?? automation.id;
    },
  };
}

function projectOf(who: string): ProjectKey {
  return people.find(({ id }) => id === who)?.project ?? 'OPS';
}

/** The spans that do not touch any of the others; absences begin and end at night, so none is touched in part. */
function outside(spans: readonly Span[], others: readonly Span[]): Span[] {
  return spans.filter((span) => !others.some((other) => span.from < other.until && other.from < span.until));
}

import { millisecondsInDay, millisecondsInHour, millisecondsInWeek } from 'date-fns/constants';
import { createAnswers } from '../../src/api/answers/create-answers.ts';
import type { ForecastQuestion } from '../../src/api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../src/api/answers/forecast/forecast-kind.ts';
import { normalHoursDefinition } from '../../src/api/settings/local-settings.ts';
import { inMemory } from '../../src/cache/namespace.ts';
import { createMemoryMirror } from '../../src/mirror/create-mirrors.ts';
import { AppError } from '../../src/model/error.ts';
import type { Instant } from '../../src/model/issue.ts';
import type { Tracker } from '../../src/trackers/tracker.ts';
import { localReporting } from '../../test/support/local-reporting.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import { office } from '../world/office.ts';

/** A forecast of the past, and what came of it. */
export interface Replayed {
  /** Weeks with finished issues that it is made from. */
  readonly weeks: number;
  /** A change of throughput was said. */
  readonly isDoubted: boolean;
  /** By chance (50, 85, 95%): the issues were finished by the date, or were so many; null while that is unknown. */
  readonly held: readonly boolean[] | null;
}

/** A form of the question: a number of issues, or the issues of four weeks. */
export type Form = Pick<ForecastQuestion, 'issues' | 'calendar'>;

const ZONE = 'Europe/Berlin';
const AHEAD_DAYS = 28;
const admin = principalOf('bench', 'admin');
const calendars = [{ ...office, id: 1 }];

/** What doors ask, over the issues of a tracker as of any instant up to one. */
export function askForecasts(tracker: Tracker, end: Instant) {
  const now = () => end;
  const reporting = localReporting(createMemoryMirror(tracker, now), now, { calendars });
  const unused = () => Promise.reject(new AppError('unsupported-by-service', 'Not part of a forecast.'));
  const delegations = new Proxy({}, { get: () => unused });
  const answers = createAnswers({
    reporting,
    // Forecasts take no delegations.
    delegations: delegations as never,
    userName: unused,
    userZone: unused,
    knowsUsers: unused,
    readSaved: unused,
    reasonsFor: unused,
    calendars: async () => [normalHoursDefinition, ...calendars],
    tracker: async () => tracker.name,
    stored: inMemory,
    now,
    newId: () => '',
  });
  const forecast = async (project: string, more: Partial<ForecastQuestion>, asOf: Instant) => {
    const selection = { by: 'project', project } as const;
    const question: ForecastQuestion = {
      kind: 'forecast',
      selection,
      calendar: 'normalHours',
      timeZone: ZONE,
      ...more,
    };
    return (await answers.ask(forecastKind, admin, question, asOf)).value;
  };
  return { reporting, forecast };
}

/**
 * Asks for a forecast at Tuesday noon (UTC) of each week up to an instant, as of then, and compares it with what was finished
 * since. One counts once its last date is over, so that early and late ends count alike.
 */
export async function replay(
  tracker: Tracker,
  {
    project,
    begin,
    end,
    forms,
  }: {
    readonly project: string;
    readonly begin: Instant;
    readonly end: Instant;
    readonly forms: readonly Form[];
  },
): Promise<readonly Replayed[]> {
  const { reporting, forecast } = askForecasts(tracker, end);
  const first =
    Math.floor(begin / millisecondsInWeek) * millisecondsInWeek +
    5 * millisecondsInDay +
    12 * millisecondsInHour;
  const instants = Array.from(
    { length: Math.ceil((end - first) / millisecondsInWeek) },
    (_, i) => first + i * millisecondsInWeek,
  );
  const bounds = [...new Set([...instants, ...midnights(begin, end), end])].sort((a, b) => a - b);
  const { spans } = await reporting.finishedSpans({
    principal: admin,
    selection: { by: 'project', project },
    dateRange: null,
    asOf: end,
    calendar: 'normalHours',
    bounds,
  });
  const all = spans.map(({ start, finished }) => ({ start, date: dateIn(start), finished }));
  const last = all.at(-1)?.date ?? '';
  const replayed: Replayed[] = [];
  for (const asOf of instants) {
    const later = all.filter(({ start }) => start >= asOf);
    for (const form of forms) {
      const until = form.issues === undefined ? dateIn(asOf + AHEAD_DAYS * millisecondsInDay) : null;
      if (until !== null && until >= last) continue;
      const value = await forecast(project, until === null ? form : { ...form, until }, asOf);
      if (value.refused !== null) continue;
      const held = value.percentiles.map(({ date, issues }) => {
        const by = until ?? date ?? '';
        const count = later.filter((day) => day.date <= by).reduce((sum, { finished }) => sum + finished, 0);
        return count >= (issues ?? form.issues ?? 0);
      });
      const isOver = until !== null || value.percentiles.every(({ date }) => date !== null && date < last);
      replayed.push({
        weeks: value.weeks.filter(({ finished }) => finished > 0).length,
        isDoubted: value.change !== null,
        held: isOver ? held : null,
      });
    }
  }
  return replayed;
}

/** The instants between two others at which a day of the zone begins, by the clocks of Node and not by ours. */
function midnights(from: Instant, to: Instant): readonly Instant[] {
  const all: Instant[] = [];
  const hour = (at: Instant) => Math.ceil(at / millisecondsInHour) * millisecondsInHour;
  for (let at = hour(from); at < to; at += millisecondsInHour)
    if (dateIn(at) !== dateIn(at - millisecondsInHour)) all.push(at);
  return all;
}

const dates = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' });

function dateIn(at: Instant): string {
  return dates.format(at);
}

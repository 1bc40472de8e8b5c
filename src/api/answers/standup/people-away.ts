import type { Absence } from '../../../model/delegation.ts';
import { nullOn } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask } from '../../../model/request.ts';
import { isoDay } from '../../../time/date-text.ts';
import { dayAt, firstInstantFrom } from '../../../time/wall-clock.ts';
import { isTimeZone } from '../../../time/zones.ts';
import { namedIssue } from '../../outcomes/read-table.ts';
import { type AgingInput, readOpen } from '../figures/aging-figures.ts';
import type { AnswerContext } from '../question-kind.ts';
import { type AwayPerson, MAX_LISTED, type Standup } from './standup-answer.ts';

/**
 * The people who are away as of an answer and have started issues, as far as the principal can view delegations: those for whom no one
 * covers first, then those with the most issues.
 */
export async function peopleAway(
  { selection, calendar, timeZone }: Omit<AgingInput, 'assignees' | 'backlog'>,
  context: AnswerContext,
): Promise<Pick<Standup, 'away' | 'coverShown' | 'isCoverForAll'>> {
  const { principal, asOf, parts } = context;
  const { delegations } = parts;
  const right = await delegations.rightOf(principal);
  const isCoverForAll = ['all', 'edit'].includes(await delegations.rightOfEveryone());
  // A store of delegations that has no lists, or cannot be reached, does not show who is away.
  const silent = nullOn('unavailable', 'service-too-old');
  const absences = right === 'none' ? [] : await delegations.absences(principal, asOf).catch(silent);
  const coverShown = absences === null ? 'unknown' : right === 'all' || right === 'edit' ? 'all' : 'own';
  const people = absences?.map(({ person }) => person) ?? [];
  if (absences === null || people.length === 0)
    return { away: { count: 0, people: [] }, coverShown, isCoverForAll };
  const issuesOf = await startedIssues(people, { selection, calendar }, context);
  const categories = new Map((await delegations.categories(principal)).map(({ id, name }) => [id, name]));
  const named = async (id: string) => ({ id, name: (await parts.userName(id)) ?? id });
  const waiting = absences
    .map((absence) => ({ ...absence, issues: issuesOf(absence.person) }))
    .filter(({ issues }) => issues.length > 0)
    .toSorted((a, b) => Number(isCovered(a)) - Number(isCovered(b)) || b.issues.length - a.issues.length);
  const away: AwayPerson[] = [];
  for (const { person, until, covers, issues } of waiting.slice(0, MAX_LISTED))
    away.push({
      person: await named(person),
      until,
      lastDay: lastDayOf(until, [await parts.userZone(person), timeZone]),
      covers: await Promise.all(
        covers.map(async ({ categoryId, delegates }) => ({
          category: categoryId === null ? null : (categories.get(categoryId) ?? `category ${categoryId}`),
          delegates: delegates === null ? null : await Promise.all(delegates.map(named)),
        })),
      ),
      waiting: { count: issues.length, issues: issues.slice(0, MAX_LISTED) },
      canBeSet: right === 'edit' || person === principal.account,
    });
  return { away: { count: waiting.length, people: away }, coverShown, isCoverForAll };
}

/** Someone covers for all work. */
function isCovered({ covers }: Absence): boolean {
  return covers.some(({ categoryId }) => categoryId === null);
}

/** The day (yyyy-MM-dd) at whose end an absence ends in one of some zones; null where it ends within a day. */
function lastDayOf(until: Instant, zones: readonly (string | null)[]): string | null {
  for (const zone of zones) {
    if (zone === null || !isTimeZone(zone)) continue;
    if (firstInstantFrom(dayAt(until, zone), zone) === until) return isoDay(dayAt(until - 1, zone));
  }
  return null;
}

/** The started issues of some people, the oldest first, then those of which the age is unknown. */
async function startedIssues(
  people: readonly string[],
  { selection, calendar }: Pick<AgingInput, 'selection' | 'calendar'>,
  context: AnswerContext,
): Promise<(person: string) => AwayPerson['waiting']['issues']> {
  const { principal, asOf, parts } = context;
  const open = await readOpen({ selection, calendar, assignees: people, backlog: 'out' }, context);
  const indexes = open.groups.flatMap((group) => Array.from(group.ages, (_, index) => ({ group, index })));
  const aged = (await open.issues(indexes)).filter(({ flow }) => flow !== null);
  const request = ask({
    principal,
    asOf,
    reportType: reportIds.statusCount,
    selection: { by: 'keys', keys: open.unknown },
    fields: ['assignee'],
  });
  const ageless = open.unknown.length === 0 ? [] : (await parts.reporting.report(request)).issues;
  const all = [...aged.toSorted((a, b) => b.ageMs - a.ageMs), ...ageless.map(namedIssue)];
  const byPerson = Map.groupBy(all, ({ assignee }) => assignee?.id ?? '');
  return (person) => byPerson.get(person)?.map(({ key, summary, link }) => ({ key, summary, link })) ?? [];
}

import { millisecondsInDay } from 'date-fns/constants';
import { memo } from '../../cache/namespace.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Directory, Sprint } from '../../model/directory.ts';
import type { Change, FieldContent, FieldValue, Instant, Issue } from '../../model/issue.ts';
import { compareIds } from '../../model/issues/ids-and-names.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { isoDay, months, weekdays } from '../../time/date-text.ts';
import { dayOf, isWeekday, weekdayOf, yearOf } from '../../time/wall-clock.ts';
import type { Tracker, TrackerEntry } from '../tracker.ts';
import { blockIssues } from './block-issues.ts';
import { company } from './company.ts';
import { type Draft, type Edit, simulateIssues } from './issue-life.ts';
import { createRandom } from './random.ts';
import { createWorld, localMidnight, type World } from './sample-world.ts';

/**
 * The entries of the sample of a seed, a day and a site. Those of a few days are kept, because a test or a bench may go from
 * one to the other.
 */
const entriesOf = memo((key: string): AsyncIterable<TrackerEntry> => {
  const [seed, today, site] = JSON.parse(key);
  const { directory, issues } = generateSample({ seed, today });
  const entries: TrackerEntry[] = [
    { kind: 'statuses', statuses: company.statuses, list: 'sample' },
    { kind: 'users', users: company.users },
    { kind: 'directory', part: directory },
    ...issues.map((issue): TrackerEntry => {
      const link = site === null ? {} : { link: `${site}/browse/${issue.key}` };
      return { kind: 'issue', issue: { ...issue, ...link } };
    }),
  ];
  return {
    async *[Symbol.asyncIterator]() {
      yield* entries;
    },
  };
}, 4);

/** A tracker whose company is made up for the day of `now`, the same at any time of that day. */
export function createSampleTracker(options: {
  readonly seed?: number;
  readonly now: () => Instant;
  /** The address of pages of issues, without a slash at the end; absent: there are none. */
  readonly site?: string | null;
}): Tracker {
  const { seed = 7, now, site = null } = options;
  return {
    name: 'sample',
    entries: () => entriesOf(JSON.stringify([seed, dayOf(now()), site])),
  };
}

/** The number of entries of an old issue that the help desk kept. */
const KEPT = 2;
const doneIds = new Set(company.statuses.flatMap(({ id, category }) => (category === 'Done' ? id : [])));

/**
 * An invented company and its work, as a tracker would know it, and the world they were made from: the same for the
 * same seed and day on every machine. `today` is a UTC midnight; everything lies before it. Within a calendar month a
 * later day only adds to what an earlier one showed. Issues are by creation; keys are dense per project.
 */
export function generateSample({ seed, today }: { readonly seed: number; readonly today: Instant }) {
  const world = createWorld(seed, today);
  const drafts = blockIssues(simulateIssues(world), world);
  // Entry ids rise with time over all issues, as if one database had handed them out.
  const edits = drafts.flatMap((one) => one.edits).sort((a, b) => a.at - b.at);
  const entryOf = new Map(edits.map((edit, i) => [edit, String(10_001 + i)]));
  let toCut = 4;
  const issues = drafts.map((draft): Issue => {
    const issue = buildIssue(draft, entryOf);
    const entries = [...new Set(issue.changes.map(({ entry }) => entry))];
    if (toCut === 0 || draft.project !== 'OPS' || issue.status.id !== '6' || entries.length <= KEPT)
      return issue;
    toCut -= 1;
    // Another tracker would have kept only this of the issue.
    const changes = issue.changes.filter(({ entry }) => entries.slice(-KEPT).includes(entry));
    const reason = `moved in from ${company.name}'s old help desk, which kept only its last ${changes.length} changes`;
    const unknownUntil = changes[0]?.at ?? null;
    return { ...issue, changes, history: { complete: false, unknownFrom: null, unknownUntil, reason } };
  });
  return { issues, directory: describeCompany(world), world };
}

/** The issue after all its edits; each change comes from what the edits before it left, so the history fits. */
function buildIssue(draft: Draft, entryOf: ReadonlyMap<Edit, string>): Issue {
  const { project, number, at: created } = draft;
  const fields: Record<string, FieldContent> = { ...draft.first };
  const valueIn = (field: string) => nameContent(fields[field] ?? null);
  const changes: Change[] = [];
  let resolved: Instant | null = null;
  for (const edit of draft.edits) {
    const { at, by } = edit;
    let item = 0;
    for (const [field, content] of Object.entries(edit.contents)) {
      const [from, to] = [valueIn(field), nameContent(content)];
      if (from?.id === to?.id) continue;
      changes.push({ entry: entryOf.get(edit) ?? '', item, at, field, from, to, by });
      item += 1;
      fields[field] = content;
    }
    resolved = doneIds.has(valueIn('status')?.id ?? '') ? (resolved ?? at) : null;
  }
  const updated = changes.at(-1)?.at ?? created;
  Object.assign(fields, { created, updated, resolutiondate: resolved });
  const { id, name } = company.projects[project];
  return {
    key: `${project}-${number}`,
    project: { id, name },
    summary: valueIn('summary')?.name ?? '',
    created,
    updated,
    resolved,
    status: valueIn('status') ?? { id: '', name: '' },
    assignee: valueIn('assignee'),
    fields,
    changes,
    history: { complete: true },
  };
}

/** The name of content in a change: several values are joined in order, as the engine joins them. */
function nameContent(content: FieldContent): FieldValue | null {
  if (content === null || typeof content === 'string' || typeof content === 'number')
    return content === null ? null : { id: String(content), name: String(content) };
  if ('id' in content) return content;
  const sorted = content.toSorted((a, b) => compareIds(a.id, b.id));
  const joined = (part: 'id' | 'name') => sorted.map((one) => one[part]).join(', ');
  return content.length === 0 ? null : { id: joined('id'), name: joined('name') };
}

/** Ids of delegations stay below 100,001, where those begin that were set in Dwell: for 166 years. */
const SLOTS = 50;
const FIRST_STANDING = 21;
const FIRST_YEAR = 2000;

/** The directory beside the issues, as of today; the well-known names of priorities give their order. */
export function describeCompany(world: World): Omit<Directory, 'priorities' | 'versions'> {
  const { sprints, offices, from, today } = world;
  return {
    sprints: sprints.map(({ value, start, end }): Sprint => {
      const state = end <= today ? 'closed' : start <= today ? 'active' : 'future';
      return { ...value, state, start, end, completed: state === 'closed' ? end : null, board: '1' };
    }),
    ...company.directory,
    calendars: Object.values(offices),
    parameterSets: company.parameterSets.map((set) => ({ ...set, createdAt: from, updatedAt: from })),
    categories: company.categories,
    delegations: [...vacationDelegations(world), ...standingDelegations(world)].sort((a, b) => a.id - b.id),
  };
}

/**
 * The delegations for vacations: one person covers everything. No person has two vacations that begin in one month, so
 * the person's place in the company's list is the slot of the id.
 */
function vacationDelegations({ absences, offices }: World): Delegation[] {
  return absences.flatMap(({ who, start, end, cover, reason }) => {
    const index = company.people.findIndex(({ id }) => id === who);
    const person = company.people[index];
    if (reason !== 'vacation' || person === undefined) return [];
    const id = monthOf(localDay(start)) * SLOTS + index + 1;
    const note = createRandom('note', id).pick(company.vacationNotes);
    const notes = note.replace('{day}', dayOfReturn(offices[person.office], localDay(end)));
    // Bob always covers for Ada, so that the delegate of her expenses is the same on any day.
    const delegates = [who === 'ada' ? 'bob' : cover];
    return { id, version: 1, active: true, delegator: who, delegates, categoryIds: [], start, end, notes };
  });
}

/** The first day of work from a day on, such as Monday 7 September. */
function dayOfReturn({ holidays }: CalendarDefinition, from: number): string {
  let day = from;
  while (!isWeekday(day) || holidays.some(({ date }) => date === isoDay(day))) day += millisecondsInDay;
  const date = new Date(day);
  return `${weekdays[weekdayOf(day)]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** Every standing arrangement that touches the time that is shown, the same from whatever day it is looked at. */
function standingDelegations({ from, plannedUntil }: World): Delegation[] {
  return company.standing.flatMap(({ everyMonths, fromDay, until, ...arrangement }, i) => {
    const { delegator, delegates, category, notes, active = true } = arrangement;
    const what = { version: 1, active, delegator, delegates, categoryIds: [category] };
    const shown: Delegation[] = [];
    for (let month = monthOf(from) - everyMonths; month <= monthOf(plannedUntil); month += 1) {
      const berlin = (later: number, day: number) =>
        localMidnight('Europe/Berlin', Date.UTC(FIRST_YEAR, month + later, day));
      const [start, end] = [berlin(0, fromDay), berlin(until.monthsLater, until.day)];
      if (month % everyMonths !== 0 || end <= from || start >= plannedUntil) continue;
      const id = month * SLOTS + FIRST_STANDING + i;
      shown.push({ id, ...what, start, end, notes });
    }
    return shown;
  });
}

/** Months are counted from January 2000. */
const monthOf = (day: number) => (yearOf(day) - FIRST_YEAR) * 12 + new Date(day).getUTCMonth();

/** The UTC midnight of the date that begins with a local midnight. */
const localDay = (midnight: number) => dayOf(midnight + millisecondsInDay / 2);

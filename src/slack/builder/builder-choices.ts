import type { ParameterSet } from '../../model/parameter-set.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import { questionKinds } from '../../questions/index.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import type { Choice } from '../app/handler-types.ts';
import { capitalized } from '../app/show-failure.ts';

/** Questions beside the report types. */
export const ownReports: readonly Choice[] = questionKinds.flatMap(({ kind, builderTitle }): Choice[] =>
  typeof builderTitle === 'string' ? [[builderTitle, kind]] : [],
);

const periods = ['week', 'month', 'quarter', 'year'].flatMap((one) => [`this ${one}`, `last ${one}`]);
const moving = ['last 7 days', 'last 30 days', 'last 90 days', ...periods];

/** Ranges of time by the words of `/tis`. */
export const ranges: readonly Choice[] = [
  ['Any time', 'any'],
  ...moving.map((words): Choice => [capitalized(words), words]),
  ['Between two days…', 'dates'],
];

/** Which date a range is about. */
export const dateFields: readonly Choice[] = [
  ['Resolved', 'resolved'],
  ['Created', 'created'],
  ['Updated', 'updated'],
];

/** Statistics by the words of `/tis`. */
export const statistics: readonly Choice[] = [
  ['Average', 'average'],
  ['Median', 'median'],
  ['85th percentile', 'p85'],
  ['Sum', 'sum'],
  ['Standard deviation', 'standard deviation'],
  ['List of issues', 'list'],
];

/** What a modal carries is limited: so many projects, or people, at most. */
export const MOST_CHOSEN = 6;

/** More fields to group by at once make tiny groups. */
export const MOST_GROUPS = 3;

/** Fields people group by most; any other is found by typing its name. */
export const usualFields: readonly Choice[] = [
  ['Project', 'project'],
  ['Issue type', 'issuetype'],
  ['Priority', 'priority'],
  ['Assignee', 'assignee'],
  ['Reporter', 'reporter'],
  ['Status', 'status'],
  ['Resolution', 'resolution'],
  ['Components', 'components'],
  ['Labels', 'labels'],
  ['Fix versions', 'fixVersions'],
  ['Affects versions', 'versions'],
  ['Parent', 'parent'],
];

/** Calendars by name; the built-in one says what it is. */
export function calendarChoices(calendars: readonly CalendarDefinition[]): readonly Choice[] {
  return calendars.map((one) => [one.id === null ? '24/7' : one.name, calendarIdOf(one)]);
}

/** Parameter sets by name, with whose they are. */
export function savedChoices(sets: readonly ParameterSet[]): readonly Choice[] {
  return sets.map(({ id, name, public: isPublic }) => [isPublic ? `${name} (public)` : name, id]);
}

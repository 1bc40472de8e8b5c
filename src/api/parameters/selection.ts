import type { z } from 'zod';
import { about, badRequest, badRequestAs } from '../../model/error.ts';
import { type DateRange, dateRangeFields, type Selection } from '../../model/request.ts';
import { localEnd, localTime } from './dates.ts';
import { oneOf, text } from './parameter.ts';

/** The parameters that choose the issues of a list, without those of dates. */
export const issueFilterParameters = {
  filterType: oneOf(['user', 'project', 'jqlfilter', 'customjql', 'sprint'], { advanced: 'jqlfilter' }).meta({
    description: 'How issues are chosen; each value asks for the parameter that belongs to it.',
    examples: ['project'],
  }),
  user: text.optional().meta({
    description: 'With filterType user: a user id. Issues that are, or ever were, assigned to that user.',
  }),
  projectKey: text
    .optional()
    .meta({ description: 'With filterType project: the key of a project.', examples: ['WEB'] }),
  jqlFilterID: text
    .optional()
    .meta({ description: 'With filterType jqlfilter (or advanced): the id of a saved filter.' }),
  customjql: text.optional().meta({ description: 'With filterType customjql: JQL.' }),
  sprintID: text.optional().meta({ description: 'With filterType sprint: the id of a sprint.' }),
};

/** The parameters that choose the issues of a list. */
export const selectionParameters = {
  ...issueFilterParameters,
  startDate: text.optional().meta({
    description:
      'Only issues whose date (dateRangeField) is not before this one: yyyy-MM-dd or yyyy-MM-dd HH:mm in the time zone of the user.',
  }),
  endDate: text.optional().meta({
    description:
      'Only issues whose date is before this one. A date without a time includes that whole day; one with a time ends at that very minute.',
  }),
  dateRangeField: oneOf(dateRangeFields, {
    resolution: 'resolved',
    resolutiondate: 'resolved',
  })
    .default('created')
    .meta({
      description: 'The date that startDate and endDate are about. finished: when an issue last became done.',
    }),
};

type Input = z.output<z.ZodObject<typeof selectionParameters>>;

/** The parameter that belongs to each type of filter. */
export const companions = {
  user: 'user',
  project: 'projectKey',
  jqlfilter: 'jqlFilterID',
  customjql: 'customjql',
  sprint: 'sprintID',
} as const;

/** The choice of issues; the parameter that belongs to the type of filter must be there. */
export function readSelection({
  filterType,
  ...values
}: z.output<z.ZodObject<typeof issueFilterParameters>>): Selection {
  const companion = companions[filterType];
  const value = values[companion];
  if (value === undefined) {
    throw badRequestAs('missing-value', about(companion, `is required with filterType ${filterType}.`));
  }
  switch (filterType) {
    case 'user':
      return { by: 'user', user: value };
    case 'project':
      return { by: 'project', project: value };
    case 'jqlfilter':
      return { by: 'savedFilter', id: value };
    case 'customjql':
      return { by: 'jql', jql: value };
    case 'sprint':
      return { by: 'sprint', id: value };
  }
}

/** The dates that JQL, which compares them, can write; no tracker is older. */
const EARLIEST = Date.UTC(1900, 0, 2);
const LATEST = Date.UTC(2999, 11, 31);

/** The span of dates, read in a zone; null where neither end is given. */
export function readDateRange(
  { startDate, endDate, dateRangeField: field }: Pick<Input, 'startDate' | 'endDate' | 'dateRangeField'>,
  timeZone: string,
): DateRange | null {
  const from = startDate === undefined ? null : localTime('startDate', startDate, timeZone);
  const to = endDate === undefined ? null : localEnd('endDate', endDate, timeZone);
  for (const [name, given, at] of [
    ['startDate', startDate, from],
    ['endDate', endDate, to],
  ] as const) {
    if (at !== null && (at < EARLIEST || at > LATEST)) {
      throw badRequest(about(name, `'${given}' is out of reach. Try: dates from 1900 to 2999.`));
    }
  }
  if (from !== null && to !== null && to <= from) {
    throw badRequestAs(
      'conflicting-values',
      about('endDate', `'${endDate}' is not after startDate '${startDate}'.`),
    );
  }
  return from === null && to === null ? null : { field, from, to };
}

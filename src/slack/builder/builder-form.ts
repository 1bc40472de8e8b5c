import { z } from 'zod';
import { dateRangeFields } from '../../model/request.ts';
import { questionKinds } from '../../questions/index.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import { formats } from '../../questions/parse/typed-words.ts';
import type { Place } from '../command.ts';

/** Where the answer goes: told privately where the builder was opened, or a file of this format posted there. */
export const targets = ['here', ...formats] as const;

/** All but the filter: what the modal carries, so that nothing chosen is lost while it is not shown. */
export const keptSchema = z.object({
  place: z.object({ channel: z.string(), threadTs: z.string().nullable() }),
  /** Counts how often the fields were filled anew: Slack keeps what was entered in a field that has the same id. */
  filled: z.number(),
  /** A report type's id, or `weekly` or `aging`. */
  report: z.string(),
  /** The last whole one, the running one, or an instant that lies in the same ISO week on every clock. */
  week: z.union([z.enum(['last', 'this']), z.number()]),
  /** As `/tis` takes it, such as `last 30 days`; or `any`, or `dates`. */
  range: z.string(),
  dateField: z.enum(dateRangeFields),
  /** yyyy-MM-dd; empty where that end is open. */
  from: z.string(),
  to: z.string(),
  /** Fields by id or name. */
  groupBy: z.array(z.string()).readonly(),
  /** As `/tis` takes it, such as `p85` or `list`. */
  statistic: z.string(),
  /** A calendar's id, or `normalHours`. */
  calendar: z.string(),
  target: z.enum(targets),
  saveAs: z.string(),
  isPublic: z.boolean(),
  /** The id of the parameter set it was filled from; empty where it was not. */
  saved: z.string(),
  /** The first names of parameters of that set which the form has no field for, shortened; and how many more there are. */
  untold: z.array(z.string()).readonly(),
  moreUntold: z.number(),
  /** Whether the filter it was filled with was too long for its field, and nothing has been entered instead. */
  filterLeftOut: z.boolean(),
});

/** What the report builder holds. */
export type BuilderForm = Readonly<z.output<typeof keptSchema>> & {
  /** As it would stand behind `/tis`. */
  readonly filter: string;
};

/** What is asked most, of the hours of here. */
export function newForm(place: Place, { calendar }: Hours): BuilderForm {
  return {
    place,
    filled: 0,
    report: 'statusDuration',
    filter: '',
    week: 'last',
    range: 'last 30 days',
    dateField: 'created',
    from: '',
    to: '',
    groupBy: [],
    statistic: 'average',
    calendar,
    target: 'here',
    saveAs: '',
    isPublic: false,
    saved: '',
    untold: [],
    moreUntold: 0,
    filterLeftOut: false,
  };
}

/** Whether the form asks for a report over issues, which has dates, groups and statistics and can be saved. */
export function isReport({ report }: Pick<BuilderForm, 'report'>): boolean {
  return questionKinds.every(({ kind, builderTitle }) => kind !== report || builderTitle === undefined);
}

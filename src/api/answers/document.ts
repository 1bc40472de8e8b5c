import { millisecondsInHour } from 'date-fns/constants';
import { z } from 'zod';
import type { Unknowns } from '../../model/answer.ts';
import { workKinds } from '../../model/flow.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarFacts, Provenance } from '../../model/table.ts';
import { type DeepReadonly, isoInstant, mapped } from '../../output/encode.ts';
import { dataEndsBefore } from '../outcomes/read-table.ts';

/**
 * Parts of the schemas of answers. A schema takes the value of an answer as the code has it and makes its JSON, which
 * is the same over REST, for assistants and in files: instants are ISO 8601 in UTC, durations whole milliseconds under a
 * name that ends in `Ms`, and null is what is unknown or never was. Members that a schema does not name, such as whose
 * rights an answer was given with, never reach JSON.
 */

/** The key of the description that assistants are sent, who pay for each character. */
export const briefMark = 'x-brief';

/** A schema with a description, and the same in a few words for assistants, or none where the name says it. */
export function described<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  brief: string,
): Schema {
  return schema.meta({ description, [briefMark]: brief });
}

/** The value that a schema takes. */
export type ValueOf<Schema> = DeepReadonly<z.input<Schema>>;

/** A duration. A mean has a fraction of a millisecond in the value, and none in JSON. */
export const ms = mapped((duration: number) => Math.round(duration) + 0, z.int());

/** A number of something; null where it is unknown. */
export const countOrNull = z.number().nullable();

/** Statistics of durations; null where there are none. */
export const durationStatistics = z
  .object({
    count: z.int(),
    averageMs: ms.nullable(),
    medianMs: ms.nullable(),
    p85Ms: ms.nullable(),
    deviationMs: ms.nullable().meta({ description: 'Of the population.' }),
  })
  .meta({ id: 'DurationFigures' });

/** A figure of a week beside that of the week before and of the eight weeks before. */
export function compared<Figure extends z.ZodType>(figure: Figure, ofEight?: string) {
  const eightWeeks = ofEight === undefined ? figure : figure.meta({ description: ofEight });
  return z.object({ week: figure, weekBefore: figure, eightWeeks });
}

/** A workflow status that figures are of. */
export const status = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(['To Do', 'In Progress', 'Done', 'Undefined']),
});

/** The same with what it counts as in the flow of its project. */
export const statusOfWork = status.extend({
  kind: described(
    z.enum(workKinds),
    'What the status counts as in the flow of the project: before the start (queue), active, waiting, done; unknown: no one has said.',
    '',
  ),
});

/** Members of an issue that is named; `link` is null where its address is unknown. */
export const issueMembers = { key: z.string(), summary: z.string(), link: z.string().nullable() };

/** A user of the tracker; the id is null where it is unknown which one has the name. */
export const person = z.object({ id: z.string().nullable(), name: z.string() });

/** Issues that a figure leaves out, and why. */
export const leftOut = z.array(z.object({ key: z.string(), reason: z.string() }).meta({ id: 'LeftOut' }));

/** The members of an answer that name the issues of which something is unknown. */
export const unknownMembers = {
  doneSinceUnknown: described(
    leftOut,
    'Issues that are done and may have been finished in the time asked about; since when is unknown, and why.',
    'Done, since when is unknown.',
  ),
  unclear: leftOut.meta({ description: 'Unknown if open or done.' }),
  statusesWithoutCategory: described(
    z.array(z.string()),
    'Statuses that the issues were in and whose category is unknown; with any, complete is false.',
    'Then complete is false.',
  ),
};

/** The calendar that counted, by the names of the time-in-status service. */
export const calendarUsed = mapped(
  ({ id, name, timeZone, dailyMs, continuous }: CalendarFacts) => ({
    id,
    name,
    timeZone,
    dailyWorkingHours: dailyMs / millisecondsInHour,
    is7x24Calendar: continuous,
  }),
  z.object({
    id: z.int().nullable(),
    name: z.string(),
    timeZone: z.string(),
    dailyWorkingHours: z.number(),
    is7x24Calendar: z.boolean(),
  }),
);

/** The members with which every answer begins: how far its figures can be trusted. */
export const factMembers = {
  timeZone: described(
    z.string(),
    'The zone in which dates of the question were read.',
    'Of the dates asked with.',
  ),
  calendar: calendarUsed.meta({ description: 'The working calendar; is7x24Calendar: 24/7.' }),
  asOf: isoInstant.meta({ description: 'The figures are as of this time.' }),
  askedAt: isoInstant.meta({ description: 'When it was asked.' }),
  dataAsOf: isoInstant.nullable().meta({ description: 'Time of the last sync; null if computed live.' }),
  dataEnds: described(
    isoInstant.nullable(),
    'Where the data ends, if that is before the end of the time asked about: later changes are missing. Null: it is not.',
    'Where the data ends, if before the time asked about.',
  ),
  complete: described(
    z.boolean(),
    'Whether every history is complete, no issue was left out, and the category of every status is known.',
    'Every history is whole, no issue left out, each category known.',
  ),
  issueCount: z.int().meta({ description: 'Issues counted.' }),
  cutHistories: z.int().meta({ description: 'How many of them have a cut history.' }),
  undecided: described(
    z.int(),
    'Issues left out because it is unknown whether they match the filter: their history is cut, or Jira cannot show them.',
    'Left out: unknown whether they match the filter.',
  ),
  unaskedIssues: described(
    z.int(),
    'Issues left out because your permission to see them could not be checked in the tracker.',
    'Left out: permission not checked.',
  ),
  notes: z.array(z.string()).meta({ description: 'Remarks.' }),
  assumedCategories: described(
    z.array(status),
    'Statuses that the issues were in whose category is assumed, as the tracker gives none; an admin can set it.',
    'The tracker gives none for them.',
  ),
  flows: described(
    z.array(z.object({ project: z.string(), changedAt: isoInstant })),
    'Flows that were set for projects of the answer, and when they last changed; all time is measured by them.',
    'Set for its projects; all time is measured by them.',
  ),
  query: described(
    z.string().nullable(),
    'The JQL that chose the issues; null: keys chose them, or several queries.',
    'The JQL; null: keys, or several.',
  ),
};

/**
 * The facts behind an answer, as their schema takes them. `until` is the end of the time of the answer; null: now.
 */
export function provenanceFacts(provenance: Provenance, until: Instant | null) {
  const { timeZone, calendar, asOf, askedAt, dataAsOf, complete, cutHistories, undecided, query } =
    provenance;
  return {
    timeZone,
    calendar,
    asOf,
    askedAt,
    dataAsOf,
    complete,
    cutHistories,
    undecided,
    query,
    dataEnds: dataEndsBefore(until, provenance),
    issueCount: provenance.issues,
    unaskedIssues: provenance.unasked ?? 0,
    notes: provenance.notes ?? [],
    assumedCategories: provenance.assumedCategories ?? [],
    flows: provenance.flows ?? [],
  };
}

/** The same provenance, not complete while the category of a status is unknown. */
export function withKnownCategories(
  provenance: Provenance,
  { statusesWithoutCategory }: Pick<Unknowns, 'statusesWithoutCategory'>,
): Provenance {
  return { ...provenance, complete: provenance.complete && statusesWithoutCategory.length === 0 };
}

/** The JSON of the figures of a kind of question. */
export interface AnswerDocument<Value> {
  /** The schema of the figures; what is to be known before they are trusted stands before them (`factMembers`). */
  readonly schema: z.ZodObject;
  /** The provenance of the figures, and the end of the time that the question covers; null: now. */
  facts(value: Value): { readonly provenance: Provenance; readonly until: Instant | null };
  /** The figures, as the schema takes them; by default the value itself. */
  figures?(value: Value): object;
}

/** A kind of question whose answers have a JSON. */
type DocumentedKind<Value> = { readonly kind: string; readonly document?: AnswerDocument<Value> };

/** The provenance of an answer's figures. An answer without a JSON of its own is a bug. */
export function answerFacts<Value>({ kind, document }: DocumentedKind<Value>, value: Value) {
  if (document === undefined) throw new Error(`The answers of the kind '${kind}' are tables.`);
  return document.facts(value);
}

/** The facts and the figures of an answer, as the schema of its JSON takes them. */
export function inputOf<Value>(
  kind: DocumentedKind<Value>,
  value: Value,
): ReturnType<typeof provenanceFacts> & Value {
  const { provenance, until } = answerFacts(kind, value);
  return { ...provenanceFacts(provenance, until), ...value, ...kind.document?.figures?.(value) };
}

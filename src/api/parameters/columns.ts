import { z } from 'zod';
import { about, badRequestAs } from '../../model/error.ts';
import { reportIds } from '../../model/report-ids.ts';
import {
  type BetweenMetric,
  type ConsolidatedStatus,
  multiVisitBehaviors,
  timePeriods,
} from '../../model/request.ts';
import { shapeMark, tryParseJson } from './check-parameters.ts';
import { flag, oneOf, shown, words } from './parameter.ts';

/** A report type, and whether its rows are issues or the visits of one. */
export interface ReportShape {
  readonly id: string;
  readonly shape: 'issue' | 'visit';
  /** Members of a request that only some report types have a use for; it has one for these. */
  readonly options: readonly string[];
}

/** The report type. Which there are is known to the reporting port only, so `chooseReportType` checks it. */
export function columnsBy(shape: ReportShape['shape']) {
  return z
    .string()
    .trim()
    .meta({
      description: 'Report type: defines the value columns.',
      [shapeMark]: shape,
      ...(shape === 'issue' ? { examples: [reportIds.statusDuration] } : {}),
    });
}

/** The report type in its own spelling; one that is unknown, or of another shape, is refused. */
export function chooseReportType(
  wantedType: string,
  shape: ReportShape['shape'],
  types: readonly ReportShape[],
): string {
  const wanted = wantedType.toLowerCase();
  const named = types.find(({ id }) => id.toLowerCase() === wanted);
  if (named?.shape === shape) return named.id;
  const why =
    named === undefined
      ? 'is not known'
      : shape === 'issue'
        ? 'shows the visits of one issue, as /rest/issue/expanded does'
        : 'shows no single visits';
  const ids = types.filter((type) => type.shape === shape).map(({ id }) => id);
  const problem = about('columnsBy', `'${shown(wantedType)}' ${why}. Try: ${ids.join(', ')}.`);
  throw badRequestAs('unknown-name', problem, { field: 'columnsBy', value: wantedType, known: ids });
}

/** A status by id, as a text or a number, or by name. */
const statusReference = z.union([z.string().trim().min(1).max(200), z.int().nonnegative().transform(String)]);

const MAX_COLUMNS = 50;

const consolidatedExample = '[{"name":"Active","statuses":["3","4"]}]';

const consolidated = z.object({
  name: z.string().trim().min(1).max(200),
  statuses: z.array(statusReference),
}) satisfies z.ZodType<ConsolidatedStatus>;

/** Columns that merge several statuses under one name. */
const consolidatedStatuses = embeddedJson(
  z.union([z.literal('stages'), z.array(consolidated).max(MAX_COLUMNS)]),
  `a JSON list of up to ${MAX_COLUMNS} columns such as ${consolidatedExample}, or stages`,
)
  .default([])
  .meta({
    description:
      "Columns that merge several statuses (ids or names) under one name; their figures are the sums of their members. `stages`: one column for each stage of the project's flow, in the place of its statuses.",
    examples: [consolidatedExample],
  });

const MAX_METRICS = 50;

const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .transform((text) => words.find((one) => one.toLowerCase() === text.trim().toLowerCase()) ?? text)
    .pipe(z.enum(words));

/** Statuses in the two spellings of public clients: `ids`, or `value` with an id or a name; none at the creation. */
const point = z
  .object({
    type: word(['status', 'issueCreation']).default('status'),
    ids: z.array(statusReference).default([]),
    value: z.union([statusReference, z.array(statusReference)]).optional(),
    visitType: word(['first', 'last']).optional(),
  })
  .transform(({ type, ids, value, visitType: visit }) => ({
    statuses: type === 'issueCreation' ? [] : [...ids, ...(value === undefined ? [] : [value].flat())],
    visit,
  }));

const pauses = z
  .union([point.transform((one) => [one]), z.array(point)])
  .transform((points) => points.flatMap(({ statuses }) => statuses))
  .default([]);

const metric = z
  .object({
    name: z.string().trim().min(1).max(200),
    startAt: point.default({ statuses: [], visit: undefined }),
    stopAt: point,
    pauseAt: pauses,
    pausedOn: pauses,
  })
  .transform(
    ({ name, startAt, stopAt, pauseAt, pausedOn }): BetweenMetric => ({
      name,
      from: { statuses: startAt.statuses, visit: startAt.visit ?? 'first' },
      to: { statuses: stopAt.statuses, visit: stopAt.visit ?? 'last' },
      pausedIn: [...new Set([...pauseAt, ...pausedOn])],
    }),
  );

const metricsExample =
  '[{"name":"Work","startAt":{"type":"status","ids":["3"]},"stopAt":{"type":"status","ids":["5"]}}]';

/** The metrics of the report between statuses. Without a word the first start and the last stop are meant. */
const dbsMetrics = embeddedJson(
  z.array(metric).min(1).max(MAX_METRICS),
  `a JSON list of 1 to ${MAX_METRICS} metrics such as ${metricsExample}`,
)
  .optional()
  .meta({
    description:
      'With columnsBy durationBetweenStatuses: the metrics. Points in an issue\'s life are {"type":"status","ids":["3"]}, {"type":"status","value":"Doing","visitType":"first"} or {"type":"issueCreation"}; pauseAt or pausedOn name statuses in which the clock stops. visitType is first for startAt and last for stopAt by default.',
    examples: [metricsExample],
  });

/**
 * Categories by id or name, in texts of one or several with commas between: only the reader of the categories knows
 * them apart; none: every one. Null: time is the assignee's, whoever covered.
 */
const creditDelegates = z
  .string()
  .transform((text): readonly string[] | null => {
    const words = new Set(text.split(',').map((word) => word.trim().toLowerCase()));
    words.delete('');
    const [only = 'false'] = words;
    if (words.size <= 1 && only === 'true') return [];
    if (words.size <= 1 && only === 'false') return null;
    const texts = creditTexts(text);
    return texts.length === 0 ? null : texts;
  })
  .optional()
  .meta({
    type: 'array',
    items: { type: 'string' },
    description:
      'With columnsBy assigneeDuration: the time someone covered for an assignee is in columns of its own. Names or ids of categories of delegations, the first that covers it counting; a name can be in double quotes ("true"). true: every category, general first; false: none.',
  });

/** A name in quotes, whatever it is made of; quotes within are doubled. */
const quoted = /(?<=^|,)\s*"((?:[^"]|"")*)"\s*(?=,|$)/;

/** The categories that a text names; splitting leaves what was in quotes at odd places. */
export function creditTexts(text: string): readonly string[] {
  return text
    .split(quoted)
    .map((part, i) => (i % 2 === 1 ? part.replaceAll('""', '"') : part))
    .filter((part) => /[^\s,]/.test(part));
}

/** The choice of the value columns of a report over issues. */
export const columnParameters = {
  statuses: words.optional().meta({
    description:
      'Ids of the statuses to show as columns, in this order; in reports by assignee or group only the time in these statuses counts. Without it: every status observed.',
  }),
  consolidatedStatuses,
  includeDeletedStatuses: flag
    .default(false)
    .meta({ description: 'Include statuses that were deleted in the tracker.' }),
  multiVisitBehavior: oneOf(multiVisitBehaviors)
    .default('total')
    .meta({ description: 'With columnsBy statusDuration: visits of a status that count.' }),
  groups: words.optional().meta({
    description: 'With columnsBy groupDuration: ids or names of user groups. Without it: every group.',
  }),
  timePeriod: oneOf(timePeriods)
    .default('Month')
    .meta({ description: 'With the reports per time period: how long a period is.' }),
  dbsMetrics,
  creditDelegates,
  visitCounts: flag.default(false).meta({
    description: 'Accepted for clients that send it: JSON always has the number of visits as count.',
  }),
  includeTransitionedByColumns: flag.default(false).meta({
    description: 'Accepted for clients that send it: /rest/issue/expanded always says who made a transition.',
  }),
};

/** JSON within a parameter. `what` is what is allowed; a failure names the place within the JSON. */
function embeddedJson<Schema extends z.ZodType>(schema: Schema, what: string) {
  return z
    .string()
    .transform((text, context): z.output<Schema> => {
      const parsed = schema.safeParse(/^\w+$/.test(text) ? text : tryParseJson(text));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const path = (issue?.path ?? []).map(String).join('.');
      const words =
        issue?.code === 'invalid_value'
          ? `: there ${issue.values.map(String).join(' or ')}; in all`
          : '. Try:';
      context.addIssue(`is wrong${path === '' ? '' : ` at ${path}`}${words} ${what}`);
      return z.NEVER;
    })
    .meta({ type: 'string', contentMediaType: 'application/json' });
}

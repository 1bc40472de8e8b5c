import { z } from 'zod';
import type { BetweenMetric } from '../model/request.ts';
import { embeddedJson } from './embedded-json.ts';
import { statusReference } from './status-reference.ts';

const MOST_METRICS = 50;

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

const example =
  '[{"name":"Work","startAt":{"type":"status","ids":["3"]},"stopAt":{"type":"status","ids":["5"]}}]';

/** The metrics of the report between statuses. Without a word the first start and the last stop are meant. */
export const dbsMetrics = embeddedJson(
  z.array(metric).min(1).max(MOST_METRICS),
  `a JSON list of 1 to ${MOST_METRICS} metrics such as ${example}`,
)
  .optional()
  .meta({
    description:
      'With columnsBy durationBetweenStatuses: the metrics. Points in an issue\'s life are {"type":"status","ids":["3"]}, {"type":"status","value":"Doing","visitType":"first"} or {"type":"issueCreation"}; pauseAt or pausedOn name statuses in which the clock stands still. visitType is first for startAt and last for stopAt unless told.',
    examples: [example],
  });
